//! What `#[stream(..)]` says.

use std::{any::TypeId, time::Duration};

use kinesis_app_rules::defaults;

use super::{Setting, Variable};
use crate::Stream;

/// How a stream is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamId {
    /// By its name, in the account and region of the credentials.
    Name(Setting),
    /// By its ARN.
    Arn(Setting),
}

/// Where a stream is read from when nothing is stored about it yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Records that arrive from the first start on.
    Latest,
    /// The oldest record kept.
    TrimHorizon,
    /// Records that arrived at this time or later.
    Timestamp {
        /// Milliseconds since the Unix epoch.
        millis: i64,
    },
}

/// How records leave a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// GetRecords, again and again.
    Poll(Poll),
}

/// How a shard is polled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Poll {
    /// The `Limit` of one read; `None` reads as many as the service returns (10,000).
    pub batch_size: Option<u32>,
    /// The pause between two reads of one shard that has nothing left to read.
    pub interval: Duration,
}

impl Poll {
    /// As many records as the service returns, every second.
    pub const DEFAULT: Self = Self {
        batch_size: None,
        interval: defaults::POLL_INTERVAL,
    };
}

/// Whether stored checkpoints count when an application starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checkpoints {
    /// A shard goes on behind its checkpoint.
    Use,
    /// The stream is read from its [`Start`] again, by an instance that starts while no other reads it.
    Ignore,
}

/// What a refusal that no retry heals does: a permission that is missing, a stream that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFatal {
    /// The run ends with it.
    Stop,
    /// Health shows it, the rest goes on, and it is tried again now and then.
    Mark,
}

/// What is done with a stream that was deleted and created again under its name since its checkpoints were stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnRecreated {
    /// The start or the run fails, and says which rows are of the stream before.
    Refuse,
    /// Nothing that is stored counts any more, and the stream is read from its [`Start`].
    Restart,
}

/// A `#[stream(..)]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamSpec {
    /// The struct's name, as errors and health show it.
    pub label: &'static str,
    /// Which stream it is.
    pub id: StreamId,
    /// Where it is read from the first time.
    pub start: Start,
    /// Whether it is read from there only the first time.
    pub checkpoints: Checkpoints,
    /// How it is read.
    pub read: Read,
    /// With how many shards it is created if it does not exist; `None` never creates it.
    pub create: Option<u32>,
    /// What a refusal that no retry heals does.
    pub fatal: OnFatal,
    /// What another stream under its name means.
    pub recreated: OnRecreated,
    /// The key of records that are published without one; `None` gives each a key of its own.
    pub partition_key: Option<Setting>,
    /// What of it the environment decides.
    pub variables: &'static [Variable<StreamKey>],
}

/// What of a stream the environment may decide as a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamKey {
    /// `start(timestamp)`.
    Start,
    /// `poll_interval`.
    PollInterval,
}

impl StreamSpec {
    /// The stream of this name, and nothing else said about it.
    pub const fn named(label: &'static str, name: Setting) -> Self {
        Self::new(label, StreamId::Name(name))
    }

    /// The stream of this ARN, and nothing else said about it.
    pub const fn by_arn(label: &'static str, arn: Setting) -> Self {
        Self::new(label, StreamId::Arn(arn))
    }

    const fn new(label: &'static str, id: StreamId) -> Self {
        Self {
            label,
            id,
            start: Start::Latest,
            checkpoints: Checkpoints::Use,
            read: Read::Poll(Poll::DEFAULT),
            create: None,
            fatal: OnFatal::Stop,
            recreated: OnRecreated::Refuse,
            partition_key: None,
            variables: &[],
        }
    }
}

/// A stream of the application, named by its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamRef {
    /// The struct.
    pub stream: TypeId,
    /// The struct's name, as errors and health show it.
    pub label: &'static str,
}

impl StreamRef {
    /// The stream that `S` stands for.
    pub const fn of<S: Stream>() -> Self {
        Self {
            stream: TypeId::of::<S>(),
            label: S::SPEC.label,
        }
    }

    /// The same. Not bound by [`Stream`]: generated code asks that once, where one error is enough.
    pub const fn named<S: 'static>(label: &'static str) -> Self {
        let stream = TypeId::of::<S>();
        Self { stream, label }
    }
}
