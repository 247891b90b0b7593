//! A worker's books: which records it has, where each stands, and what it may do next.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
    num::NonZeroU32,
    sync::Arc,
    time::Duration,
};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use self::{holds::Holds, letters::Letters, phase::Phase, prefetch::Prefetch, source::Source};
use super::{
    dead_letter::Letter,
    lanes::{Lane, Lanes, Ticket},
    outcome::{Settled, Verdict},
    policy::{Cause, Step, Wait},
    worker::{Assignment, Rules},
};
use crate::{
    checkpoint::watermark::Watermark,
    leases::tenure::Tenure,
    planted::{Bug, planted},
    publish::Outbox,
    record::{page::Page, text::SharedText},
    source::{budget::Account, feed::Feed, kinesis::Anchor},
    spec::Order,
    stop::Stopping,
    telemetry::health::{Activity, Line},
};

mod holds;
mod letters;
mod phase;
mod prefetch;
mod source;
mod stores;
mod turns;

/// One record on its way.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) page: Arc<Page>,
    pub(super) index: usize,
    pub(super) attempt: NonZeroU32,
    /// What is to be stored: its handler is done with it, and is not called again.
    outbox: Option<Outbox>,
    /// How often that failed.
    unstored: u32,
    number: u64,
    pub(super) reading: u64,
    /// It was given up on, and this is to be stored in its place.
    letter: Option<Box<Letter>>,
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
pub(super) struct Ended {
    pub(super) ticket: Ticket,
    pub(super) job: Job,
    pub(super) settled: Result<Settled, NotBegun>,
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
    lanes: Lanes<Job>,
    mark: Watermark,
    retries: BinaryHeap<Reverse<(Instant, Ticket)>>,
    /// Records whose replies could not be stored, and wait for the next try.
    unstored: BTreeSet<u64>,
    letters: Letters,
    /// No record with this number or a higher one has begun.
    front: u64,
    begins: u64,
}

impl Reading {
    fn from(number: u64, start: Anchor, lanes: Lanes<Job>) -> Self {
        Self {
            number,
            start,
            lanes,
            mark: Watermark::default(),
            retries: BinaryHeap::new(),
            unstored: BTreeSet::new(),
            letters: Letters::default(),
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
        self.lanes.cut(|_| true);
        self.retries.clear();
        self.letters.clear();
    }
}

impl Desk {
    pub(super) fn new(shard: &Assignment, feed: Feed) -> Self {
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
            settled_before: 0,
            reading: Reading::from(reading, start, Lanes::new()),
            feed,
        }
    }

    pub(super) fn has_ready(&self) -> bool {
        self.reading.lanes.ready() > 0
    }

    pub(super) fn begin(&mut self) -> Option<(Ticket, Job)> {
        let (ticket, mut job) = self.reading.lanes.begin()?;
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
        Some((ticket, job))
    }

    fn deliver(&mut self, page: Page) {
        let first = self.reading.mark.deliver(page.names());
        let behind = page.behind();
        let page = Arc::new(page);
        for index in 0..page.len() {
            let lane = match self.rules.order {
                Order::PartitionKey => Lane::of_key(page.names().key(index)),
                Order::Shard => Lane::SHARD,
            };
            let (page, number) = (Arc::clone(&page), first + index as u64);
            self.reading.lanes.push(
                lane,
                Job {
                    page,
                    index,
                    attempt: NonZeroU32::MIN,
                    outbox: None,
                    unstored: 0,
                    number,
                    reading: self.reading.number,
                    letter: None,
                },
            );
        }
        let window = self.reading.mark.window();
        self.health.write(|health| {
            health.behind = behind;
            health.window = window;
        });
    }

    pub(super) fn settle(&mut self, ended: Ended) {
        let Ended {
            ticket,
            job,
            settled,
        } = ended;
        self.prefetch.moved();
        // Chosen before the worker was told to begin nothing: it stays unsettled, and nothing waits behind it.
        let Ok(settled) = settled else {
            return self.reading.lanes.end(ticket);
        };
        if job.reading != self.reading.number {
            let sequence = job.page.names().sequence(job.index);
            tracing::debug!(stream = self.stream, shard = %self.shard_id, sequence, "record of an older reading has ended");
            return self.reading.lanes.end(ticket);
        }
        self.forget_unstored(job.number);
        self.count(&settled.0);
        let step = self.rules.policy.decide(settled.0, job.attempt);
        #[cfg(feature = "testing")]
        self.health
            .ended(job.page.names().sequence(job.index), job.attempt, &step);
        match step {
            Step::Done => self.done(ticket, job.number),
            Step::Skip(_) if planted(Bug::SilentSkip) => self.done(ticket, job.number),
            Step::Skip(cause) => {
                let sequence = job.page.names().sequence(job.index);
                tracing::warn!(stream = self.stream, shard = %self.shard_id, sequence, %cause, "record skipped");
                self.health.write(|health| health.skipped += 1);
                self.done(ticket, job.number);
            }
            Step::Hold if planted(Bug::HoldSettles) => self.done(ticket, job.number),
            Step::Hold => self.hold(ticket, &job),
            Step::Halt(reason) => self.halt(ticket, &job, &reason),
            Step::Again { wait, cause } => self.retry(ticket, job, wait, &cause),
            Step::Store(outbox) => self.store(ticket, job, outbox),
            Step::StoreAgain(outbox, error) => self.store_again(ticket, job, outbox, &error),
            Step::DeadLetter(stream, cause) => {
                self.write_letter(ticket, job, Box::new(Letter::new(stream, &cause)));
            }
        }
    }

