//! Const descriptors: what `#[kinesis_app]` and `#[stream]` say, before the environment and `#[configure]` had their word.
//!
//! Generated code builds these by literal; [`AppConfig`](crate::AppConfig) is made from them once, at start.

use std::{any::TypeId, num::NonZeroU32, time::Duration};

use crate::Stream;

/// A string that is fixed in the source or read from an environment variable at start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// Written in the source, and checked there.
    Fixed(&'static str),
    /// Read at start, and checked then.
    Env {
        /// The variable's name.
        variable: &'static str,
        /// What to do when it is not set.
        fallback: Fallback,
    },
}

/// What a [`Setting::Env`] means when its variable is not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// The start fails and names the variable.
    Required,
    /// This value is used.
    Default(&'static str),
    /// The setting is left out (the flag `optional`).
    Absent,
}

/// A setting whose field in a spec holds until the environment says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Which setting.
    pub key: Key,
    /// Where it is read from, as text.
    pub setting: Setting,
}

/// A setting that is written as a text and kept as something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Key {
    /// `leases(.., duration)`.
    LeaseDuration,
    /// `shutdown_timeout`.
    ShutdownTimeout,
    /// `start(timestamp)`.
    Start,
    /// `poll_interval`.
    PollInterval,
    /// `max_wait`.
    MaxWait,
    /// `retry(backoff)`.
    Backoff,
    /// `retry(max_backoff)`.
    MaxBackoff,
    /// `timeout`.
    Timeout,
    /// `label`.
    Label,
}

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
    Poll {
        /// The `Limit` of one read; `None` reads as many as the service returns (10,000).
        batch_size: Option<u32>,
        /// The pause between two reads of one shard that has nothing left to read.
        interval: Duration,
    },
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
    pub variables: &'static [Variable],
}

/// What of a shard may not be handled out of turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Records of one partition key are handled one after the other.
    PartitionKey,
    /// Records of the whole shard are handled one after the other.
    Shard,
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
}

/// How often a failure is repeated, and after which pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// So many attempts in all, the first one among them; `None` tries until the record passes.
    pub attempts: Option<NonZeroU32>,
    /// The first pause; they double, with full jitter.
    pub backoff: Duration,
    /// The longest pause.
    pub max_backoff: Duration,
}

/// What becomes of a record that is given up on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GiveUp {
    /// Its shard stops before it and keeps its lease.
    Halt,
    /// The checkpoint passes it. Logged and counted.
    Skip,
    /// It is stored in this stream before the checkpoint passes it.
    DeadLetter(StreamRef),
}

/// How many records a handler is given at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concurrency {
    /// Of one shard.
    pub shard: u32,
    /// Of all shards that this process reads; `None` sets no limit.
    pub total: Option<NonZeroU32>,
}

/// What a handler of batches is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchSpec {
    /// At most so many records a call.
    pub max_records: u32,
    /// A batch that is not full waits so long for more records, from when its first one was ready.
    pub max_wait: Duration,
}

/// An `#[on_record(..)]` or an `#[on_batch(..)]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandlerSpec {
    /// The handler's name: the function's, or that of the key `label`.
    pub label: &'static str,
    /// The first line of its documentation, or nothing.
    pub description: &'static str,
    /// How many records it handles at a time.
    pub concurrency: Concurrency,
    /// What it must not handle out of turn.
    pub order: Order,
    /// How it takes its records in batches, one at a time of a shard; `None` takes them one by one.
    pub batch: Option<BatchSpec>,
    /// What happens after a failure.
    pub retry: Retry,
    /// What becomes of a record that failed for the last time, or in a way that no repetition heals.
    pub exhausted: GiveUp,
    /// What becomes of a record that the handler cannot be given.
    pub undecodable: GiveUp,
    /// An attempt that takes longer has failed; `None` waits for as long as it takes.
    pub timeout: Option<Duration>,
    /// What of it the environment decides.
    pub variables: &'static [Variable],
}

/// Where requests get their signature from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credentials {
    /// The SDK's default chain: environment, profile, web identity, container, instance.
    Chain,
    /// Fixed dummy keys, for a local stack behind `endpoint`.
    Test,
}

/// Leases and checkpoints: where they are kept, and how long a lease lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leases {
    /// Where they are kept.
    pub store: Store,
    /// A lease is dead to others when its row stood still for so long.
    pub duration: Duration,
}

/// Where leases and checkpoints are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Store {
    /// In this process, forgotten when it ends.
    Memory,
    /// In a table of DynamoDB (cargo feature `dynamodb`).
    DynamoDb(LeaseTable),
}

/// A table of DynamoDB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseTable {
    /// Its name or ARN.
    pub name: Setting,
    /// Its endpoint, if that is not the application's.
    pub endpoint: Option<Setting>,
    /// What a start does without it.
    pub missing: MissingTable,
}

/// What a start does when the table of leases does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingTable {
    /// It fails.
    Refused,
    /// It creates the table, on demand, and waits for it.
    Created,
}

/// A `#[kinesis_app(..)]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppSpec {
    /// The namespace of the application's leases.
    pub name: Setting,
    /// The AWS region; `None` asks the SDK's chain.
    pub region: Option<Setting>,
    /// Another endpoint than the service's own.
    pub endpoint: Option<Setting>,
    /// Who signs.
    pub credentials: Credentials,
    /// The instance's name in lease rows and logs; `None` makes one of the process's own.
    pub owner_id: Option<Setting>,
    /// How leases are kept.
    pub leases: Leases,
    /// How long handlers may go on after a stop was asked for.
    pub shutdown_timeout: Duration,
    /// What of it the environment decides.
    pub variables: &'static [Variable],
}
