//! What each shard is doing, as a value.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::{
    observer::{Observer, RecordCounts},
    refusals::Refusals,
    watch::{ShardWatch, Watch},
};
use crate::{
    leases::row::{Checkpoint, LeaseRow},
    source::budget::PrefetchLoad,
};

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

/// The board that readers write on and [`Running::health`](crate::Running::health) copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Board {
    lines: Arc<Mutex<BTreeMap<ShardName, Arc<Mutex<State>>>>>,
    pub(crate) refusals: Refusals,
    pub(crate) watch: Watch,
    #[cfg(feature = "testing")]
    witness: Option<Arc<crate::testing::Witness>>,
    vanished: Arc<Mutex<BTreeMap<ShardName, Option<Checkpoint>>>>,
}

#[derive(Debug)]
struct State {
    shown: ShardHealth,
    failing_since: Option<Instant>,
    held_since: Option<Instant>,
    letters_since: Option<Instant>,
}

impl Board {
    pub(crate) fn snapshot(&self, prefetch: PrefetchLoad) -> Health {
        let now = Instant::now();
        let lines = locked(&self.lines);
        let shards = lines.iter().map(|(name, state)| {
            let state = locked(state);
            let mut shown = state.shown.clone();
            if let (Some(failing), Some(since)) = (&mut shown.failing, state.failing_since) {
                failing.for_how_long = now.saturating_duration_since(since);
            }
            if let (Some(held), Some(since)) = (&mut shown.held, state.held_since) {
                held.for_how_long = now.saturating_duration_since(since);
            }
            if let (Some(letters), Some(since)) =
                (&mut shown.unstored_dead_letters, state.letters_since)
            {
                letters.for_how_long = now.saturating_duration_since(since);
            }
            (name.clone(), shown)
        });
        let mut health = Health {
            streams: BTreeMap::new(),
            shards: shards.collect(),
            prefetch,
            vanished: locked(&self.vanished).clone(),
        };
        self.refusals.show(&mut health, now);
        health
    }

    /// A shard's row was closed, for the shard is gone.
    pub(crate) fn vanished(&self, stream: &'static str, row: &LeaseRow) {
        let name = ShardName {
            stream,
            shard_id: row.shard_id.clone(),
        };
        self.watch
            .tell(|observer| observer.vanished(&name, row.checkpoint.as_ref()));
        locked(&self.vanished).insert(name, row.checkpoint.clone());
    }

    /// Where what concerns one shard is told.
    pub(crate) fn shard(&self, stream: &'static str, shard_id: &str) -> ShardWatch {
        self.watch.shard(ShardName {
            stream,
            shard_id: shard_id.to_owned(),
        })
    }

    /// A test may watch what befalls each record.
    #[cfg(feature = "testing")]
    pub(crate) fn watched(self, witness: Option<Arc<crate::testing::Witness>>) -> Self {
        Self { witness, ..self }
    }

    /// A stream is repositioned: a test may watch.
    #[cfg(feature = "testing")]
    pub(crate) fn sought(
        &self,
        stream: &'static str,
        to: crate::spec::Start,
        stored: crate::StoredStart,
    ) {
        if let Some(witness) = &self.witness {
            witness.sought(stream, to, stored);
        }
    }

    /// A line for one shard, gone when it is dropped.
    pub(crate) fn line(&self, stream: &'static str, shard_id: &str) -> Arc<Line> {
        let watch = self.shard(stream, shard_id);
        let state = Arc::new(Mutex::new(State {
            shown: ShardHealth::begun(),
            failing_since: None,
            held_since: None,
            letters_since: None,
        }));
        locked(&self.lines).insert(watch.shard.clone(), Arc::clone(&state));
        Arc::new(Line {
            board: self.clone(),
            watch,
            state,
        })
    }
}

/// One shard's line. Its lock is its own, so that writing it waits for no other shard.
#[derive(Debug)]
pub(crate) struct Line {
    board: Board,
    watch: ShardWatch,
    state: Arc<Mutex<State>>,
}

impl Line {
    pub(crate) fn write(&self, change: impl FnOnce(&mut ShardHealth)) {
        change(&mut locked(&self.state).shown);
    }

