//! A worker's books: which records it has, where each stands, and what it may do next.

use std::{collections::BTreeSet, num::NonZeroU32, sync::Arc, time::Duration};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

pub(super) use self::{batch::EndedBatch, waiting::Place};
use self::{
    holds::Holds,
    parcels::Parcels,
    phase::Phase,
    prefetch::Prefetch,
    source::Source,
    waiting::Waiting,
    weights::{Weight, Weights},
};
use super::{
    dead_letter::Letter,
    lanes::Lane,
    outcome::{Settled, Verdict},
    policy::{Cause, Step, Wait},
    post::Parcel,
    worker::{Assignment, Rules},
};
use crate::{
    checkpoint::watermark::Watermark,
    planted::{self, Bug, planted},
    record::{page::Page, text::SharedText},
    source::{budget::Account, feed::Feed, kinesis::Anchor},
    spec::Order,
    stop::Stopping,
    telemetry::{
        health::{Activity, Line},
        observer::{Halted, RecordCounts},
        watch::Stopwatch,
    },
};

mod batch;
mod counts;
mod holds;
mod letters;
mod parcels;
mod phase;
mod prefetch;
mod replies;
mod source;
mod turns;
mod waiting;
mod weights;

/// One record on its way.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) page: Arc<Page>,
    pub(super) index: usize,
    pub(super) attempt: NonZeroU32,
    /// What is to be stored before it settles: its handler is done with it, and is not called again.
    parcel: Option<Parcel>,
    /// How often replies could not be stored.
    unstored: u32,
    /// What its replies take of the room for replies.
    replies: Option<Weight>,
    number: u64,
    pub(super) reading: u64,
}

impl Job {
    /// A record that waits for long keeps itself and not its page.
    fn leave_page(&mut self, account: &Account) {
        if self.page.len() > 1 {
            self.page = Arc::new(self.page.alone(self.index, account));
            self.index = 0;
        }
    }
}

/// One attempt that is over.
pub(super) enum Ended {
    Record(EndedRecord),
    Batch(EndedBatch),
}

/// One attempt at a record that is over.
pub(super) struct EndedRecord {
    pub(super) place: Place,
    pub(super) job: Job,
    pub(super) settled: Result<Settled, NotBegun>,
}

impl Ended {
    /// Not begun, for the deadline had passed.
    pub(super) fn is_late(&self) -> bool {
        let not_begun = match self {
            Self::Record(ended) => ended.settled.as_ref().err(),
            Self::Batch(ended) => ended.settled.as_ref().err(),
        };
        not_begun == Some(&NotBegun::Late)
    }
}

/// Why an attempt was not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotBegun {
    /// Nothing of its reading begins any more.
    Closed,
    /// The tenure's deadline has passed.
    Late,
}

pub(super) struct Desk {
    stream: &'static str,
    shard_id: SharedText,
    rules: Rules,
    health: Arc<Line>,
    leaving: Arc<Stopping>,
    feed: Feed,
    phase: Phase,
    source: Source,
    prefetch: Prefetch,
    holds: Holds,
    unpublished: u32,
    /// What replies that are not stored keep in memory.
    replies: Weights,
    /// Since they were told last.
    counts: RecordCounts,
    stopwatch: Stopwatch,
    /// How many records had settled before this reading.
    settled_before: u64,
    reading: Reading,
}

/// What dies with a reading: a seek begins another one, and so does a restart behind a held record.
struct Reading {
    /// As its tenure counts them, which a restart is not told to: nothing of the reading before it is left then.
    number: u64,
    /// Where it began.
    start: Anchor,
    /// What still runs of an older reading holds its lane.
    waiting: Waiting,
    mark: Watermark,
    /// Records whose replies could not be stored, and wait for the next try.
    unstored: BTreeSet<u64>,
    parcels: Parcels,
    /// A record needs a person: nothing more begins, also while the shard is left.
    has_halted: bool,
    /// No record with this number or a higher one has begun.
    front: u64,
    begins: u64,
}

impl Reading {
    fn from(number: u64, start: Anchor, waiting: Waiting) -> Self {
        Self {
            number,
            start,
            waiting,
            mark: Watermark::default(),
            unstored: BTreeSet::new(),
            parcels: Parcels::default(),
            has_halted: false,
            front: 0,
            begins: 0,
        }
    }

    /// The place behind its first so many records.
    fn anchor(&self, records: u64) -> Anchor {
        match self.mark.sequence_before(records) {
            Some(sequence) => Anchor::After {
                sequence: sequence.to_string(),
            },
            None => self.start.clone(),
        }
    }

