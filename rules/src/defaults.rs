//! Our own numbers: what holds when the application says nothing.

use core::time::Duration;

use crate::limits::MIB;

/// A lease is dead to others when its row stood still for so long.
pub const LEASE_DURATION: Duration = Duration::from_secs(10);

/// The shortest lease duration that leaves room for a heartbeat, a retry and a deadline.
pub const LEASE_DURATION_LEAST: Duration = Duration::from_secs(3);

/// The longest lease duration: the shards of an instance that dies stand still for so long.
pub const LEASE_DURATION_MOST: Duration = Duration::from_hours(1);

/// Pause between two writes of the owner to its lease row; a checkpoint rides on it.
pub const HEARTBEAT: Duration = Duration::from_secs(3);

/// The heartbeat of a short lease: at most this share of its duration.
pub const HEARTBEAT_PERCENT: u32 = 30;

/// The owner's deadline: this share of the lease duration after its last confirmed write was sent.
pub const DEADLINE_PERCENT: u32 = 80;

/// Pause between two reads of the stream's row, whose bell tells that something changed.
pub const BELL: Duration = Duration::from_secs(1);

/// Pause between two scans of the lease table when no bell rang.
pub const TABLE_SCAN: Duration = Duration::from_secs(30);

/// Pause between two listings of a stream's shards; each shard end lists as well.
pub const LIST_SHARDS: Duration = Duration::from_secs(30);

/// On a hand-over, running handlers may finish for so long.
pub const HANDOVER: Duration = Duration::from_secs(10);

/// One attempt of a call to Kinesis.
pub const ATTEMPT_TIMEOUT_KINESIS: Duration = Duration::from_secs(10);

/// One attempt of a call to DynamoDB; short, for heartbeats wait behind it.
pub const ATTEMPT_TIMEOUT_DYNAMODB: Duration = Duration::from_secs(2);

/// One attempt of a call to DynamoDB for a short lease: at most this share of its duration. A heartbeat that gets no
/// answer is tried a second time before the owner's deadline.
pub const ATTEMPT_PERCENT_DYNAMODB: u32 = 20;

/// The first back-off after a failure; doubles, with full jitter.
pub const BACKOFF_FIRST: Duration = Duration::from_millis(200);

/// The longest back-off.
pub const BACKOFF_MAX: Duration = Duration::from_secs(30);

/// The first back-off after a refusal that no retry heals, under `on_fatal(mark)`; doubles, with full jitter.
pub const BACKOFF_REFUSED_FIRST: Duration = Duration::from_secs(10);

/// The longest back-off after such a refusal: a permission that is granted again is seen within this time.
pub const BACKOFF_REFUSED_MAX: Duration = Duration::from_mins(5);

/// Pause between two reads of one shard that is read to its tip.
pub const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Pause between two reads of one shard that is behind its tip: the service's 5 reads a second, less what the clocks of two
/// machines may differ by within one second.
pub const CATCH_UP_INTERVAL: Duration = Duration::from_millis(210);

/// The longest `poll_interval`: an iterator must not expire between two polls, see
/// [`ITERATOR_LIFETIME`](crate::limits::ITERATOR_LIFETIME).
pub const POLL_INTERVAL_MOST: Duration = Duration::from_mins(4);

/// Most records that a batch handler is given.
pub const MAX_RECORDS: u32 = 500;

/// A batch handler waits so long for its batch to fill.
pub const MAX_WAIT: Duration = Duration::ZERO;

/// Bytes of records that a process holds read and unhandled.
pub const PREFETCH_BYTES: usize = 256 * MIB;

/// What every shard may read, however full the prefetch is.
pub const PREFETCH_SHARE_LEAST: usize = MIB;

/// A shard that began nothing for so long gives its unread pages back.
pub const PREFETCH_IDLE: Duration = Duration::from_secs(5);

/// Records past the first unsettled one of a shard; a full window pauses reading.
pub const WINDOW_RECORDS: u32 = 100_000;

/// Records of one shard that are handled at the same time.
pub const CONCURRENCY: u32 = 1;

/// On shutdown, running handlers may finish for so long.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest `shutdown_timeout`: a stop is bounded.
pub const SHUTDOWN_TIMEOUT_MOST: Duration = Duration::from_hours(1);

/// `start(latest)` is stored as the service's time less this margin, so that nothing is skipped between the clock and
/// the first iterator.
pub const LATEST_MARGIN: Duration = Duration::from_secs(5);