    /// Records ended, or were taken in, since the last time.
    pub(crate) fn counted(&self, counts: &RecordCounts) {
        self.write(|health| {
            health.skipped += counts.skipped;
            health.dead_lettered += counts.dead_lettered;
            health.failed_attempts += counts.failed_attempts;
            health.timeouts += counts.timeouts;
        });
        self.tell(|observer, shard| observer.records(shard, counts));
    }

    /// An observer may want to know.
    pub(crate) fn tell(&self, event: impl FnOnce(&dyn Observer, &ShardName)) {
        self.watch.tell(event);
    }

    pub(crate) fn watch(&self) -> &ShardWatch {
        &self.watch
    }

    /// The shard is read from here on: a test may watch.
    #[cfg(feature = "testing")]
    pub(crate) fn reads_from(&self, from: &crate::source::kinesis::Anchor) {
        if let Some(witness) = &self.board.witness {
            witness.reads_from(&self.watch.shard, from);
        }
    }

    /// An attempt at a record begins: a test may watch.
    #[cfg(feature = "testing")]
    pub(crate) fn begun(&self, sequence: &str, attempt: std::num::NonZeroU32) {
        if let Some(witness) = &self.board.witness {
            witness.begun(&self.watch.shard, sequence, attempt);
        }
    }

    /// An attempt at a record has ended: a test may watch.
    #[cfg(feature = "testing")]
    pub(crate) fn ended(
        &self,
        sequence: &str,
        attempt: std::num::NonZeroU32,
        step: &crate::dispatch::policy::Step,
    ) {
        if let Some(witness) = &self.board.witness {
            witness.ended(&self.watch.shard, sequence, attempt, step);
        }
    }

    /// A dead letter is stored: a test may watch.
    #[cfg(feature = "testing")]
    pub(crate) fn dead_lettered(&self, sequence: &str) {
        if let Some(witness) = &self.board.witness {
            witness.dead_lettered(&self.watch.shard, sequence);
        }
    }

    /// A dead letter is not stored: a test may watch.
    #[cfg(feature = "testing")]
    pub(crate) fn letter_waits(&self, sequence: &str, error: &str) {
        if let Some(witness) = &self.board.witness {
            witness.letter_waits(&self.watch.shard, sequence, error);
        }
    }

    /// The shard halts before a record whose dead letter can never be stored: a test may watch.
    #[cfg(feature = "testing")]
    pub(crate) fn halted(&self, sequence: &str, reason: &str) {
        if let Some(witness) = &self.board.witness {
            witness.halted(&self.watch.shard, sequence, reason);
        }
    }

    /// So many dead letters are not stored; the last try may have failed.
    pub(crate) fn letters(&self, records: u64, error: Option<&str>) {
        let mut state = locked(&self.state);
        if records == 0 {
            state.letters_since = None;
            state.shown.unstored_dead_letters = None;
            return;
        }
        state.letters_since.get_or_insert_with(Instant::now);
        let letters = state
            .shown
            .unstored_dead_letters
            .get_or_insert(UnstoredDeadLetters {
                records,
                for_how_long: Duration::ZERO,
                error: None,
            });
        letters.records = records;
        if let Some(error) = error {
            letters.error = Some(error.to_owned());
        }
    }

    /// So many records are held, the first of them since then.
    pub(crate) fn held(&self, records: u64, first: &str, since: Instant) {
        let mut state = locked(&self.state);
        state.held_since = Some(since);
        state.shown.held = Some(HeldRecords {
            records,
            sequence_number: first.to_owned(),
            for_how_long: Duration::ZERO,
        });
    }

    /// A read failed, or a shard hook.
    pub(crate) fn failed(&self, error: &impl ToString) {
        let mut state = locked(&self.state);
        state.failing_since.get_or_insert_with(Instant::now);
        state.shown.failing = Some(Failing {
            for_how_long: Duration::ZERO,
            error: error.to_string(),
        });
    }

    /// What failed succeeds.
    pub(crate) fn recovered(&self) {
        let mut state = locked(&self.state);
        state.failing_since = None;
        state.shown.failing = None;
    }

    /// A read was answered.
    pub(crate) fn answered(&self) {
        self.recovered();
        self.board.refusals.shard_answered(&self.watch.shard);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let mut lines = locked(&self.board.lines);
        // The next tenure of the shard may have begun its own line.
        if lines
            .get(&self.watch.shard)
            .is_some_and(|state| Arc::ptr_eq(state, &self.state))
        {
            lines.remove(&self.watch.shard);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
