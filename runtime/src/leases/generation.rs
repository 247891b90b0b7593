//! Which generation of its stream an instance knows, and where shards begin in it.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use super::stream_row::{StoredStart, StreamRow};
use crate::planted::{Bug, planted};

/// The stream's row as this instance read it last. A seek moves it, here or elsewhere; rows are read in the generation that is known here,
/// and nothing of another one begins.
#[derive(Debug)]
pub(crate) struct Known {
    state: Mutex<State>,
    /// Asked for every record that begins.
    generation: AtomicU64,
}

#[derive(Debug)]
struct State {
    row: StreamRow,
    /// What shards without a checkpoint in its generation begin with, once, by their ids: a seek of this instance fetched them.
    iterators: BTreeMap<String, String>,
}

impl Known {
    pub(crate) fn new(row: StreamRow) -> Self {
        Self {
            generation: AtomicU64::new(row.generation),
            state: Mutex::new(State {
                row,
                iterators: BTreeMap::new(),
            }),
        }
    }

    pub(crate) fn row(&self) -> StreamRow {
        self.locked().row.clone()
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Where a shard begins that has no checkpoint in the generation.
    pub(crate) fn begins_at(&self) -> StoredStart {
        self.locked().row.begins_at()
    }

    /// Takes in a reading of the row. Whether its generation is a later one; an earlier one is an answer that came late.
    pub(crate) fn learn(&self, row: StreamRow) -> bool {
        let mut known = self.locked();
        let later = row.generation > known.row.generation;
        if later {
            known.iterators.clear();
        }
        if row.generation >= known.row.generation && !planted(Bug::LatestPerInstance) {
            self.generation.store(row.generation, Ordering::Release);
            known.row = row;
        }
        later
    }

    /// Takes in the row as a seek of this instance left it, unless it is known to have moved on since.
    pub(crate) fn learn_sought(&self, row: StreamRow, iterators: BTreeMap<String, String>) {
        let generation = row.generation;
        self.learn(row);
        let mut known = self.locked();
        if known.row.generation == generation {
            known.iterators = iterators;
        }
    }

    /// The iterator that a shard without a checkpoint in the generation begins with, if there is one. It may have expired.
    pub(crate) fn take_iterator(&self, generation: u64, shard_id: &str) -> Option<String> {
        let mut known = self.locked();
        if known.row.generation != generation {
            return None;
        }
        known.iterators.remove(shard_id)
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_is_learned_once_and_never_unlearned() {
        let row = |generation, millis| StreamRow {
            key: "billing:orders".into(),
            created_millis: 1,
            start: StoredStart::TrimHorizon,
            generation,
            position: Some(StoredStart::At { millis }),
            bell: 0,
        };
        let known = Known::new(row(1, 10));
        assert!(!known.learn(row(1, 10)));
        assert!(known.learn(row(2, 20)));
        assert!(!known.learn(row(1, 10)), "an answer that came late");
        assert_eq!(
            (known.generation(), known.begins_at()),
            (2, StoredStart::At { millis: 20 })
        );
    }
    #[test]
    fn iterators_of_a_seek_are_for_its_generation_and_each_is_taken_once() {
        let row = |generation| StreamRow {
            key: "billing:orders".into(),
            created_millis: 1,
            start: StoredStart::TrimHorizon,
            generation,
            position: None,
            bell: 0,
        };
        let iterators = |text: &str| BTreeMap::from([("s".to_owned(), text.to_owned())]);
        let known = Known::new(row(0));
        known.learn_sought(row(1), iterators("one"));
        assert_eq!(known.take_iterator(0, "s"), None);
        assert_eq!(known.take_iterator(1, "s").as_deref(), Some("one"));
        assert_eq!(known.take_iterator(1, "s"), None);
        known.learn_sought(row(2), iterators("two"));
        known.learn(row(3));
        assert_eq!(known.take_iterator(3, "s"), None, "of an older one");
        known.learn_sought(row(2), iterators("late"));
        assert_eq!((known.generation(), known.take_iterator(3, "s")), (3, None));
    }
}
