//! Rule 8: what is given up on is told of.

use std::collections::BTreeSet;

use super::{Violation, breach, state::State};
use crate::trace::{Event, What};

#[derive(Debug, Default)]
pub(super) struct Skips {
    skipped: BTreeSet<u64>,
    told: BTreeSet<String>,
}

impl Skips {
    pub(super) fn see(&mut self, event: &Event) {
        match &event.what {
            What::Skipped(handling) => {
                self.skipped.insert(handling.record);
            }
            What::ToldSkip { sequence } => {
                self.told.insert(sequence.clone());
            }
            _ => {}
        }
    }

    /// A worker that is dropped between the handler and its own word leaves the record to another one, who tells of it: unless the
    /// service has forgotten it by then.
    pub(super) fn end(&self, state: &State, found: &mut Vec<Violation>) {
        let Some((number, stream)) = state.last_stream() else {
            return;
        };
        let trimmed = stream.trimmed();
        for record in self.skipped.difference(&trimmed) {
            let Some(known) = state.records.get(record) else {
                continue;
            };
            if known.stream == number && !self.told.contains(&known.sequence) {
                let text = format!("record {record} was skipped in silence");
                breach(found, state, 8, text);
            }
        }
    }
}