    fn count(&self, verdict: &Verdict) {
        if verdict.is_failure() {
            self.health.write(|health| {
                health.failed_attempts += 1;
                if let Verdict::TimedOut(_) = verdict {
                    health.timeouts += 1;
                }
            });
        }
    }

    fn done(&mut self, ticket: Ticket, number: u64) {
        self.reading.lanes.end(ticket);
        if self.reading.mark.settle(number) {
            self.unpublished += 1;
        }
    }

    /// The record holds its lane, and neither a slot nor its page.
    fn retry(&mut self, ticket: Ticket, mut job: Job, wait: Wait, cause: &Cause) {
        let attempt = job.attempt;
        let wait = match wait {
            Wait::Backoff => self.rules.backoff.wait(attempt.get()),
            Wait::For(wait) => wait,
        };
        let wait = wait.clamp(defaults::RETRY_LEAST, defaults::LONGEST_WAIT);
        if !self.begins() {
            tracing::warn!(
                stream = self.stream, shard = %self.shard_id, sequence = job.page.names().sequence(job.index), attempt, %cause,
                "record failed, and is not tried again in this reading"
            );
            return self.reading.lanes.end(ticket);
        }
        tracing::warn!(
            stream = self.stream, shard = %self.shard_id, sequence = job.page.names().sequence(job.index), attempt, ?wait, %cause,
            "record is tried again"
        );
        job.attempt = attempt.saturating_add(1);
        self.park(ticket, job, wait);
    }

    fn park(&mut self, ticket: Ticket, mut job: Job, wait: Duration) {
        job.leave_page(self.feed.account());
        self.reading.lanes.park(ticket, job);
        self.reading
            .retries
            .push(Reverse((Instant::now() + wait, ticket)));
    }

    fn try_again(&mut self, ticket: Ticket) {
        let lanes = &mut self.reading.lanes;
        match lanes.parked(ticket) {
            Some(job) if job.letter.is_some() || job.outbox.is_some() => {
                self.reading.letters.due(ticket);
            }
            _ => lanes.again(ticket),
        }
    }

    fn next_retry(&self) -> Option<Instant> {
        self.reading.retries.peek().map(|Reverse((due, _))| *due)
    }

    /// Asked at every turn: a retry that is due waits for no backlog.
    pub(super) fn wake_retries(&mut self) {
        if self.reading.retries.is_empty() {
            return;
        }
        let now = Instant::now();
        while let Some(Reverse((due, ticket))) = self.reading.retries.peek().copied()
            && due <= now
        {
            self.reading.retries.pop();
            self.try_again(ticket);
        }
    }

    fn halt(&mut self, ticket: Ticket, job: &Job, reason: &str) {
        let sequence = job.page.names().sequence(job.index);
        tracing::error!(stream = self.stream, shard = %self.shard_id, sequence, reason, "shard halted before a record");
        self.health.write(|health| {
            health.activity = Activity::Halted {
                sequence_number: sequence.into(),
                reason: reason.into(),
            };
        });
        // Whatever waits will not begin in this reading: it need not be kept.
        self.reading.drop_waiting();
        self.health.letters(0, None);
        self.reading.lanes.end(ticket);
        self.feed.close();
        // A stop or a failure that is under way stays one.
        if !matches!(self.phase, Phase::Leaving { .. }) {
            self.phase = Phase::Halted;
        }
    }

    pub(super) fn unpublished(&self) -> u32 {
        self.unpublished
    }

    /// Hands on how far the shard is done with. Two locks that hardly anybody else takes: cheap, but not free.
    pub(super) fn publish(&mut self, tenure: &Tenure) {
        if std::mem::take(&mut self.unpublished) == 0 {
            return;
        }
        let mark = &self.reading.mark;
        if let Some(sequence) = mark.checkpoint() {
            tenure
                .readings()
                .publish(self.reading.number, sequence.clone());
        }
        let (settled, window) = (self.settled_before + mark.settled(), mark.window());
        // What was held in the reading before has settled when the mark moves: it came first.
        let held = self.holds.any();
        self.health.write(|health| {
            health.settled = settled;
            health.window = window;
            if !held {
                health.held = None;
            }
        });
    }
}
