//! The settings of one stream.

use std::{any::TypeId, time::Duration};

use kinesis_app_rules::{self as rules, count::Count, length::Length};

use super::{
    config::Declared,
    problem::{ConfigError, Origin},
    resolve::Resolve,
    setup::Setup,
    variables,
};
use crate::{
    Position,
    source::kinesis::Target,
    spec::{Checkpoints, HandlerSpec, OnFatal, OnRecreated, Poll, Read, Start, StreamId},
};

/// The settings of one stream. Those of its handler are at [`AppConfig::handler`](crate::AppConfig::handler).
#[derive(Debug)]
pub struct StreamConfig {
    pub(crate) label: &'static str,
    pub(crate) target: Target,
    pub(crate) start: Start,
    pub(crate) checkpoints: Checkpoints,
    pub(crate) read: Read,
    pub(crate) create: Option<u32>,
    pub(crate) fatal: OnFatal,
    pub(crate) recreated: OnRecreated,
    pub(crate) partition_key: Option<String>,
    pub(crate) handler: Option<HandlerSpec>,
    pub(crate) stream: TypeId,
    /// Whether another stream of the application, of another account, has its name.
    pub(super) has_namesake: bool,
    pub(super) problems: Vec<ConfigError>,
}

impl StreamConfig {
    pub(super) fn new(declared: &Declared, setup: &Setup) -> Self {
        let Declared {
            stream,
            mut spec,
            mut handler,
            codec: _,
        } = *declared;
        let mut problems = Vec::new();
        let mut resolve = Resolve {
            stream: Some(spec.label),
            setup,
            problems: &mut problems,
        };
        let target = match spec.id {
            StreamId::Name(setting) => resolve.text("name", setting, check_name).map(Target::Name),
            StreamId::Arn(setting) => resolve.text("arn", setting, check_arn).map(Target::Arn),
        };
        let partition_key = spec
            .partition_key
            .and_then(|key| resolve.text("partition key", key, check_key));
        variables::of_stream(&mut spec, &mut resolve);
        if let Some(handler) = &mut handler {
            variables::of_handler(handler, &mut resolve);
        }
        Self {
            label: spec.label,
            // A stream without a name has a problem, and with a problem nothing is read.
            target: target.unwrap_or(Target::Name(String::new())),
            start: spec.start,
            checkpoints: spec.checkpoints,
            read: spec.read,
            create: spec.create,
            fatal: spec.fatal,
            recreated: spec.recreated,
            partition_key,
            handler,
            stream,
            has_namesake: false,
            problems,
        }
    }

    /// The last look, when `#[configure]` has had its word.
    pub(super) fn settle(&mut self) {
        if self.create.is_some() && matches!(self.target, Target::Arn(_)) {
            let text = "a stream that is named by its ARN exists; only one that is named by its name can be created";
            self.problems.push(ConfigError::new(
                Some(self.label),
                "create_if_missing",
                Origin::Source,
                text,
            ));
        }
    }

    /// The stream's name, also where it was given by its ARN.
    pub fn name(&self) -> &str {
        match &self.target {
            Target::Name(name) => name,
            Target::Arn(arn) => rules::arn::stream_arn(arn).map_or(arn, |parts| parts.name),
        }
    }

    /// The account that its ARN names.
    pub(super) fn account(&self) -> Option<&str> {
        match &self.target {
            Target::Name(_) => None,
            Target::Arn(arn) => rules::arn::stream_arn(arn).ok().map(|parts| parts.account),
        }
    }

    /// The name in row keys. That of a stream with a namesake says whose it is; no stream's name has an `@`.
    pub(crate) fn row_name(&self) -> String {
        match self.account() {
            Some(account) if self.has_namesake => format!("{}@{account}", self.name()),
            _ => self.name().into(),
        }
    }

    /// Reads the stream with this name.
    ///
    /// # Errors
    ///
    /// It is not 1 to 128 letters, digits, `_`, `.` and `-`.
    pub fn set_name(&mut self, name: &str) -> Result<&mut Self, ConfigError> {
        self.set("name", check_name(name), |config| {
            config.target = Target::Name(name.into());
        })
    }

    /// Reads the stream with this ARN.
    ///
    /// Streams of one name in two accounts are two streams; as soon as an application reads both, the rows of each are named
    /// `<app>:<stream>@<account>:<shard>`. One that was read alone before begins at its start then: its rows had another name.
    ///
    /// # Errors
    ///
    /// It is not the ARN of a stream.
    pub fn set_arn(&mut self, arn: &str) -> Result<&mut Self, ConfigError> {
        self.set("arn", check_arn(arn), |config| {
            config.target = Target::Arn(arn.into());
        })
    }

