//! The door for a user's own metrics: what an observer is told, and when.

use std::{fmt, sync::Arc, time::Duration};

use super::health::ShardName;
use crate::{leases::row::Checkpoint, service_error::ServiceError};

/// Is told what happens to an application's streams and shards, to pass it on to a metrics system. Made by an `#[observe]` function.
///
/// Every method does nothing unless it is written. They are called on the tasks that read and handle records, one after the other for
/// one shard and side by side for several: count, and leave what waits to another task or thread. Records are told in sums, not one by
/// one. Without an observer nothing is measured.
///
/// An observer that panics keeps no shard from its work: the panic is logged as an error once, and the observer is not called any more
/// in this start of the application, for it may be left half done. [`Running::health`](crate::Running::health) goes on.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use kinesis_app::{ShardName, observer::RecordCounts, prelude::*};
///
/// #[derive(Default)]
/// struct Lost(AtomicU64);
///
/// impl Observer for Lost {
///     fn records(&self, _shard: &ShardName, counts: &RecordCounts) {
///         self.0.fetch_add(counts.skipped + counts.dead_lettered, Ordering::Relaxed);
///     }
/// }
/// # let _ = Lost::default();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an observer",
    label = "cannot be told what happens",
    note = "write `impl Observer for {Self} {{}}` with the methods that matter"
)]
pub trait Observer: Send + Sync + 'static {
    /// What became of records of a shard since the last call.
    fn records(&self, shard: &ShardName, counts: &RecordCounts) {
        let _ = (shard, counts);
    }

    /// A read was answered, whether or not it brought records. Its `behind` is the shard's lag.
    fn read(&self, shard: &ShardName, page: &PageRead) {
        let _ = (shard, page);
    }

    /// A read failed, and is tried again: it was throttled if the error's [`class`](ServiceError::class) says so.
    fn read_failed(&self, shard: &ShardName, error: &ServiceError) {
        let _ = (shard, error);
    }

    /// A checkpoint is stored. [`Checkpoint::ShardEnd`] says that the shard is finished.
    fn checkpoint(&self, shard: &ShardName, checkpoint: &Checkpoint) {
        let _ = (shard, checkpoint);
    }

    /// This instance got the lease of a shard, or holds it no more.
    fn lease(&self, shard: &ShardName, change: &LeaseChange<'_>) {
        let _ = (shard, change);
    }

    /// A shard stands before a record that needs a person.
    fn halted(&self, shard: &ShardName, halt: &Halted<'_>) {
        let _ = (shard, halt);
    }

    /// A dead letter, or a record's replies, were not stored, and are tried again. The checkpoint waits for them.
    fn unstored(&self, shard: &ShardName, unstored: &Unstored<'_>) {
        let _ = (shard, unstored);
    }

    /// A shard is gone before it was read to its end: what was unread is lost. With the checkpoint that stood.
    fn vanished(&self, shard: &ShardName, checkpoint: Option<&Checkpoint>) {
        let _ = (shard, checkpoint);
    }

    /// A stream, or one of its shards, cannot be read.
    fn refused(&self, refusal: &Refusal<'_>) {
        let _ = refusal;
    }
}

/// What became of records of one shard since the last time.
///
/// Records that are delivered twice count twice: after a crash, a seek or a lost lease, when a shard begins again at a record that was held, and
/// when pages of which nothing began are given back for want of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordCounts {
    /// The handler: its key `label`, or the function's name.
    pub handler: &'static str,
    /// Records that were taken in, to be handled.
    pub delivered: u64,
    /// Records that are handled, and their replies stored.
    pub done: u64,
    /// Records that were skipped.
    pub skipped: u64,
    /// Records that their handler holds.
    pub held: u64,
    /// Records that were stored in a dead-letter stream.
    pub dead_lettered: u64,
    /// Records before which the shard halted.
    pub halted: u64,
    /// Records that could not be given to the handler, whatever became of them.
    pub undecodable: u64,
    /// Records that are tried again after an attempt that failed; each of a batch counts.
    pub retried: u64,
    /// Attempts that failed, whether or not they are repeated: an `Err`, a panic, `Outcome::Retry` or `Outcome::RetryAfter`, a timeout. A batch
    /// is one.
    pub failed_attempts: u64,
    /// Of these, attempts that took longer than the key `timeout` says.
    pub timeouts: u64,
    /// Calls of the handler that ended, decoding included. A batch is one.
    pub calls: u64,
    /// How long these took together.
    pub call_time: Duration,
    /// How long the longest of them took.
    pub longest_call: Duration,
}