    /// Nothing begins any more: only what runs is left.
    fn drop_waiting(&mut self) {
        self.waiting.clear();
        self.parcels.clear();
    }
}

impl Desk {
    pub(super) fn new(shard: &Assignment, feed: Feed, stopwatch: &Stopwatch) -> Self {
        let (reading, start) = (shard.tenure.readings().current(), feed.anchor().clone());
        #[cfg(feature = "testing")]
        shard.health.reads_from(&start);
        Self {
            stream: shard.stream,
            shard_id: shard.shard_id.clone(),
            rules: shard.rules.clone(),
            health: Arc::clone(&shard.health),
            leaving: Arc::clone(&shard.leaving),
            phase: Phase::Reading,
            source: Source::Speaking,
            prefetch: Prefetch::default(),
            holds: Holds::default(),
            unpublished: 0,
            replies: Weights::default(),
            counts: RecordCounts::of(shard.rules.label),
            stopwatch: stopwatch.clone(),
            settled_before: 0,
            reading: Reading::from(reading, start, Waiting::new(shard.rules.batch)),
            feed,
        }
    }

    pub(super) fn has_ready(&self) -> bool {
        // What is handled now is to be stored where the last replies still wait to be.
        self.replies.sum() <= defaults::REPLY_BYTES && self.reading.waiting.has_ready()
    }

    pub(super) fn begin(&mut self) -> Option<(Place, Job)> {
        let (place, mut job) = self.reading.waiting.begin()?;
        self.begins_with(&mut job);
        Some((place, job))
    }

    fn begins_with(&mut self, job: &mut Job) {
        self.reading.front = self.reading.front.max(job.number + 1);
        self.reading.begins += 1;
        #[cfg(feature = "testing")]
        self.health
            .begun(job.page.names().sequence(job.index), job.attempt);
        // With little room, a handler that may take for ever must not keep a page for the sake of one record.
        let account = self.feed.account();
        if account.is_short() {
            job.leave_page(account);
        }
    }

    fn deliver(&mut self, page: Page) {
        let first = self.reading.mark.deliver(page.names());
        let behind = page.behind();
        self.counts.delivered += page.len() as u64;
        let (page, now) = (Arc::new(page), Instant::now());
        for index in 0..page.len() {
            let lane = match self.rules.order {
                Order::PartitionKey => Lane::of_key(page.names().key(index)),
                Order::Shard => Lane::SHARD,
                Order::None => Lane::Free,
            };
            let (page, number) = (Arc::clone(&page), first + index as u64);
            self.reading.waiting.push(
                lane,
                Job {
                    page,
                    index,
                    attempt: NonZeroU32::MIN,
                    parcel: None,
                    unstored: 0,
                    replies: None,
                    number,
                    reading: self.reading.number,
                },
                now,
            );
        }
        let window = self.reading.mark.window();
        self.health.write(|health| {
            health.behind = behind;
            health.window = window;
        });
    }

    pub(super) fn settle(&mut self, ended: Ended) {
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

    fn judge(&mut self, place: Place, job: Job, verdict: Verdict) {
        self.count(&verdict);
        let step = self.rules.policy.decide(verdict, job.attempt);
        self.carry_out(place, job, step);
    }

    /// A test may watch.
    #[cfg_attr(
        not(feature = "testing"),
        expect(clippy::unused_self, reason = "nobody else watches")
    )]
    fn tell(&self, job: &Job, step: &Step) {
        #[cfg(feature = "testing")]
        self.health
            .ended(job.page.names().sequence(job.index), job.attempt, step);
        #[cfg(not(feature = "testing"))]
        let _ = (job, step);
    }

    fn carry_out(&mut self, place: Place, job: Job, step: Step) {
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

    fn settled(&mut self, place: Place, number: u64) {
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

    fn park(&mut self, place: Place, mut job: Job, wait: Duration) {
        job.leave_page(self.feed.account());
        let due = Instant::now() + wait;
        self.reading.waiting.wait(place, job, due);
    }

    fn wait_for(&self, wait: Wait, failures: u32) -> Duration {
        let wait = match wait {
            Wait::Backoff => self.rules.backoff.wait(failures),
            Wait::For(wait) => wait,
        };
        wait.clamp(defaults::RETRY_LEAST, defaults::LONGEST_WAIT)
    }

    /// Asked at every turn: a retry that is due waits for no backlog.
    pub(super) fn wake_retries(&mut self) {
        while let Some(place) = self.reading.waiting.pop_due() {
            self.is_due(place);
        }
    }

    fn halt(&mut self, place: Place, job: &Job, reason: &str) {
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
