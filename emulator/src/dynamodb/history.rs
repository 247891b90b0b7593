//! What items were before the latest writes, for reads that may be behind.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, SystemTime};

/// How long writes are remembered, and so how far behind a read can be.
pub(crate) const HORIZON: Duration = Duration::from_mins(1);

/// How many writes are remembered at most, whatever their age.
const WRITES: usize = 100_000;

/// An item's place: its table, and its key in a form that is equal for equal keys.
pub(crate) type Place = (String, String);

/// The writes of the last [`HORIZON`], each with what it replaced.
#[derive(Debug)]
pub(crate) struct History<Before> {
    writes: VecDeque<Write<Before>>,
}

#[derive(Debug)]
struct Write<Before> {
    at: SystemTime,
    place: Place,
    before: Before,
}

impl<Before: Clone> History<Before> {
    pub(crate) fn new() -> Self {
        Self {
            writes: VecDeque::new(),
        }
    }

    pub(crate) fn record(&mut self, at: SystemTime, place: Place, before: Before) {
        while let Some(oldest) = self.writes.front()
            && (oldest.at + HORIZON < at || self.writes.len() >= WRITES)
        {
            self.writes.pop_front();
        }
        self.writes.push_back(Write { at, place, before });
    }

    /// Makes what a table holds the truth for every read to come.
    pub(crate) fn forget(&mut self, table: &str) {
        self.writes.retain(|write| write.place.0 != table);
    }

    /// The items that a read at `now` shows otherwise than they stand, by how far behind it is at
    /// each place. A write that is exactly as old as the lag is seen.
    ///
    /// `lag` is asked once for each place that was written within the horizon, in their order.
    pub(crate) fn behind(
        &self,
        now: SystemTime,
        wanted: impl Fn(&Place) -> bool,
        mut lag: impl FnMut() -> Duration,
    ) -> Vec<(Place, Before)> {
        let mut places: BTreeMap<&Place, Vec<&Write<Before>>> = BTreeMap::new();
        for write in &self.writes {
            if write.at + HORIZON >= now && wanted(&write.place) {
                places.entry(&write.place).or_default().push(write);
            }
        }
        let mut shown = Vec::new();
        for (place, writes) in places {
            let seen_until = now - lag().min(HORIZON);
            let unseen = writes.iter().find(|write| write.at > seen_until);
            if let Some(unseen) = unseen {
                shown.push((place.clone(), unseen.before.clone()));
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::UNIX_EPOCH;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_000 + seconds)
    }

    fn place(key: &str) -> Place {
        ("t".into(), key.into())
    }

    proptest! {
        /// Against the plain way to tell it: every version with the moment it began.
        #[test]
        fn a_place_shows_the_version_that_stood_when_the_lag_began(
            gaps in prop::collection::vec(0_u64..9, 1..20),
            lag in 0_u64..60,
        ) {
            let mut history = History::new();
            let mut versions = vec![(at(0), None)];
            let mut now = 0;
            for (version, gap) in gaps.into_iter().enumerate() {
                now += gap;
                let (_, before) = *versions.last().unwrap();
                history.record(at(now), place("a"), before);
                versions.push((at(now), Some(version)));
            }
            let current = versions.last().unwrap().1;
            let behind = history.behind(at(now), |_| true, || Duration::from_secs(lag));
            let shown = behind.first().map_or(current, |(_, item)| *item);
            let moment = at(now) - Duration::from_secs(lag);
            let stood = versions.iter().rev().find(|(since, _)| *since <= moment);
            prop_assert_eq!(shown, stood.and_then(|(_, item)| *item));
        }
    }

    #[test]
    fn each_place_has_a_lag_of_its_own_and_unwanted_ones_draw_none() {
        let mut history = History::new();
        for key in ["b", "a", "c"] {
            history.record(at(10), place(key), key);
        }
        let mut lags = [9, 0].map(Duration::from_secs).into_iter();
        let wanted = |place: &Place| place.1 != "c";
        let behind = history.behind(at(15), wanted, || lags.next().unwrap());
        assert_eq!(behind, [(place("a"), "a")]);
        assert_eq!(lags.next(), None);
    }

    #[test]
    fn writes_past_the_horizon_are_seen_by_every_read() {
        let mut history = History::new();
        history.record(at(0), place("a"), ());
        let behind = |now| {
            let shown = history.behind(at(now), |_| true, || Duration::MAX);
            shown.len()
        };
        assert_eq!([behind(0), behind(59), behind(61)], [1, 1, 0]);
    }
}
