//! What befalls each record, in the words of the desks that handle it: the one thing that a test must know and health does not keep.

use std::{
    collections::BTreeMap,
    fmt,
    num::NonZeroU32,
    sync::{Mutex, MutexGuard, PoisonError},
};

use kinesis_app_emulator::{EmulatorClock, StoredRecord};
use tokio::sync::{Notify, futures::Notified};

use super::due::{self, Tip};
use crate::{
    StoredStart, dispatch::policy::Step, source::kinesis::Anchor, spec::Start,
    telemetry::health::ShardName,
};

/// Told by every instance of one application, over all of its starts.
#[derive(Debug)]
pub(crate) struct Witness {
    clock: EmulatorClock,
    book: Mutex<BTreeMap<&'static str, StreamBook>>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct StreamBook {
    tally: Tally,
    tip: Option<Tip>,
    shards: BTreeMap<String, ShardBook>,
}

/// How often what happened to records of one stream: a record that is delivered twice counts twice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) done: u64,
    pub(super) retried: u64,
    pub(super) skipped: u64,
    pub(super) held: u64,
    pub(super) dead_lettered: u64,
    pub(super) halted: u64,
    pub(super) last_error: Option<String>,
}

/// One shard in its last reading.
#[derive(Debug)]
struct ShardBook {
    from: Anchor,
    fates: BTreeMap<String, Fate>,
}

impl Default for ShardBook {
    fn default() -> Self {
        Self {
            from: Anchor::Horizon,
            fates: BTreeMap::new(),
        }
    }
}

/// How far a record has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    Runs {
        attempt: NonZeroU32,
    },
    Failed {
        attempt: NonZeroU32,
        why: String,
    },
    /// It is handled, and its replies are not stored yet; why not, if that was tried.
    Replied {
        failed: Option<String>,
    },
    /// It was given up on, and its dead letter is not stored.
    GivenUp {
        cause: String,
        error: Option<String>,
    },
    Held,
    Halted {
        reason: String,
    },
    Settled,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runs { attempt } => write!(f, "attempt {attempt} has not ended"),
            Self::Failed { attempt, why } => write!(f, "attempt {attempt} failed: {why}"),
            Self::Replied { failed: None } => {
                f.write_str("handled; its replies are not stored yet")
            }
            Self::Replied { failed: Some(why) } => {
                write!(f, "handled; its replies cannot be stored: {why}")
            }
            Self::GivenUp { cause, error: None } => {
                write!(f, "waits to store a dead letter: {cause}")
            }
            Self::GivenUp {
                cause,
                error: Some(error),
            } => write!(f, "waits to store a dead letter ({error}): {cause}"),
            Self::Held => f.write_str("held by its handler"),
            Self::Halted { reason } => write!(f, "its shard halted before it: {reason}"),
            Self::Settled => f.write_str("settled"),
        }
    }
}

/// A record that is to be handled and has not settled. Without a fate it has not begun.
#[derive(Debug, Clone)]
pub(super) struct Unsettled {
    pub(super) record: StoredRecord,
    pub(super) fate: Option<Fate>,
}

impl Witness {
    pub(super) fn new(clock: EmulatorClock) -> Self {
        Self {
            clock,
            book: Mutex::default(),
            changed: Notify::new(),
        }
    }

    pub(crate) fn begun(&self, shard: &ShardName, sequence: &str, attempt: NonZeroU32) {
        let mut book = self.locked();
        let stream = book.entry(shard.stream).or_default();
        stream.note(shard, sequence, Fate::Runs { attempt });
    }

    pub(crate) fn ended(
        &self,
        shard: &ShardName,
        sequence: &str,
        attempt: NonZeroU32,
        step: &Step,
    ) {
        let mut book = self.locked();
        let stream = book.entry(shard.stream).or_default();
        let fate = stream.tally.count(attempt, step);
        stream.note(shard, sequence, fate);
        self.changed.notify_waiters();
    }

    pub(crate) fn dead_lettered(&self, shard: &ShardName, sequence: &str) {
        let mut book = self.locked();
        let stream = book.entry(shard.stream).or_default();
        stream.tally.dead_lettered += 1;
        stream.note(shard, sequence, Fate::Settled);
        self.changed.notify_waiters();
    }

    pub(crate) fn letter_waits(&self, shard: &ShardName, sequence: &str, why: &str) {
        let mut book = self.locked();
        let shard = book
            .get_mut(shard.stream)
            .and_then(|stream| stream.shards.get_mut(&shard.shard_id));
        if let Some(Fate::GivenUp { error, .. }) =
            shard.and_then(|shard| shard.fates.get_mut(sequence))
        {
            *error = Some(why.to_owned());
        }
    }

    pub(crate) fn halted(&self, shard: &ShardName, sequence: &str, reason: &str) {
        let mut book = self.locked();
        let stream = book.entry(shard.stream).or_default();
        let fate = stream.tally.halt(reason.to_owned());
        stream.note(shard, sequence, fate);
        self.changed.notify_waiters();
    }

