//! Where readers write how their shards are.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::{
    health::{Failing, Health, HeldRecords, ShardHealth, ShardName, UnstoredDeadLetters},
    observer::{Observer, RecordCounts},
    refusals::Refusals,
    watch::{ShardWatch, Watch},
};
use crate::{
    leases::row::{Checkpoint, LeaseRow},
    source::budget::PrefetchLoad,
};

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
