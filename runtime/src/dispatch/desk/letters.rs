//! Records that were given up on: each holds its key, and the checkpoint, until its dead letter is stored.

use super::{Desk, Job, waiting::Place};
use crate::{
    dispatch::{
        dead_letter::{Letter, NotStored},
        post::{Parcel, Posted},
    },
    planted::{Bug, planted},
    telemetry::observer::{self, Unstored},
};

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
        job.leave_page(self.feed.account());
        self.post(place, job, Parcel::Letter(letter));
        if matches!(place, Place::Queue { .. }) && planted(Bug::KeyBeforeLetter) {
            self.reading.waiting.end(place);
        }
        self.reading.parcels.letters += 1;
        self.health.letters(self.reading.parcels.letters, None);
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
        let letters = &mut self.reading.parcels.letters;
        *letters = letters.saturating_sub(1);
        self.health.letters(*letters, None);
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
            .letters(self.reading.parcels.letters, Some(error));
        self.health.tell(|observer, shard| {
            observer.unstored(
                shard,
                &Unstored::new(observer::Parcel::DeadLetter, sequence, error),
            );
        });
        #[cfg(feature = "testing")]
        self.health.letter_waits(sequence, error);
        job.parcel = Some(Parcel::Letter(letter));
        self.park(place, job, wait);
    }
}
