//! What each shard is doing, as a value.

use std::{collections::BTreeMap, fmt, time::Duration};

use kinesis_app_rules::defaults;

use crate::{leases::row::Checkpoint, source::budget::PrefetchLoad};

/// What the application's streams and shards are doing at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// Every stream that is consumed, by the name of its struct.
    pub streams: BTreeMap<&'static str, StreamHealth>,
    /// Every shard that this instance holds, or may not read, by stream and shard id.
    pub shards: BTreeMap<ShardName, ShardHealth>,
    /// Records that are read and not handled yet.
    pub prefetch: PrefetchLoad,
    /// Shards that the service forgot before they were read to their end, as far as this instance closed their rows: what was unread is
    /// lost. With the checkpoint that stood.
    pub vanished: BTreeMap<ShardName, Option<Checkpoint>>,
}

/// A shard of one of the application's streams.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShardName {
    /// The name of the stream's struct.
    pub stream: &'static str,
    /// The shard's id.
    pub shard_id: String,
}

impl fmt::Display for ShardName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.stream, self.shard_id)
    }
}

impl Health {
    /// Whether nothing needs a person: no stream and no shard is refused, no shard is halted or silent, none of them fails for a
    /// minute or longer, no record waits for a stream that does not take its reply or its dead letter.
    pub fn is_good(&self) -> bool {
        self.streams.values().all(StreamHealth::is_good)
            && self.shards.values().all(ShardHealth::is_good)
    }
}

/// What is done about one stream as a whole: finding its shards and their leases.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamHealth {
    /// Whether it is looked after.
    pub activity: StreamActivity,
    /// It cannot be, and since when.
    pub failing: Option<Failing>,
}

/// Whether a stream is looked after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamActivity {
    /// Its shards are found and taken.
    Reading,
    /// Its listing, or its leases, are refused in a way that no retry heals. Under `on_fatal(mark)` it is tried again now and then.
    Refused,
}

impl StreamHealth {
    fn is_good(&self) -> bool {
        self.activity == StreamActivity::Reading && is_short(self.failing.as_ref())
    }
}

/// What one shard is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShardHealth {
    /// Whether it moves.
    pub activity: Activity,
    /// Reads or a shard hook fail, and since when.
    pub failing: Option<Failing>,
    /// How far behind its tip the last read was.
    pub behind: Duration,
    /// Records that settled since this instance took the lease.
    pub settled: u64,
    /// Of these, records that were skipped.
    pub skipped: u64,
    /// Of these, records that were stored in a dead-letter stream.
    pub dead_lettered: u64,
    /// Records that were given up on and whose dead letters are not stored. The checkpoint stands before the first of them.
    pub unstored_dead_letters: Option<UnstoredDeadLetters>,
    /// Attempts that failed, whether or not they are repeated: an `Err`, a panic, `Outcome::Retry` or `Outcome::RetryAfter`, a timeout.
    pub failed_attempts: u64,
    /// Of these, attempts that took longer than the key `timeout` says.
    pub timeouts: u64,
    /// Records past the first unsettled one.
    pub window: u64,
    /// Records that their handler holds.
    pub held: Option<HeldRecords>,
    /// Records that are handled, but whose replies cannot be stored.
    pub unstored: Option<UnstoredRecords>,
}

impl ShardHealth {
    /// Of a tenure that has done nothing yet.
    pub(super) fn begun() -> Self {
        Self {
            activity: Activity::Reading,
            failing: None,
            behind: Duration::ZERO,
            settled: 0,
            skipped: 0,
            dead_lettered: 0,
            unstored_dead_letters: None,
            failed_attempts: 0,
            timeouts: 0,
            window: 0,
            held: None,
            unstored: None,
        }
    }

    fn is_good(&self) -> bool {
        let moves = !matches!(
            self.activity,
            Activity::Halted { .. } | Activity::Silent | Activity::Refused
        );
        let refused_letters = self
            .unstored_dead_letters
            .as_ref()
            .is_some_and(|letters| letters.error.is_some());
        moves && self.unstored.is_none() && !refused_letters && is_short(self.failing.as_ref())
    }
}

fn is_short(failing: Option<&Failing>) -> bool {
    failing.is_none_or(|failing| failing.for_how_long < defaults::FAILING_TOO_LONG)
}

/// Records that were left unhandled with `Outcome::Hold`. The checkpoint stands before the first of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldRecords {
    /// How many there are.
    pub records: u64,
    /// The first one's sequence number.
    pub sequence_number: String,
    /// Since the first one was held.
    pub for_how_long: Duration,
}

/// Records that are handled and not done: what is to be stored for them is not taken, and is tried again. The checkpoint stands before
/// the first of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnstoredRecords {
    /// How many there are.
    pub records: u64,
    /// Why the last of them was not stored.
    pub error: String,
}

/// Records that were given up on and whose dead letters are not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnstoredDeadLetters {
    /// How many there are.
    pub records: u64,
    /// Since there has been one all the time.
    pub for_how_long: Duration,
    /// Why the last try failed, if one did.
    pub error: Option<String>,
}

/// Calls that fail in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failing {
    /// Since the first of them.
    pub for_how_long: Duration,
    /// What the last of them said.
    pub error: String,
}

/// Whether a shard moves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Activity {
    /// Its `#[on_shard_start]` hook has not succeeded yet, and nothing of it has begun.
    Starting,
    /// It is read and handled.
    Reading,
    /// Its source reported nothing for a lease duration and was built anew. If it stays silent, the lease is given back.
    Silent,
    /// It is closed and read to its end; its last records are being handled, its `#[on_shard_end]` hook runs, or its children are
    /// being stored.
    Ending,
    /// It may not be read, for a reason that no retry heals. Under `on_fatal(mark)` it is tried again now and then.
    Refused,
    /// It stands before a record that needs a person. Its lease and its checkpoint are kept.
    Halted {
        /// The record's sequence number.
        sequence_number: String,
        /// Why it stands.
        reason: String,
    },
}
