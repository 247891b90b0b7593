//! Our own numbers: what holds when the application says nothing.

use core::time::Duration;

use crate::limits::{self, MIB};

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

/// A worker thread is woken whenever this share of the lease duration has passed, lest a blocked one keeps heartbeats from being sent.
pub const NUDGE_PERCENT: u32 = 10;

/// The owner's deadline: this share of the lease duration after its last confirmed write was sent.
pub const DEADLINE_PERCENT: u32 = 80;

/// Pause between two reads of the stream's row, whose bell tells that something changed.
pub const BELL: Duration = Duration::from_secs(1);

/// The longest pause between two scans of the lease table when no bell rang. While others hold leases it is a lease duration at most, so
/// that the shards of one that dies stand still for no more than two of them.
pub const TABLE_SCAN: Duration = Duration::from_secs(30);

/// Pause between two listings of a stream's shards; each shard end lists as well.
pub const LIST_SHARDS: Duration = Duration::from_secs(30);

/// Pause before a stream is judged again because another one has its name: one that is created again and again, or whose row is, keeps
/// nobody busy.
pub const JUDGED_AGAIN: Duration = Duration::from_secs(1);

/// On a hand-over, running handlers may finish for so long.
pub const HANDOVER: Duration = Duration::from_secs(10);

/// One attempt of a call to Kinesis.
pub const ATTEMPT_TIMEOUT_KINESIS: Duration = Duration::from_secs(10);

/// A write of a file of leases waits so long for the lock of other processes: heartbeats wait behind it.
pub const LEASE_FILE_LOCK: Duration = Duration::from_secs(2);

/// The pause between two tries to lock a file of leases.
pub const LEASE_FILE_PAUSE: Duration = Duration::from_millis(5);

/// One attempt of a call to DynamoDB; short, for heartbeats wait behind it.
pub const ATTEMPT_TIMEOUT_DYNAMODB: Duration = Duration::from_secs(2);

/// One attempt of a call to DynamoDB for a short lease: at most this share of its duration. A heartbeat that gets no
/// answer is tried a second time before the owner's deadline.
pub const ATTEMPT_PERCENT_DYNAMODB: u32 = 20;

/// One call of a lease store, several attempts of it included: one that never ends would hold up a stream for ever.
pub const STORE_CALL: Duration = Duration::from_secs(10);

/// One listing of a stream's lease rows, whose table may be shared and have many pages.
pub const STORE_LISTING: Duration = Duration::from_mins(1);

/// The first back-off after a failure; doubles, with full jitter.
pub const BACKOFF_FIRST: Duration = Duration::from_millis(200);

/// The longest back-off.
pub const BACKOFF_MAX: Duration = Duration::from_secs(30);

/// The first back-off after a refusal that no retry heals, under `on_fatal(mark)`; doubles, with full jitter.
pub const BACKOFF_REFUSED_FIRST: Duration = Duration::from_secs(10);

/// The longest back-off after such a refusal: a permission that is granted again is seen within this time.
pub const BACKOFF_REFUSED_MAX: Duration = Duration::from_mins(5);

/// So long a shard that one instance could not read is left to others. Longer than the back-off above, after which another one is tried: its
/// failure must find the first remembered.
pub const GIVEN_UP_FOR: Duration = Duration::from_mins(10);

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

/// The longest `max_wait`.
pub const MAX_WAIT_MOST: Duration = Duration::from_hours(1);

/// Bytes of records that a process holds read and unhandled.
pub const PREFETCH_BYTES: usize = 256 * MIB;

/// So many takes of one lease may go unanswered in a row before it is left to others for a while: one answer is lost by chance.
pub const DOUBTFUL_TRIES: u32 = 2;

/// For so many lease durations: others need two readings that are one of them apart, and read about once in that time.
pub const DOUBTFUL_LEASE_DURATIONS: u32 = 3;

/// The least that a record waits for its next attempt: a handler that asks for none and never waits would keep its shard's worker
/// from everything else, a stop included.
pub const RETRY_LEAST: Duration = Duration::from_millis(1);

/// The longest pause between two attempts at a record, and the longest attempt: the least that a stream keeps a record for.
pub const ATTEMPT_MOST: Duration = limits::RETENTION_LEAST;

/// Bytes of replies of one shard that are not stored yet; with more of them no record of it begins.
pub const REPLY_BYTES: usize = 8 * MIB;

/// Dead letters and replies of one shard that are under way to one stream for the first time, and again as many that were not stored: what
/// one request may hold.
pub const PARCELS_AT_A_TIME: usize = limits::PUT_RECORDS_RECORDS;

/// Bytes of a dead letter's cause: enough for an error with its causes, and no payload that one of them quotes.
pub const DEAD_LETTER_CAUSE: usize = 2048;

