//! Batches: given whole, settled record by record.

use std::time::Duration;

use tokio::time::Instant;

use super::{Desk, Job, NotBegun, phase::Phase, waiting::Place};
use crate::dispatch::{
    batches::{
        failure::{Failure, Then, then},
        outcome::{Assessed, BatchSettled, LeftOut, assess},
        queue::{Entry, Group, Patience},
    },
    outcome::Verdict,
    policy::{Cause, Step, Wait},
};

/// One attempt at a batch that is over.
pub(in crate::dispatch) struct EndedBatch {
    pub(in crate::dispatch) group: Group<Job>,
    pub(in crate::dispatch) settled: Result<(Vec<LeftOut>, BatchSettled), NotBegun>,
}

/// How a batch that failed is tried again.
#[derive(Clone, Copy)]
enum Retry {
    Whole {
        wait: Duration,
    },
    Halves,
    /// It is one record, for which no other waits but those of its key.
    Alone {
        wait: Duration,
    },
}

fn place(entry: &Entry<Job>) -> Place {
    Place::Queue {
        lane: entry.lane,
        number: entry.number,
    }
}

impl Desk {
    pub(in crate::dispatch) fn begin_batch(&mut self) -> Option<Group<Job>> {
        // With little room, records that wait for others keep them from coming.
        let waits = matches!(self.phase, Phase::Reading) && !self.feed.account().is_short();
        let patience = if waits {
            Patience::Waits
        } else {
            Patience::Goes
        };
        let mut group = self.reading.waiting.begin_batch(patience)?;
        for entry in &mut group.entries {
            self.begins_with(&mut entry.item);
        }
        Some(group)
    }

    pub(super) fn settle_batch(&mut self, ended: EndedBatch) {
        let EndedBatch { group, settled } = ended;
        let is_current = |entry: &Entry<Job>| entry.item.reading == self.reading.number;
        let (left_out, verdict) = match settled {
            Ok((left_out, BatchSettled(verdict))) if group.entries.iter().all(is_current) => {
                (left_out, verdict)
            }
            ended => {
                let (records, begun) = (group.entries.len(), ended.is_ok());
                tracing::debug!(stream = self.stream, shard = %self.shard_id, records, begun, "batch of an older reading has ended");
                for entry in &group.entries {
                    self.reading.waiting.end(place(entry));
                }
                return;
            }
        };
        match assess(group.entries.len(), left_out, verdict) {
            Assessed::Each(verdicts) => {
                for (entry, verdict) in group.entries.into_iter().zip(verdicts) {
                    self.judge(place(&entry), entry.item, verdict);
                }
            }
            Assessed::Failed { left_out, whole } => self.batch_failed(group, left_out, whole),
        }
    }

    fn batch_failed(
        &mut self,
        mut group: Group<Job>,
        left_out: Vec<Option<Verdict>>,
        whole: Verdict,
    ) {
        let mut given = Vec::with_capacity(group.entries.len());
        for (entry, left_out) in group.entries.into_iter().zip(left_out) {
            match left_out {
                Some(verdict) => self.judge(place(&entry), entry.item, verdict),
                None => given.push(entry),
            }
        }
        group.entries = given;
        group.failures = group.failures.saturating_add(1);
        self.count(&whole);
        let attempts = self.rules.policy.attempts();
        let failure = Failure::of(&whole);
        match then(group.entries.len(), group.failures, failure, attempts) {
            Then::Alone => self.alone_failed(group, whole),
            Then::Again => {
                let wait = self.wait_for(Wait::Backoff, group.failures);
                self.try_again(group, Retry::Whole { wait }, Cause::of(whole));
            }
            Then::Split => self.try_again(group, Retry::Halves, Cause::of(whole)),
        }
    }

    /// A record that fails alone is given up on as a record is, or tried again where it stands.
    fn alone_failed(&mut self, mut group: Group<Job>, verdict: Verdict) {
        let Some(entry) = group.entries.pop() else {
            return;
        };
        match self.rules.policy.decide(verdict, entry.item.attempt) {
            Step::Again { wait, cause } => {
                let wait = self.wait_for(wait, group.failures);
                group.entries.push(entry);
                self.try_again(group, Retry::Alone { wait }, cause);
            }
            step => self.carry_out(place(&entry), entry.item, step),
        }
    }

    /// Records of a batch keep their page: nothing of it that lies behind them begins before they have ended.
    fn try_again(&mut self, mut group: Group<Job>, retry: Retry, cause: Cause) {
        let (records, failures) = (group.entries.len(), group.failures);
        let first = group.entries.first().map(|entry| &entry.item);
        let first = first.map(|job| job.page.names().shared_sequence(job.index));
        let first = first.as_deref().unwrap_or_default();
        let step = Step::Again {
            wait: Wait::Backoff,
            cause,
        };
        let begins = self.begins();
        for entry in &mut group.entries {
            self.tell(&entry.item, &step);
            if !matches!(retry, Retry::Alone { .. }) || !begins {
                self.reading.waiting.end(place(entry));
            }
            entry.item.attempt = entry.item.attempt.saturating_add(1);
        }
        let Step::Again { cause, .. } = step else {
            return;
        };
        let Some(queue) = self.reading.waiting.queue().filter(|_| begins) else {
            tracing::warn!(stream = self.stream, shard = %self.shard_id, first, records, failures, %cause, "batch failed, and is not tried again in this reading");
            return;
        };
        self.counts.retried += records as u64;
        match retry {
            Retry::Whole { wait } => {
                tracing::warn!(stream = self.stream, shard = %self.shard_id, first, records, failures, ?wait, %cause, "batch is tried again");
                group.ready_at = Instant::now() + wait;
                queue.again(group);
            }
            Retry::Alone { wait } => {
                tracing::warn!(stream = self.stream, shard = %self.shard_id, first, records, failures, ?wait, %cause, "record that failed alone is tried again");
                group.ready_at = Instant::now() + wait;
                for entry in &mut group.entries {
                    entry.item.leave_page(self.feed.account());
                }
                queue.again_alone(group);
            }
            Retry::Halves => {
                tracing::warn!(stream = self.stream, shard = %self.shard_id, first, records, failures, %cause, "batch is halved");
                group.ready_at = Instant::now();
                queue.split(group);
            }
        }
    }
}
