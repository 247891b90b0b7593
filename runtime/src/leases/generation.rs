//! Which generation of its stream an instance knows, and where shards begin in it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::stream_row::{StoredStart, StreamRow};
use crate::planted::{Bug, planted};

/// The stream's row as this instance read it last. Others move it by a seek; rows are read in the generation that is known here.
#[derive(Debug)]
pub(crate) struct Known(Mutex<StreamRow>);

impl Known {
    pub(crate) fn new(row: StreamRow) -> Self {
        Self(Mutex::new(row))
    }

    pub(crate) fn row(&self) -> StreamRow {
        self.locked().clone()
    }

    pub(crate) fn generation(&self) -> u64 {
        self.locked().generation
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
            *known = row;
        }
        later
    }

    fn locked(&self) -> MutexGuard<'_, StreamRow> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
