//! What `#[on_record(..)]` and `#[on_batch(..)]` say.

use std::{num::NonZeroU32, time::Duration};

use kinesis_app_rules::defaults;

use super::{StreamRef, Variable};
use crate::Stream;

/// What of a shard may not be handled out of turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Records of one partition key are handled one after the other.
    PartitionKey,
    /// Records of the whole shard are handled one after the other.
    Shard,
    /// Nothing: records are handled in no order.
    None,
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

impl Retry {
    /// For ever.
    pub const DEFAULT: Self = Self {
        attempts: None,
        backoff: defaults::BACKOFF_FIRST,
        max_backoff: defaults::BACKOFF_MAX,
    };
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

impl GiveUp {
    /// Stored in the stream `S` before the checkpoint passes it.
    pub const fn to<S: Stream>() -> Self {
        Self::DeadLetter(StreamRef::of::<S>())
    }

    /// Stored in the stream that `S` stands for, see [`StreamRef::named`].
    pub const fn dead_letter<S: 'static>(label: &'static str) -> Self {
        Self::DeadLetter(StreamRef::named::<S>(label))
    }
}

/// How many records a handler is given at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concurrency {
    /// Of one shard.
    pub shard: u32,
    /// Of all shards that this process reads; `None` sets no limit.
    pub total: Option<NonZeroU32>,
}

impl Concurrency {
    /// One of a shard, of all shards at once.
    pub const DEFAULT: Self = Self {
        shard: defaults::CONCURRENCY,
        total: None,
    };
}

/// What a handler of batches is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchSpec {
    /// At most so many records a call.
    pub max_records: u32,
    /// A batch that is not full waits so long for more records, from when its first one was ready.
    pub max_wait: Duration,
}

impl BatchSpec {
    /// What is there, up to 500 records.
    pub const DEFAULT: Self = Self {
        max_records: defaults::MAX_RECORDS,
        max_wait: defaults::MAX_WAIT,
    };
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
    /// The stream that its replies are stored in.
    pub publish: Option<StreamRef>,
    /// What of it the environment decides.
    pub variables: &'static [Variable<HandlerKey>],
}

/// What of a handler the environment may decide as a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandlerKey {
    /// `label`.
    Label,
    /// `max_wait`.
    MaxWait,
    /// `retry(backoff)`.
    Backoff,
    /// `retry(max_backoff)`.
    MaxBackoff,
    /// `timeout`.
    Timeout,
}

impl HandlerSpec {
    /// A handler of single records, and nothing else said about it.
    pub const fn records(label: &'static str, description: &'static str) -> Self {
        Self {
            label,
            description,
            concurrency: Concurrency::DEFAULT,
            order: Order::PartitionKey,
            batch: None,
            retry: Retry::DEFAULT,
            exhausted: GiveUp::Halt,
            undecodable: GiveUp::Halt,
            timeout: None,
            publish: None,
            variables: &[],
        }
    }

    /// The streams that it writes to: dead letters and replies.
    pub(crate) fn written(&self) -> impl Iterator<Item = StreamRef> {
        let letters = [self.exhausted, self.undecodable].map(|place| match place {
            GiveUp::DeadLetter(to) => Some(to),
            GiveUp::Halt | GiveUp::Skip => None,
        });
        letters.into_iter().chain([self.publish]).flatten()
    }

    /// A handler of batches, and nothing else said about it.
    pub const fn batches(label: &'static str, description: &'static str) -> Self {
        Self {
            batch: Some(BatchSpec::DEFAULT),
            ..Self::records(label, description)
        }
    }
}
