//! A setting from the source or the environment, checked by its rule.

use std::time::Duration;

use kinesis_app_rules::{duration::duration, length::Length};

use super::{
    problem::{ConfigError, Origin},
    setup::Setup,
};
use crate::spec::{Fallback, Setting};

pub(super) struct Resolve<'a> {
    pub(super) stream: Option<&'static str>,
    pub(super) setup: &'a Setup,
    pub(super) problems: &'a mut Vec<ConfigError>,
}

impl Resolve<'_> {
    pub(super) fn text(
        &mut self,
        setting: &'static str,
        value: Setting,
        check: impl Fn(&str) -> Result<(), String>,
    ) -> Option<String> {
        let (text, origin) = match value {
            Setting::Fixed(text) => (text, Origin::Source),
            Setting::Env { variable, fallback } => match (self.setup.lookup(variable), fallback) {
                (Some(text), _) => (text, Origin::Variable(variable)),
                (None, Fallback::Default(text)) => (text, Origin::Source),
                (None, Fallback::Absent) => return None,
                (None, Fallback::Required) => {
                    self.problems.push(ConfigError::new(
                        self.stream,
                        setting,
                        Origin::Variable(variable),
                        "the variable is not set",
                    ));
                    return None;
                }
            },
        };
        match check(text) {
            Ok(()) => Some(text.into()),
            Err(why) => {
                self.problems
                    .push(ConfigError::new(self.stream, setting, origin, why));
                None
            }
        }
    }

    /// A text that is read into something else.
    pub(super) fn read<T>(
        &mut self,
        setting: &'static str,
        value: Setting,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.text(setting, value, |text| read(text).map(drop))?;
        read(&text).ok()
    }

    /// A duration that a rule judges.
    pub(super) fn length(&mut self, of: Length, value: Setting) -> Option<Duration> {
        self.read(of.name(), value, |text| {
            let length = duration(text).map_err(|fault| fault.with(text).to_string())?;
            of.check(length).map_err(|fault| fault.to_string())
        })
    }
}