    /// A shard is read from here: what lies behind is to be handled, once more if need be, and what lies before is not.
    pub(crate) fn reads_from(&self, shard: &ShardName, from: &Anchor) {
        let mut book = self.locked();
        let stream = book.entry(shard.stream).or_default();
        let book = ShardBook {
            from: from.clone(),
            fates: BTreeMap::new(),
        };
        stream.shards.insert(shard.shard_id.clone(), book);
        self.changed.notify_waiters();
    }

    /// What happened to a shard's records is as if it had not, wherever it is read from.
    pub(super) fn forget(&self, shard: &ShardName) {
        let mut book = self.locked();
        let stream = book.entry(shard.stream).or_default();
        if let Some(shard) = stream.shards.get_mut(&shard.shard_id) {
            shard.fates.clear();
        }
    }

    /// A stream is repositioned: known before its readers follow. The tip is told, for what is stored of it is a time before.
    pub(crate) fn sought(&self, stream: &'static str, to: Start, stored: StoredStart) {
        let now = self.clock.now();
        let mut book = self.locked();
        let stream = book.entry(stream).or_default();
        stream.tip = (to == Start::Latest).then_some(Tip(now));
        for shard in stream.shards.values_mut() {
            *shard = ShardBook {
                from: stored.into(),
                fates: BTreeMap::new(),
            };
        }
    }

    pub(super) fn tally(&self, stream: &str) -> Tally {
        let book = self.locked();
        book.get(stream)
            .map(|stream| stream.tally.clone())
            .unwrap_or_default()
    }

    /// Those of a shard's records that are to be handled and have not settled, and how many are to be handled.
    pub(super) fn unsettled(
        &self,
        shard: &ShardName,
        records: Vec<StoredRecord>,
    ) -> (Vec<Unsettled>, usize) {
        let book = self.locked();
        let stream = book.get(shard.stream);
        let tip = stream.and_then(|stream| stream.tip);
        let shard = stream.and_then(|stream| stream.shards.get(&shard.shard_id));
        let first = shard.map_or(0, |shard| due::first(&shard.from, tip, &records));
        let due = records.len() - first;
        let unsettled = records.into_iter().skip(first).filter_map(|record| {
            let fate = shard.and_then(|shard| shard.fates.get(&record.sequence_number));
            (fate != Some(&Fate::Settled)).then(|| Unsettled {
                fate: fate.cloned(),
                record,
            })
        });
        (unsettled.collect(), due)
    }

    /// How often a record was held or a shard halted, and whether this record has settled.
    pub(super) fn glance(&self, record: Option<(&ShardName, &str)>) -> (u64, bool) {
        let book = self.locked();
        let stuck = book
            .values()
            .map(|stream| stream.tally.held + stream.tally.halted);
        let settled = record.is_some_and(|(shard, sequence)| {
            let stream = book.get(shard.stream);
            let shard = stream.and_then(|stream| stream.shards.get(&shard.shard_id));
            shard.and_then(|shard| shard.fates.get(sequence)) == Some(&Fate::Settled)
        });
        (stuck.sum(), settled)
    }

    /// Ends when something else is known than at the time of the call.
    pub(super) fn changed(&self) -> Notified<'_> {
        self.changed.notified()
    }

    fn locked(&self) -> MutexGuard<'_, BTreeMap<&'static str, StreamBook>> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StreamBook {
    fn note(&mut self, shard: &ShardName, sequence: &str, fate: Fate) {
        let shard = self.shards.entry(shard.shard_id.clone()).or_default();
        shard.fates.insert(sequence.to_owned(), fate);
    }
}

impl Tally {
    fn count(&mut self, attempt: NonZeroU32, step: &Step) -> Fate {
        match step {
            Step::Done => {
                self.done += 1;
                Fate::Settled
            }
            Step::Skip(_) => {
                self.skipped += 1;
                Fate::Settled
            }
            Step::Hold => {
                self.held += 1;
                Fate::Held
            }
            Step::Halt(reason) => self.halt(reason.clone()),
            Step::Store(_) => Fate::Replied { failed: None },
            Step::StoreAgain(_, error) => {
                let why = error.to_string();
                self.last_error = Some(why.clone());
                Fate::Replied { failed: Some(why) }
            }
            Step::DeadLetter(_, cause) => {
                let cause = cause.to_string();
                self.last_error = Some(cause.clone());
                Fate::GivenUp { cause, error: None }
            }
            Step::Again { cause, .. } => {
                let why = cause.to_string();
                self.retried += 1;
                self.last_error = Some(why.clone());
                Fate::Failed { attempt, why }
            }
        }
    }

    fn halt(&mut self, reason: String) -> Fate {
        self.halted += 1;
        self.last_error = Some(reason.clone());
        Fate::Halted { reason }
    }
}
