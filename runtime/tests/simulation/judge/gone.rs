//! Rule 8: a shard that is gone before it was read to its end is told of.

use std::collections::BTreeSet;

use super::{Violation, breach, state::State};
use crate::trace::{Event, Row, RowChange, SHARD_END, What};

#[derive(Debug, Default)]
pub(super) struct Gone {
    handled: BTreeSet<u64>,
    told: BTreeSet<String>,
}

impl Gone {
    pub(super) fn see(&mut self, state: &State, event: &Event, found: &mut Vec<Violation>) {
        if let Some((_, record)) = state.owed.ended(&event.what) {
            self.handled.insert(record);
        }
        match &event.what {
            What::Created { .. } => self.told.clear(),
            What::Settled(handling) | What::Skipped(handling) => {
                self.handled.insert(handling.record);
            }
            What::ToldGone { shard_id } => {
                self.told.insert(shard_id.clone());
                let mut streams = state.generations.keys();
                let is_gone = streams.any(|generation| {
                    let stream = state.stream_of(*generation);
                    stream.is_some_and(|stream| stream.has_lost(shard_id))
                });
                if !is_gone {
                    let text = format!("{shard_id} was told to be gone, and is there");
                    breach(found, state, 8, text);
                }
            }
            What::Row { change, .. } => self.ends(state, change, found),
            _ => {}
        }
    }

    /// Lost records of a shard that is finished; what was read in an older generation nobody reads any more.
    fn ends(&self, state: &State, change: &RowChange, found: &mut Vec<Violation>) {
        let is_end = |row: &Row| {
            row.checkpoint.as_deref() == Some(SHARD_END)
                && Some(row.generation) == state.last_generation()
        };
        let shard_id = &change.shard_id;
        let Some(row) = change.after.as_ref().filter(|row| is_end(row)) else {
            return;
        };
        if change.before.as_ref().is_some_and(is_end) || self.told.contains(shard_id) {
            return;
        }
        let begins_at = state.generations.get(&row.generation);
        let begins_at = begins_at.and_then(|generation| generation.begins_at);
        let line = state
            .stream_of(row.generation)
            .and_then(|stream| stream.line(shard_id));
        let records = line.into_iter().flat_map(|line| &line.records);
        let lost = records
            .filter(|record| !self.handled.contains(record))
            .find(|record| {
                let known = state.records.get(record);
                known.is_some_and(|known| Some(known.arrival_millis) >= begins_at)
            });
        if let Some(lost) = lost {
            let text = format!("{shard_id} went with {lost} in silence");
            breach(found, state, 8, text);
        }
    }
}
