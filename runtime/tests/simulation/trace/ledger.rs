//! What is still to be handled: enough to know when a run may end. The judge keeps books of his own.

use std::collections::{BTreeMap, BTreeSet};

use super::{HookCall, Owed, Step, StreamPlace, What};

#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// The stream that has the name now.
    created_millis: i64,
    /// Its records that are kept, and when they arrived.
    kept: BTreeMap<u64, i64>,
    /// Those that settled in this generation.
    settled: BTreeSet<u64>,
    /// How often each record was held.
    held: BTreeMap<u64, u32>,
    owed: Owed,
    /// How often each hook failed.
    failed: BTreeMap<HookCall, u32>,
    /// What the stream's row says.
    place: Option<StreamPlace>,
}

/// What of the records has not settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    Nothing,
    /// Records that were held, and no others.
    Held,
    Some,
}

impl Ledger {
    pub(super) fn note(&mut self, what: &What) {
        if let Some((_, record)) = self.owed.ended(what) {
            self.settled.insert(record);
        }
        self.owed.note(what);
        match what {
            What::Created { created_millis } => {
                self.created_millis = *created_millis;
                self.kept.clear();
            }
            What::Put {
                record,
                arrival_millis,
                ..
            } => {
                self.kept.insert(*record, *arrival_millis);
            }
            What::Trimmed { records, .. } => {
                for record in records {
                    self.kept.remove(record);
                }
            }
            What::StreamRow { row, .. } => {
                let before = self.place.as_ref();
                if before.is_some_and(|before| row.generation > before.generation) {
                    self.settled.clear();
                }
                self.place = Some(row.clone());
            }
            What::Settled(handling) | What::Skipped(handling) => {
                self.settled.insert(handling.record);
            }
            What::Held(handling) => *self.held.entry(handling.record).or_default() += 1,
            What::Hook(call, Step::Failed) => {
                *self.failed.entry(call.clone()).or_default() += 1;
            }
            _ => {}
        }
    }

    pub(super) fn times_failed(&self, call: &HookCall) -> u32 {
        self.failed.get(call).copied().unwrap_or_default()
    }

    pub(super) fn times_held(&self, record: u64) -> u32 {
        self.held.get(&record).copied().unwrap_or_default()
    }

    pub(super) fn left(&self) -> Left {
        let place = self.place.as_ref();
        let Some(place) = place.filter(|place| place.is_of(self.created_millis)) else {
            return Left::Some;
        };
        let owed = self
            .kept
            .iter()
            .filter(|(_, arrival)| Some(**arrival) >= place.begins_at);
        let mut left = owed
            .map(|(record, _)| record)
            .filter(|record| !self.settled.contains(record))
            .peekable();
        if left.peek().is_none() {
            Left::Nothing
        } else if left.all(|record| self.held.contains_key(record)) {
            Left::Held
        } else {
            Left::Some
        }
    }
}
