//! Rule 8: what is given up on is told of.

use std::collections::BTreeSet;

use super::{Violation, breach, state::State};
use crate::trace::{Event, What};

#[derive(Debug, Default)]
pub(super) struct Skips {
    skipped: BTreeSet<u64>,
    told: BTreeSet<(String, usize)>,
}

impl Skips {
    pub(super) fn see(&mut self, state: &State, event: &Event) {
        match &event.what {
            What::Skipped(handling) => {
                self.skipped.insert(handling.record);
            }
            What::ToldSkip { sequence } => {
                let shards = state.shards.iter();
                let places =
                    shards.filter_map(|(id, line)| Some((id.clone(), line.place(sequence)?)));
                self.told.extend(places);
            }
            _ => {}
        }
    }

    /// A worker that is dropped between the handler and its own word leaves the record to another one, who tells of it.
    pub(super) fn end(&self, state: &State, found: &mut Vec<Violation>) {
        for record in &self.skipped {
            let place = state
                .records
                .get(record)
                .map(|known| (known.shard_id.clone(), known.in_shard));
            if place.is_none_or(|place| !self.told.contains(&place)) {
                breach(
                    found,
                    state,
                    8,
                    format!("record {record} was skipped in silence"),
                );
            }
        }
    }
}