    /// Where it is read from the first time: the horizon, the tip, or a time.
    ///
    /// # Errors
    ///
    /// The position names one place in one shard.
    pub fn set_start(&mut self, start: &Position) -> Result<&mut Self, ConfigError> {
        let start = start.as_start();
        let checked = start.map(drop).ok_or_else(|| {
            "a sequence number names one place in one shard, a start names every shard".to_owned()
        });
        self.set("start", checked, |config| {
            config.start = start.unwrap_or(config.start);
        })
    }

    /// Whether the stream is read from its start again: by an instance that starts while no other reads it.
    pub fn set_checkpoints(&mut self, checkpoints: Checkpoints) -> &mut Self {
        self.checkpoints = checkpoints;
        self
    }

    /// What another stream under the name means, of which checkpoints are stored that are not its own.
    pub fn set_on_recreated(&mut self, recreated: OnRecreated) -> &mut Self {
        self.recreated = recreated;
        self
    }

    /// The key of records that are published without one, neither in the call nor in the header `partition-key`: all of them land in one
    /// shard, in order. If nothing is said, each gets a key of its own.
    ///
    /// # Errors
    ///
    /// It is not 1 to 256 characters.
    pub fn set_partition_key(&mut self, key: &str) -> Result<&mut Self, ConfigError> {
        self.set("partition key", check_key(key), |config| {
            config.partition_key = Some(key.into());
        })
    }

    /// The most records that one read asks for: 1 to 10,000.
    ///
    /// # Errors
    ///
    /// It is none of these.
    pub fn set_batch_size(&mut self, size: u32) -> Result<&mut Self, ConfigError> {
        let checked = Count::BatchSize
            .check(size.into())
            .map(drop)
            .map_err(|fault| fault.to_string());
        self.set("batch size", checked, |config| {
            let Read::Poll(Poll { batch_size, .. }) = &mut config.read;
            *batch_size = Some(size);
        })
    }

    /// The pause between two reads of a shard that has nothing left to read: 200 ms to 4 minutes.
    ///
    /// # Errors
    ///
    /// It is shorter or longer.
    pub fn set_poll_interval(&mut self, pause: Duration) -> Result<&mut Self, ConfigError> {
        let checked = Length::PollInterval
            .check(pause)
            .map(drop)
            .map_err(|fault| fault.to_string());
        self.set("poll interval", checked, |config| {
            let Read::Poll(Poll { interval, .. }) = &mut config.read;
            *interval = pause;
        })
    }

    /// What a refusal that no retry heals does: it ends the run, or health shows it and the rest goes on.
    pub fn set_on_fatal(&mut self, answer: OnFatal) -> &mut Self {
        self.fatal = answer;
        self
    }

    /// Creates the stream with so many shards if it does not exist.
    ///
    /// # Errors
    ///
    /// The number is 0, or too large.
    pub fn set_create_if_missing(&mut self, shards: u32) -> Result<&mut Self, ConfigError> {
        let checked = Count::Shards
            .check(shards.into())
            .map(drop)
            .map_err(|fault| fault.to_string());
        self.set("create_if_missing", checked, |config| {
            config.create = Some(shards);
        })
    }

    pub(super) fn set(
        &mut self,
        setting: &'static str,
        checked: Result<(), String>,
        change: impl FnOnce(&mut Self),
    ) -> Result<&mut Self, ConfigError> {
        match checked {
            Ok(()) => {
                change(self);
                Ok(self)
            }
            Err(text) => {
                let error = ConfigError::new(Some(self.label), setting, Origin::Configure, text);
                self.problems.push(error.clone());
                Err(error)
            }
        }
    }
}

fn check_name(name: &str) -> Result<(), String> {
    rules::name::stream_name(name)
        .map(drop)
        .map_err(|fault| fault.with(name).to_string())
}

fn check_key(key: &str) -> Result<(), String> {
    rules::partition_key::partition_key(key)
        .map(drop)
        .map_err(|fault| fault.to_string())
}

fn check_arn(arn: &str) -> Result<(), String> {
    rules::arn::stream_arn(arn)
        .map(drop)
        .map_err(|fault| fault.with(arn).to_string())
}
