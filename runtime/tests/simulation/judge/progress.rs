//! How many records of a line have settled in a row.

use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Behind the first one that has not.
    settled: BTreeSet<usize>,
    /// Everything before has settled, or is not for the application.
    prefix: usize,
}

impl Progress {
    pub(super) fn settle(&mut self, place: usize) {
        if place >= self.prefix {
            self.settled.insert(place);
        }
        while self.settled.remove(&self.prefix) {
            self.prefix += 1;
        }
    }

    /// All places before this one that have not settled.
    pub(super) fn all_unsettled_before(&self, place: usize) -> impl Iterator<Item = usize> {
        (self.prefix..place).filter(|place| !self.settled.contains(place))
    }

    /// The first place that has not settled, if it lies before this one.
    pub(super) fn unsettled_before(&self, place: usize) -> Option<usize> {
        (self.prefix < place).then_some(self.prefix)
    }
}
