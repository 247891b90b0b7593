//! Dead letters and replies that are to be stored: each holds its record's key, and the checkpoint, until it is.

use std::collections::{BTreeMap, VecDeque};

use super::{Desk, Job, waiting::Place};
use crate::dispatch::post::{Parcel, Route};

/// What is to be stored for records of one reading.
#[derive(Debug, Default)]
pub(super) struct Parcels {
    /// Parked records whose parcels may be sent.
    due: BTreeMap<Route, VecDeque<Place>>,
    /// Dead letters that are due, those that are under way, and those that wait for their next try.
    pub(super) letters: u64,
}

impl Parcels {
    fn due(&mut self, route: Route, place: Place) {
        self.due.entry(route).or_default().push_back(place);
    }

    /// The records are forgotten, to be handled again in another reading.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Desk {
    /// Its first try is due: the record waits where it stands.
    pub(super) fn post(&mut self, place: Place, mut job: Job, parcel: Parcel) {
        let route = Route::new(&parcel, 0);
        job.parcel = Some(parcel);
        self.reading.waiting.park(place, job);
        self.reading.parcels.due(route, place);
    }

    /// Its wait is over: what is to be stored is posted again, and a record alone is tried again.
    pub(super) fn is_due(&mut self, place: Place) {
        let waiting = &mut self.reading.waiting;
        match waiting.parked(place) {
            Some(Job {
                parcel: Some(parcel),
                unstored,
                ..
            }) => {
                let failures = match parcel {
                    Parcel::Letter(letter) => letter.failures,
                    Parcel::Replies(_) => *unstored,
                };
                let route = Route::new(parcel, failures);
                self.reading.parcels.due(route, place);
            }
            _ => waiting.again(place),
        }
    }

    /// A parcel to be sent by a route that has room.
    pub(in crate::dispatch) fn next_parcel(
        &mut self,
        has_room: impl Fn(Route) -> bool,
    ) -> Option<(Route, Place, Job, Parcel)> {
        let mut lines = self.reading.parcels.due.iter_mut();
        let (route, place) = lines.find_map(|(route, line)| {
            let place = has_room(*route).then(|| line.pop_front())??;
            Some((*route, place))
        })?;
        let mut job = self.reading.waiting.take_back(place)?;
        let parcel = job.parcel.take()?;
        Some((route, place, job, parcel))
    }
}