/// Bytes of the cause of a dead letter that would be too large otherwise.
pub const DEAD_LETTER_SHORT_CAUSE: usize = 128;

/// A wait is a place in a timer; one longer than any retention is as good as this.
pub const LONGEST_WAIT: Duration = limits::RETENTION_MOST;

/// A worker that never pauses publishes its checkpoint every so many settled records.
pub const CHECKPOINT_RECORDS: u32 = 4096;

/// A stream that is deleted and created again gives its shards the old names. It begins a generation, and rows that are created in a
/// generation count from above what any row of an older one can reach in so many bits: a write every three seconds for four centuries.
pub const COUNTER_BITS: u32 = 32;

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

/// A start gives a service that stumbles so many tries, and then says what it heard.
pub const START_TRIES: u32 = 4;

/// A start that is throttled, for many instances start at once and the service describes a stream 20 times a second, goes on trying for
/// so long.
pub const START_THROTTLED: Duration = Duration::from_mins(1);

/// `start(timestamp = ..)` may lie so far ahead of the service's clock: it came from a machine's, and means the service's now.
pub const START_AHEAD: Duration = Duration::from_mins(1);

/// A stream that is being created, by the application or by others, may take so long to become readable.
pub const STREAM_CREATION: Duration = Duration::from_mins(1);

/// A table of leases that is being created may take so long to become usable.
pub const TABLE_CREATION: Duration = Duration::from_mins(2);

/// Pause between two looks at a stream or a table that is being created.
pub const CREATION_POLL: Duration = Duration::from_secs(1);

/// A start waits so long for the shards of its first round to get their iterators.
pub const READY_WITHIN: Duration = Duration::from_mins(1);

/// When one stream fails the start, others that are about to fail as well may say so within this time.
pub const LAST_WORDS: Duration = Duration::from_secs(1);

/// Leases of one stream that are looked at, or taken, at the same time: a start with a thousand shards takes seconds, and
/// the store is not flooded.
pub const STORE_CALLS_AT_A_TIME: usize = 16;

/// After so many failed rounds in a row nobody knows any more who holds a stream's leases.
pub const FAILED_ROUNDS_BEFORE_STALE: u32 = 5;

/// Pause between two tries of one write to a lease row. Short and without growth: the deadline bounds the tries, and a
/// heartbeat has little time.
pub const LEASE_RETRY: Duration = Duration::from_millis(200);

/// A listing may lag behind the closing of a shard for moments; children that it does not show after so many looks are not
/// there.
pub const CHILD_LOOKS: u32 = 6;

/// What fails for so long is not in good health.
pub const FAILING_TOO_LONG: Duration = Duration::from_mins(1);

/// So many failed reads in a row are worth a warning; a throttle now and then is how a shared shard feels.
pub const MANY_FAILURES: u32 = 5;

/// Until a shard has shown its own records, they are taken to be of this size: rather large, for what does not fit is read
/// twice.
pub const UNKNOWN_RECORD_BYTES: usize = 16 * 1024;

/// A seek gives a service or a store that stumbles so many tries, and then says what it heard.
pub const SEEK_TRIES: u32 = 4;

/// One try to store a seek's position, a look at what stands included.
pub const SEEK_WRITE: Duration = Duration::from_secs(4);

/// Iterators that a seek fetches at the same time.
pub const ITERATORS_AT_A_TIME: usize = 16;

/// So often a listing is begun before its expiry is a failure.
pub const LISTINGS: u32 = 3;

/// A record that is published waits at most so long for others to share its request; a full request does not wait.
pub const PUBLISH_LINGER: Duration = Duration::from_millis(5);

/// `PutRecords` requests of one stream that are under way at the same time.
pub const PUBLISH_REQUESTS: usize = 8;

/// Bytes of records of one stream that are published and not answered yet; more wait for room.
pub const PUBLISH_BYTES: usize = 32 * MIB;

/// What a record that waits for its answer takes of [`PUBLISH_BYTES`] beside its own bytes: its places in the queue and with its caller.
pub const PUBLISH_BYTES_BESIDE: usize = 512;

/// A record that the service throttles or fails is sent again for so long, from when it was sent first.
pub const PUBLISH_PATIENCE: Duration = Duration::from_mins(1);

/// The largest record that a stream takes is asked for again after so long, when one is larger: the limit may have been raised.
pub const RECORD_LIMIT_AGE: Duration = Duration::from_mins(1);

/// A test waits so long for its records to settle, and for a record that it expects.
pub const TEST_PATIENCE: Duration = Duration::from_mins(1);

/// A test that waits looks so often whether its application still runs, and for a record that it expects.
pub const TEST_LOOK: Duration = Duration::from_millis(100);

/// So many unsettled records are shown when a test fails for them.
pub const TEST_SHOWN: usize = 10;
