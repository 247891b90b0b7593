//! What the environment has the last word on, of what a spec keeps as something else than text.

use kinesis_app_rules::{self as rules, length::Length};

use super::resolve::Resolve;
use crate::spec::{
    AppKey, AppSpec, HandlerKey, HandlerSpec, Poll, Read, Start, StreamKey, StreamSpec,
};

/// The application's own, before `#[configure]` has its word.
pub(super) fn of_app(spec: &mut AppSpec, resolve: &mut Resolve<'_>) {
    for variable in spec.variables {
        let setting = variable.setting;
        match variable.key {
            AppKey::LeaseDuration => {
                let length = resolve.length(Length::LeaseDuration, setting);
                spec.leases.duration = length.unwrap_or(spec.leases.duration);
            }
            AppKey::ShutdownTimeout => {
                let length = resolve.length(Length::ShutdownTimeout, setting);
                spec.shutdown_timeout = length.unwrap_or(spec.shutdown_timeout);
            }
        }
    }
}

pub(super) fn of_stream(spec: &mut StreamSpec, resolve: &mut Resolve<'_>) {
    for variable in spec.variables {
        let setting = variable.setting;
        match variable.key {
            StreamKey::Start => {
                let moment = resolve.read("start", setting, |text| {
                    rules::timestamp::timestamp(text).map_err(|fault| fault.with(text).to_string())
                });
                if let Some(millis) = moment {
                    spec.start = Start::Timestamp { millis };
                }
            }
            StreamKey::PollInterval => {
                let length = resolve.length(Length::PollInterval, setting);
                let Read::Poll(Poll { interval, .. }) = &mut spec.read;
                *interval = length.unwrap_or(*interval);
            }
        }
    }
}

pub(super) fn of_handler(handler: &mut HandlerSpec, resolve: &mut Resolve<'_>) {
    for variable in handler.variables {
        let setting = variable.setting;
        match variable.key {
            HandlerKey::Label => {
                let label = resolve.text("label", setting, |label| {
                    rules::name::handler_label(label)
                        .map(drop)
                        .map_err(|fault| fault.with(label).to_string())
                });
                if let Some(label) = label {
                    // Logs and health bear labels for as long as the process lives; a start makes at most one a handler.
                    handler.label = label.leak();
                }
            }
            HandlerKey::MaxWait => {
                let length = resolve.length(Length::MaxWait, setting);
                if let (Some(batch), Some(length)) = (&mut handler.batch, length) {
                    batch.max_wait = length;
                }
            }
            HandlerKey::Backoff => {
                let length = resolve.length(Length::Backoff, setting);
                handler.retry.backoff = length.unwrap_or(handler.retry.backoff);
            }
            HandlerKey::MaxBackoff => {
                let length = resolve.length(Length::MaxBackoff, setting);
                handler.retry.max_backoff = length.unwrap_or(handler.retry.max_backoff);
            }
            HandlerKey::Timeout => {
                let length = resolve.length(Length::Timeout, setting);
                handler.timeout = length.or(handler.timeout);
            }
        }
    }
}
