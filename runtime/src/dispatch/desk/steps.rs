//! What becomes of a record when an attempt at it has ended.

use std::time::Duration;

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::{Desk, Ended, EndedRecord, Job, phase::Phase, waiting::Place};
use crate::{
    dispatch::{
        dead_letter::Letter,
        outcome::Verdict,
        policy::{Cause, Step, Wait},
    },
    planted::{self, Bug, planted},
    telemetry::{health::Activity, observer::Halted},
};

impl Desk {
    pub(in crate::dispatch) fn settle(&mut self, ended: Ended) {
        self.prefetch.moved();
        match ended {
            Ended::Record(ended) => self.settle_record(ended),
            Ended::Batch(ended) => self.settle_batch(ended),
        }
    }

    fn settle_record(&mut self, ended: EndedRecord) {
        let EndedRecord {
            place,
            job,
            settled,
        } = ended;
        // Chosen before the worker was told to begin nothing: it stays unsettled, and nothing waits behind it.
        let Ok(settled) = settled else {
            return self.reading.waiting.end(place);
        };
        if job.reading != self.reading.number {
            let sequence = job.page.names().sequence(job.index);
            tracing::debug!(stream = self.stream, shard = %self.shard_id, sequence, "record of an older reading has ended");
            return self.reading.waiting.end(place);
        }
        self.forget_unstored(job.number);
        if planted::is_noted(
            Bug::ReplyBehindCheckpoint,
            job.page.names().sequence(job.index),
        ) {
            return self.reading.waiting.end(place);
        }
        self.judge(place, job, settled.0);
    }

    pub(super) fn judge(&mut self, place: Place, job: Job, verdict: Verdict) {
        self.count(&verdict);
        let step = self.rules.policy.decide(verdict, job.attempt);
        self.carry_out(place, job, step);
    }

    /// A test may watch.
    #[cfg_attr(
        not(feature = "testing"),
        expect(clippy::unused_self, reason = "nobody else watches")
    )]
    pub(super) fn tell(&self, job: &Job, step: &Step) {
        #[cfg(feature = "testing")]
        self.health
            .ended(job.page.names().sequence(job.index), job.attempt, step);
        #[cfg(not(feature = "testing"))]
        let _ = (job, step);
    }

    pub(super) fn carry_out(&mut self, place: Place, job: Job, step: Step) {
        self.tell(&job, &step);
        match step {
            Step::Done => {
                self.counts.done += 1;
                self.settled(place, job.number);
            }
            Step::Skip(_) if planted(Bug::SilentSkip) => self.settled(place, job.number),
            Step::Skip(cause) => {
                let sequence = job.page.names().sequence(job.index);
                tracing::warn!(stream = self.stream, shard = %self.shard_id, sequence, %cause, "record skipped");
                self.counts.skipped += 1;
                self.settled(place, job.number);
            }
            Step::Hold if planted(Bug::HoldSettles) => self.settled(place, job.number),
            Step::Hold => self.hold(place, &job),
            Step::Halt(reason) => self.halt(place, &job, &reason),
            Step::Again { wait, cause } => self.retry(place, job, wait, &cause),
            Step::Store(outbox) => self.store(place, job, outbox),
            Step::StoreAgain(outbox, error) => self.store_again(place, job, outbox, &error),
            Step::DeadLetter(stream, cause) => {
                self.write_letter(place, job, Box::new(Letter::new(stream, &cause)));
            }
        }
    }

    pub(super) fn settled(&mut self, place: Place, number: u64) {
        self.reading.waiting.end(place);
        if self.reading.mark.settle(number) {
            self.unpublished += 1;
        }
    }

    /// The record holds its lane, and neither a slot nor its page.
    fn retry(&mut self, place: Place, mut job: Job, wait: Wait, cause: &Cause) {
        let attempt = job.attempt;
        let wait = self.wait_for(wait, attempt.get());
        if !self.begins() {
            tracing::warn!(
                stream = self.stream, shard = %self.shard_id, sequence = job.page.names().sequence(job.index), attempt, %cause,
                "record failed, and is not tried again in this reading"
            );
            return self.reading.waiting.end(place);
        }
        tracing::warn!(
            stream = self.stream, shard = %self.shard_id, sequence = job.page.names().sequence(job.index), attempt, ?wait, %cause,
            "record is tried again"
        );
        self.counts.retried += 1;
        job.attempt = attempt.saturating_add(1);
        self.park(place, job, wait);
    }

    pub(super) fn park(&mut self, place: Place, mut job: Job, wait: Duration) {
        job.leave_page(self.feed.account());
        let due = Instant::now() + wait;
        self.reading.waiting.wait(place, job, due);
    }

    pub(super) fn wait_for(&self, wait: Wait, failures: u32) -> Duration {
        let wait = match wait {
            Wait::Backoff => self.rules.backoff.wait(failures),
            Wait::For(wait) => wait,
        };
        wait.clamp(defaults::RETRY_LEAST, defaults::LONGEST_WAIT)
    }

    /// Asked at every turn: a retry that is due waits for no backlog.
    pub(in crate::dispatch) fn wake_retries(&mut self) {
        while let Some(place) = self.reading.waiting.pop_due() {
            self.is_due(place);
        }
    }

    pub(super) fn halt(&mut self, place: Place, job: &Job, reason: &str) {
        let sequence = job.page.names().sequence(job.index);
        tracing::error!(stream = self.stream, shard = %self.shard_id, sequence, reason, "shard halted before a record");
        self.health.write(|health| {
            health.activity = Activity::Halted {
                sequence_number: sequence.into(),
                reason: reason.into(),
            };
            health.unstored = None;
        });
        self.counts.halted += 1;
        self.health
            .tell(|observer, shard| observer.halted(shard, &Halted::new(sequence, reason)));
        // Whatever waits will not begin in this reading: it need not be kept.
        self.reading.drop_waiting();
        self.health.letters(0, None);
        self.reading.waiting.end(place);
        self.feed.close();
        self.reading.has_halted = true;
        // A stop or a failure that is under way stays one.
        if !matches!(self.phase, Phase::Leaving { .. }) {
            self.phase = Phase::Halted;
        }
    }
}
