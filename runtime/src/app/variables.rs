//! What the environment has the last word on, of what a spec keeps as something else than text.

use kinesis_app_rules as rules;

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
                let length =
                    resolve.length("lease duration", setting, rules::interval::lease_duration);
                spec.leases.duration = length.unwrap_or(spec.leases.duration);
            }
            AppKey::ShutdownTimeout => {
                let rule = rules::interval::shutdown_timeout;
                let length = resolve.length("shutdown timeout", setting, rule);
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
                let rule = rules::interval::poll_interval;
                let length = resolve.length("poll interval", setting, rule);
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
                let length = resolve.length("max wait", setting, rules::batch::max_wait);
                if let (Some(batch), Some(length)) = (&mut handler.batch, length) {
                    batch.max_wait = length;
                }
            }
            HandlerKey::Backoff => {
                let length = resolve.length("backoff", setting, rules::attempt::backoff);
                handler.retry.backoff = length.unwrap_or(handler.retry.backoff);
            }
            HandlerKey::MaxBackoff => {
                let length = resolve.length("max backoff", setting, rules::attempt::max_backoff);
                handler.retry.max_backoff = length.unwrap_or(handler.retry.max_backoff);
            }
            HandlerKey::Timeout => {
                let length = resolve.length("timeout", setting, rules::attempt::timeout);
                handler.timeout = length.or(handler.timeout);
            }
        }
    }
}
