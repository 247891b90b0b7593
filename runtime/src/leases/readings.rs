//! The readings of one tenure: which one counts, what the row's next write says of it, and where the next one is to begin.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use futures_util::task::AtomicWaker;

use super::{
    row::{Checkpoint, Progress},
    stream_row::StoredStart,
};
use crate::{
    planted::{Bug, planted},
    record::text::SharedText,
};

/// A settlement dies with the reading that its record was read in: checkpoints grow within one, and a seek begins another.
#[derive(Debug)]
pub(crate) struct Readings {
    /// The number of the one that counts.
    current: AtomicU64,
    /// The generation that it is read in.
    generation: AtomicU64,
    pending: Mutex<Pending>,
    turn: Mutex<Option<Turn>>,
    /// Asked at every turn of the worker's loop, which then needs no lock.
    is_told: AtomicBool,
    worker: AtomicWaker,
}

/// What the next write says of the shard's progress.
#[derive(Debug, Default)]
struct Pending {
    /// The row is of an older generation: its checkpoint goes, also before there is another.
    adopts: bool,
    reached: Option<SharedText>,
}

/// What a reader is told while it reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The stream is in another generation, and everything that comes before the shard in it is done with.
    Adopt {
        generation: u64,
        begins_at: StoredStart,
    },
    /// The stream is in another generation, and something else comes first in it.
    GiveBack,
    /// The row stands before a record, from which on this reading is to deliver.
    Rewound {
        reading: u64,
        sequence: String,
        /// At that record.
        iterator: String,
    },
    /// Somebody else gets the lease.
    HandOver,
}

impl Readings {
    /// The first one, of a row that is read in a generation.
    pub(super) fn begin(generation: u64, row_generation: u64) -> Self {
        Self {
            current: AtomicU64::new(0),
            generation: AtomicU64::new(generation),
            pending: Mutex::new(Pending {
                adopts: row_generation < generation,
                reached: None,
            }),
            turn: Mutex::new(None),
            is_told: AtomicBool::new(false),
            worker: AtomicWaker::new(),
        }
    }