impl RecordCounts {
    pub(crate) fn of(handler: &'static str) -> Self {
        Self {
            handler,
            delivered: 0,
            done: 0,
            skipped: 0,
            held: 0,
            dead_lettered: 0,
            halted: 0,
            undecodable: 0,
            retried: 0,
            failed_attempts: 0,
            timeouts: 0,
            calls: 0,
            call_time: Duration::ZERO,
            longest_call: Duration::ZERO,
        }
    }
}

/// One answered read of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageRead {
    /// How many records it brought.
    pub records: usize,
    /// Their size, keys included.
    pub bytes: usize,
    /// How far behind the shard's tip it was: `MillisBehindLatest`.
    pub behind: Duration,
}

impl PageRead {
    pub(crate) fn new(records: usize, bytes: usize, behind: Duration) -> Self {
        Self {
            records,
            bytes,
            behind,
        }
    }
}

/// What happened to a lease of this instance. One that it took ends once, unless the process does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeaseChange<'a> {
    /// This instance holds it from here on. Its fencing token is larger in every later tenure of the shard.
    Taken {
        /// See [`Lease::token`](crate::Lease::token).
        token: u64,
    },
    /// It was given to another instance that asked for it.
    HandedOver {
        /// The other's `owner_id`.
        to: &'a str,
    },
    /// It was given back, and is anybody's.
    Released,
    /// The shard is read to its end, and its last record has settled.
    Finished,
    /// It is not held any more, and what ran is handled again elsewhere.
    Lost {
        /// How it came to that, in words.
        reason: &'a str,
    },
}

/// Why a shard stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Halted<'a> {
    /// The record before which it stands.
    pub sequence_number: &'a str,
    /// Why.
    pub reason: &'a str,
}

impl<'a> Halted<'a> {
    pub(crate) fn new(sequence_number: &'a str, reason: &'a str) -> Self {
        Self {
            sequence_number,
            reason,
        }
    }
}

/// Something that is to be stored for a record, and was not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unstored<'a> {
    /// What it is.
    pub what: Parcel,
    /// The record that it belongs to.
    pub sequence_number: &'a str,
    /// Why it was not stored.
    pub error: &'a str,
}

impl<'a> Unstored<'a> {
    pub(crate) fn new(what: Parcel, sequence_number: &'a str, error: &'a str) -> Self {
        Self {
            what,
            sequence_number,
            error,
        }
    }
}

/// What is stored for a record before its checkpoint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Parcel {
    /// The record itself, which was given up on.
    DeadLetter,
    /// What its handler returned.
    Replies,
}

/// A stream or a shard that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal<'a> {
    /// The name of the stream's struct.
    pub stream: &'static str,
    /// One of its shards; `None` for the stream as a whole: its listing, or its leases.
    pub shard_id: Option<&'a str>,
    /// Whether a retry may heal it.
    pub kind: RefusalKind,
    /// Why, with its causes.
    pub error: &'a str,
}

/// Whether a retry may heal what keeps a stream from being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefusalKind {
    /// It is tried again.
    Passing,
    /// Only a person heals it. Under `on_fatal(mark)` it is tried again now and then; else the application ends.
    Fatal,
    /// The reader of a shard panicked: a bug of the runtime. The shard is read again.
    Panicked,
}

/// An observer behind a pointer is one.
macro_rules! forward {
    ($pointer:ident) => {
        impl<T: Observer + ?Sized> Observer for $pointer<T> {
            fn records(&self, shard: &ShardName, counts: &RecordCounts) {
                (**self).records(shard, counts);
            }

            fn read(&self, shard: &ShardName, page: &PageRead) {
                (**self).read(shard, page);
            }

            fn read_failed(&self, shard: &ShardName, error: &ServiceError) {
                (**self).read_failed(shard, error);
            }

            fn checkpoint(&self, shard: &ShardName, checkpoint: &Checkpoint) {
                (**self).checkpoint(shard, checkpoint);
            }

            fn lease(&self, shard: &ShardName, change: &LeaseChange<'_>) {
                (**self).lease(shard, change);
            }

            fn halted(&self, shard: &ShardName, halt: &Halted<'_>) {
                (**self).halted(shard, halt);
            }

            fn unstored(&self, shard: &ShardName, unstored: &Unstored<'_>) {
                (**self).unstored(shard, unstored);
            }

            fn vanished(&self, shard: &ShardName, checkpoint: Option<&Checkpoint>) {
                (**self).vanished(shard, checkpoint);
            }

            fn refused(&self, refusal: &Refusal<'_>) {
                (**self).refused(refusal);
            }
        }
    };
}

forward!(Box);
forward!(Arc);

impl fmt::Debug for dyn Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}
