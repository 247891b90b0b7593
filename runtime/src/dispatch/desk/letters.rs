//! Records that were given up on: each holds its key, and the checkpoint, until its dead letter is stored.

use std::collections::{BTreeMap, VecDeque};

use tokio::time::Instant;

use super::{Desk, Job, waiting::Place};
use crate::{
    dispatch::{
        dead_letter::{Letter, NotStored},
        post::{Parcel, Posted, Route},
    },
    planted::{Bug, planted},
    telemetry::observer::{self, Unstored},
};

/// The dead letters of one reading that are not stored.
#[derive(Debug, Default)]
pub(super) struct Letters {
    /// Parked records whose letters, or replies, may be sent.
    due: BTreeMap<Route, VecDeque<Place>>,
    /// Letters that are due, those that are under way, and those that wait for their next try.
    unstored: u64,
}

impl Letters {
    pub(super) fn due(&mut self, route: Route, place: Place) {
        self.due.entry(route).or_default().push_back(place);
    }

    /// The records are forgotten, to be handled again in another reading.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Desk {
    pub(super) fn write_letter(&mut self, place: Place, mut job: Job, letter: Box<Letter>) {
        let sequence = job.page.names().sequence(job.index);
        tracing::warn!(
            stream = self.stream, shard = %self.shard_id, sequence, attempt = job.attempt, cause = letter.cause, to = letter.to.label,
            "record is given up on"
        );
        if !self.begins() {
            return self.reading.waiting.end(place);
        }
        if planted(Bug::DeadLetterBehindCheckpoint) && self.reading.mark.settle(job.number) {
            self.unpublished += 1;
        }
        let parcel = Parcel::Letter(letter);
        let route = Route::new(&parcel, 0);
        job.parcel = Some(parcel);
        job.leave_page(self.feed.account());
        self.reading.waiting.park(place, job);
        if matches!(place, Place::Queue { .. }) && planted(Bug::KeyBeforeLetter) {
            self.reading.waiting.end(place);
        }
        self.reading.letters.due(route, place);
        self.reading.letters.unstored += 1;
        self.health.letters(self.reading.letters.unstored, None);
    }

    /// A letter, or replies, to be sent by a route that has room.
    pub(in crate::dispatch) fn next_parcel(
        &mut self,
        has_room: impl Fn(Route) -> bool,
    ) -> Option<(Route, Place, Job, Parcel)> {
        let mut lines = self.reading.letters.due.iter_mut();
        let (route, place) = lines.find_map(|(route, line)| {
            let place = has_room(*route).then(|| line.pop_front())??;
            Some((*route, place))
        })?;
        let mut job = self.reading.waiting.take_back(place)?;
        let parcel = job.parcel.take()?;
        Some((route, place, job, parcel))
    }

    pub(in crate::dispatch) fn posted(&mut self, posted: Posted) {
        let Posted {
            place,
            job,
            letter,
            stored,
        } = posted;
        self.prefetch.moved();
        let Ok(stored) = stored else {
            return self.reading.waiting.end(place);
        };
        let sequence = job.page.names().sequence(job.index);
        if job.reading != self.reading.number {
            tracing::debug!(stream = self.stream, shard = %self.shard_id, sequence, "dead letter of an older reading is done with");
            return self.reading.waiting.end(place);
        }
        match stored {
            Ok(()) => {
                tracing::info!(stream = self.stream, shard = %self.shard_id, sequence, to = letter.to.label, "dead letter stored");
                #[cfg(feature = "testing")]
                self.health.dead_lettered(sequence);
                self.counts.dead_lettered += 1;
                self.no_letter();
                if planted(Bug::DeadLetterBehindCheckpoint) {
                    return self.reading.waiting.end(place);
                }
                self.settled(place, job.number);
            }
            Err(NotStored::TooLarge(reason)) => {
                self.no_letter();
                #[cfg(feature = "testing")]
                self.health.halted(sequence, &reason);
                self.halt(place, &job, &reason);
            }
            Err(NotStored::Yet { error, fatal }) => {
                self.try_letter_again(place, job, letter, &error, fatal);
            }
        }
    }

    fn no_letter(&mut self) {
        let letters = &mut self.reading.letters;
        letters.unstored = letters.unstored.saturating_sub(1);
        self.health.letters(letters.unstored, None);
    }

    fn try_letter_again(
        &mut self,
        place: Place,
        mut job: Job,
        mut letter: Box<Letter>,
        error: &str,
        fatal: bool,
    ) {
        letter.failures = letter.failures.saturating_add(1);
        let wait = self.rules.letters.wait(letter.failures);
        let sequence = job.page.names().sequence(job.index);
        if fatal {
            tracing::error!(
                stream = self.stream, shard = %self.shard_id, sequence, to = letter.to.label, ?wait, error,
                "dead letter not stored: its stream refuses it"
            );
        } else {
            tracing::warn!(
                stream = self.stream, shard = %self.shard_id, sequence, to = letter.to.label, ?wait, error,
                "dead letter not stored"
            );
        }
        if !self.begins() {
            return self.reading.waiting.end(place);
        }
        self.health
            .letters(self.reading.letters.unstored, Some(error));
        self.health.tell(|observer, shard| {
            observer.unstored(
                shard,
                &Unstored::new(observer::Parcel::DeadLetter, sequence, error),
            );
        });
        #[cfg(feature = "testing")]
        self.health.letter_waits(sequence, error);
        job.parcel = Some(Parcel::Letter(letter));
        let due = Instant::now() + wait;
        self.reading.waiting.wait(place, job, due);
    }
}