    pub(crate) fn current(&self) -> u64 {
        self.current.load(Ordering::Acquire)
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Begins another one, in a later generation. What the last one has not written yet is written no more.
    pub(crate) fn adopt(&self, generation: u64) -> u64 {
        let mut pending = self.pending();
        let kept = pending.reached.take();
        *pending = Pending {
            adopts: true,
            reached: kept.filter(|_| planted(Bug::SeekWithoutGeneration)),
        };
        self.generation.store(generation, Ordering::Release);
        self.current.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Begins another one at a record, in the same generation. From here on nothing of the last one is written, and nothing of it begins.
    pub(super) fn rewind(&self, sequence: &str) -> (u64, Progress) {
        let mut pending = self.pending();
        *pending = Pending::default();
        let progress = Progress {
            generation: self.generation(),
            checkpoint: Some(Checkpoint::At(sequence.into())),
        };
        (self.current.fetch_add(1, Ordering::AcqRel) + 1, progress)
    }

    /// Hands the writer a checkpoint, which rides on its next write. Nothing is allocated: it happens at every pause of the lanes.
    pub(crate) fn publish(&self, reading: u64, sequence: SharedText) {
        let mut pending = self.pending();
        if reading == self.current() {
            pending.reached = Some(sequence);
        }
    }

    /// The checkpoint and its generation are written together or not at all.
    pub(crate) fn take_pending(&self) -> Option<Progress> {
        let mut pending = self.pending();
        let Pending { adopts, reached } = std::mem::take(&mut *pending);
        if reached.is_none() && !adopts {
            return None;
        }
        Some(Progress {
            generation: self.generation(),
            checkpoint: reached.map(|sequence| Checkpoint::After(sequence.to_string())),
        })
    }

    fn is_stale(&self, turn: &Turn) -> bool {
        matches!(turn, Turn::Adopt { generation, .. } if *generation <= self.generation())
    }

    /// Tells the worker. Only the last word counts; a place in this generation counts less than another generation and than a successor, who
    /// finds it in the row.
    pub(crate) fn tell(&self, turn: Turn) {
        let mut told = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let is_void = match (&turn, &*told) {
            // A word that was said while the worker followed the one before it.
            (Turn::Adopt { .. }, _) if self.is_stale(&turn) => true,
            (Turn::Rewound { .. }, None | Some(Turn::Rewound { .. })) => false,
            (Turn::Rewound { .. }, Some(told)) => !self.is_stale(told),
            _ => false,
        };
        if is_void {
            return;
        }
        *told = Some(turn);
        drop(told);
        self.is_told.store(true, Ordering::Release);
        self.worker.wake();
    }

    /// For the worker alone.
    pub(crate) fn poll_told(&self, cx: &mut Context<'_>) -> Poll<Turn> {
        self.worker.register(cx.waker());
        if !self.is_told.load(Ordering::Acquire) {
            return Poll::Pending;
        }
        self.is_told.store(false, Ordering::Release);
        let turn = self
            .turn
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        turn.map_or(Poll::Pending, Poll::Ready)
    }

    /// A word of this kind, which is not taken from the worker that hears it later.
    pub(crate) fn poll_word(
        &self,
        cx: &mut Context<'_>,
        is_meant: impl Fn(&Turn) -> bool,
    ) -> Poll<Turn> {
        self.worker.register(cx.waker());
        let told = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        match &*told {
            Some(turn) if is_meant(turn) => Poll::Ready(turn.clone()),
            _ => Poll::Pending,
        }
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(generation: u64, after: Option<&str>) -> Progress {
        Progress {
            generation,
            checkpoint: after.map(|sequence| Checkpoint::After(sequence.into())),
        }
    }

    #[test]
    fn an_adoption_is_written_without_a_checkpoint_and_then_with_those_of_its_reading_alone() {
        let readings = Readings::begin(0, 0);
        assert_eq!(readings.take_pending(), None, "nothing changed");
        readings.publish(0, "7".into());
        let reading = readings.adopt(1);
        assert_eq!(readings.take_pending(), Some(progress(1, None)));
        readings.publish(0, "8".into());
        assert_eq!(
            readings.take_pending(),
            None,
            "a settlement dies with its reading"
        );
        readings.publish(reading, "3".into());
        assert_eq!(readings.take_pending(), Some(progress(1, Some("3"))));
    }

    #[test]
    fn a_checkpoint_takes_the_place_of_an_adoption_that_is_not_written_yet() {
        let readings = Readings::begin(1, 0);
        readings.publish(0, "7".into());
        assert_eq!(readings.take_pending(), Some(progress(1, Some("7"))));
        assert_eq!(readings.take_pending(), None);
    }

    #[test]
    fn a_rewind_is_written_at_its_record_and_ends_what_was_read_before() {
        let readings = Readings::begin(1, 0);
        readings.publish(0, "7".into());
        let (reading, rewound) = readings.rewind("3");
        assert_eq!(
            (rewound.generation, rewound.checkpoint),
            (1, Some(Checkpoint::At("3".into())))
        );
        readings.publish(0, "8".into());
        assert_eq!(
            readings.take_pending(),
            None,
            "not even the adoption: it is written with the record"
        );
        readings.publish(reading, "3".into());
        assert_eq!(readings.take_pending(), Some(progress(1, Some("3"))));
    }

    #[test]
    fn a_word_of_a_generation_that_is_read_already_is_none_and_voids_no_place_in_it() {
        let adopt = Turn::Adopt {
            generation: 1,
            begins_at: StoredStart::TrimHorizon,
        };
        let rewound = Turn::Rewound {
            reading: 2,
            sequence: "3".into(),
            iterator: "i".into(),
        };
        let readings = Readings::begin(0, 0);
        readings.adopt(1);
        readings.tell(adopt.clone());
        assert!(!readings.is_told.load(Ordering::Acquire));
        // Said before the worker had followed the first one.
        let readings = Readings::begin(0, 0);
        readings.tell(adopt);
        readings.adopt(1);
        readings.tell(rewound.clone());
        let told = readings.turn.lock().unwrap().clone();
        assert_eq!(told, Some(rewound));
    }

    #[test]
    fn a_place_in_one_generation_is_void_when_another_generation_is_told_of() {
        let readings = Readings::begin(0, 0);
        readings.tell(Turn::GiveBack);
        readings.tell(Turn::Rewound {
            reading: 1,
            sequence: "3".into(),
            iterator: "i".into(),
        });
        let mut cx = Context::from_waker(std::task::Waker::noop());
        assert_eq!(readings.poll_told(&mut cx), Poll::Ready(Turn::GiveBack));
    }

    #[test]
    fn only_the_last_word_counts_and_it_is_heard_once() {
        let readings = Readings::begin(0, 0);
        let adopt = |generation| Turn::Adopt {
            generation,
            begins_at: StoredStart::TrimHorizon,
        };
        let mut cx = Context::from_waker(std::task::Waker::noop());
        assert!(readings.poll_told(&mut cx).is_pending());
        readings.tell(adopt(1));
        readings.tell(adopt(2));
        assert_eq!(readings.poll_told(&mut cx), Poll::Ready(adopt(2)));
        assert!(readings.poll_told(&mut cx).is_pending());
    }
}
