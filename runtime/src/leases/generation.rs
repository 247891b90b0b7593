//! Which generation of its stream an instance knows, and where shards begin in it.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use super::stream_row::{StoredStart, StreamRow};
use crate::planted::{Bug, planted};

/// The stream's row as this instance read it last. A seek moves it, here or elsewhere; rows are read in the generation that is known here,
/// and nothing of another one begins.
#[derive(Debug)]
pub(crate) struct Known {
    row: Mutex<StreamRow>,
    /// Asked for every record that begins.
    generation: AtomicU64,
}

impl Known {
    pub(crate) fn new(row: StreamRow) -> Self {
        Self {
            generation: AtomicU64::new(row.generation),
            row: Mutex::new(row),
        }
    }

    pub(crate) fn row(&self) -> StreamRow {
        self.locked().clone()
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Where a shard begins that has no checkpoint in the generation.
    pub(crate) fn begins_at(&self) -> StoredStart {
        self.locked().begins_at()
    }

    /// Takes in a reading of the row. Whether its generation is a later one; an earlier one is an answer that came late.
    pub(crate) fn learn(&self, row: StreamRow) -> bool {
        let mut known = self.locked();
        let later = row.generation > known.generation;
        if row.generation >= known.generation && !planted(Bug::LatestPerInstance) {
            self.generation.store(row.generation, Ordering::Release);
            *known = row;
        }
        later
    }

    fn locked(&self) -> MutexGuard<'_, StreamRow> {
        self.row.lock().unwrap_or_else(PoisonError::into_inner)
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
}
