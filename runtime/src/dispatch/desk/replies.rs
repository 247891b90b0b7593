//! Records that are handled, and whose replies are to be stored.

use super::{Desk, Job, waiting::Place};
use crate::{
    dispatch::{policy::Wait, post::Parcel},
    planted::{self, Bug, planted},
    publish::{Outbox, PublishError},
    telemetry::{
        health::UnstoredRecords,
        observer::{self, Unstored},
    },
};

impl Desk {
    /// The record holds its lane, and no slot, until its replies are stored.
    pub(super) fn store(&mut self, place: Place, mut job: Job, outbox: Outbox) {
        if !self.begins() {
            return self.reading.waiting.end(place);
        }
        if planted(Bug::ReplyBehindCheckpoint) {
            planted::note(
                Bug::ReplyBehindCheckpoint,
                job.page.names().sequence(job.index),
            );
            self.unpublished += u32::from(self.reading.mark.settle(job.number));
        }
        job.replies = Some(self.replies.hold(outbox.bytes()));
        self.post(place, job, Parcel::Replies(outbox));
    }

    /// The record holds its lane until the stream takes its replies, and neither a slot nor its page.
    pub(super) fn store_again(
        &mut self,
        place: Place,
        mut job: Job,
        outbox: Outbox,
        error: &PublishError,
    ) {
        let sequence = job.page.names().sequence(job.index);
        if !self.begins() {
            tracing::warn!(stream = self.stream, shard = %self.shard_id, sequence, %error, "replies are not stored, and not tried again in this reading");
            return self.reading.waiting.end(place);
        }
        job.unstored = job.unstored.saturating_add(1);
        let wait = self.wait_for(Wait::Backoff, job.unstored);
        tracing::warn!(stream = self.stream, shard = %self.shard_id, sequence, ?wait, %error, "replies are tried to be stored again");
        self.reading.unstored.insert(job.number);
        let records = self.reading.unstored.len() as u64;
        self.health.write(|health| {
            health.unstored = Some(UnstoredRecords {
                records,
                error: error.to_string(),
            });
        });
        self.health.tell(|observer, shard| {
            let error = error.to_string();
            let unstored = Unstored::new(observer::Parcel::Replies, sequence, &error);
            observer.unstored(shard, &unstored);
        });
        job.replies = Some(self.replies.hold(outbox.bytes()));
        job.parcel = Some(Parcel::Replies(outbox));
        self.park(place, job, wait);
    }

    /// An attempt at this record has ended.
    pub(super) fn forget_unstored(&mut self, number: u64) {
        if !self.reading.unstored.remove(&number) {
            return;
        }
        let records = self.reading.unstored.len() as u64;
        self.health.write(|health| {
            health.unstored = health
                .unstored
                .take()
                .filter(|_| records > 0)
                .map(|unstored| UnstoredRecords {
                    records,
                    ..unstored
                });
        });
    }
}
