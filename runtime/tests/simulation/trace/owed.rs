//! What is to be stored for records before they have ended.

use std::collections::{BTreeMap, BTreeSet};

use super::{MachineId, What};
use crate::app::decodes;

#[derive(Debug, Default)]
pub(crate) struct Owed {
    /// Records by their sequence numbers, which no two records of a run share.
    records: BTreeMap<String, u64>,
    undecodable: BTreeSet<u64>,
    /// Records that a machine gave up on, and has stored no letter of since.
    letters: BTreeSet<(MachineId, u64)>,
    /// The replies of a machine to a record that are not stored since it made them.
    replies: BTreeMap<(MachineId, u64), BTreeSet<u32>>,
}

impl Owed {
    /// The record that a letter stands for.
    pub(crate) fn record(&self, sequence: Option<&str>) -> Option<u64> {
        self.records.get(sequence?).copied()
    }

    pub(crate) fn is_undecodable(&self, record: u64) -> bool {
        self.undecodable.contains(&record)
    }

    /// Whether somebody is to store something for it.
    pub(crate) fn is_owed(&self, record: u64) -> bool {
        let mut owed = self.letters.iter().chain(self.replies.keys());
        self.is_undecodable(record) || owed.any(|(_, owed)| *owed == record)
    }

    /// The record that has ended by this, and whose machine stored what was missing.
    pub(crate) fn ended(&self, what: &What) -> Option<(MachineId, u64)> {
        match what {
            What::Letter(letter) => {
                let record = self.record(letter.sequence())?;
                let owed = (letter.machine, record);
                (self.is_undecodable(record) || self.letters.contains(&owed)).then_some(owed)
            }
            What::Receipt(receipt) => {
                let owed = (receipt.machine, receipt.record);
                let missing = self.replies.get(&owed)?;
                let is_last = missing.iter().all(|missing| *missing == receipt.index);
                is_last.then_some(owed)
            }
            _ => None,
        }
    }

    pub(crate) fn note(&mut self, what: &What) {
        match what {
            What::Put {
                record,
                sequence,
                bytes,
                ..
            } => {
                self.records.insert(sequence.clone(), *record);
                if !decodes(bytes) {
                    self.undecodable.insert(*record);
                }
            }
            What::GivenUp { handling, .. } => {
                self.letters.insert((handling.machine, handling.record));
            }
            What::Replied { handling, replies } => {
                let owed = (handling.machine, handling.record);
                self.replies.insert(owed, (0..*replies).collect());
            }
            What::Letter(letter) => {
                if let Some(record) = self.record(letter.sequence()) {
                    self.letters.remove(&(letter.machine, record));
                }
            }
            What::Receipt(receipt) => {
                let owed = (receipt.machine, receipt.record);
                if let Some(missing) = self.replies.get_mut(&owed) {
                    missing.remove(&receipt.index);
                    if missing.is_empty() {
                        self.replies.remove(&owed);
                    }
                }
            }
            _ => {}
        }
    }
}
