//! A worker's books: which records it has, where each stands, and what it may do next.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fmt,
    num::NonZeroU32,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::{
    lanes::{Lane, Lanes, Ticket},
    outcome::{Outcome, Settled, Verdict},
    worker::{Exit, Rules},
};
use crate::{
    cause::Chain,
    checkpoint::watermark::Watermark,
    leases::tenure::Tenure,
    record::{page::Page, text::SharedText},
    source::{error::ServiceError, feed::Feed, kinesis::Anchor, polling::Event},
    spec::Order,
    telemetry::health::{Activity, Line},
};

/// One record on its way.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) page: Arc<Page>,
    pub(super) index: usize,
    pub(super) attempt: NonZeroU32,
    number: u64,
}

/// One attempt that is over; it was not begun if it has no outcome.
pub(super) struct Ended {
    pub(super) ticket: Ticket,
    pub(super) job: Job,
    pub(super) settled: Option<Settled>,
}

pub(super) struct Desk {
    stream: &'static str,
    shard_id: SharedText,
    lanes: Lanes<Job>,
    mark: Watermark,
    retries: BinaryHeap<Reverse<(Instant, Ticket)>>,
    phase: Phase,
    rules: Rules,
    health: Arc<Line>,
    unpublished: u32,
    feed: Feed,
    /// Where this reading began.
    start: Anchor,
    source: Source,
}

/// What the source is trusted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Speaking,
    /// It was silent, and has said nothing since it was built anew.
    Rebuilt,
}

enum Phase {
    Reading,
    /// The source has given all it will; the rest is handled.
    Draining(Option<Exit>),
    /// A record needs a person: what runs may end, nothing begins.
    Halted,
    /// What runs may end until then, nothing begins.
    Leaving {
        exit: Option<Exit>,
        until: Instant,
    },
}

/// A wait is a place in a timer; one longer than any retention is as good as this.
const LONGEST_WAIT: Duration = Duration::from_hours(8760);

impl Desk {
    pub(super) fn new(
        stream: &'static str,
        shard_id: SharedText,
        rules: Rules,
        health: Arc<Line>,
        feed: Feed,
    ) -> Self {
        Self {
            stream,
            shard_id,
            lanes: Lanes::new(),
            mark: Watermark::default(),
            retries: BinaryHeap::new(),
            phase: Phase::Reading,
            rules,
            health,
            unpublished: 0,
            start: feed.anchor().clone(),
            feed,
            source: Source::Speaking,
        }
    }

    pub(super) fn begins(&self) -> bool {
        matches!(self.phase, Phase::Reading | Phase::Draining(_))
    }

    /// A page is taken in when the last one is nearly begun and the window has room. Until then it waits in the channel, and the source
    /// waits with it.
    fn reads(&self) -> bool {
        matches!(self.phase, Phase::Reading)
            && self.lanes.ready() <= self.rules.concurrency as usize
            && self.mark.window() < self.rules.window
    }

    pub(super) fn poll_source(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        if self.reads() {
            self.feed.poll_next(cx)
        } else {
            Poll::Pending
        }
    }

    pub(super) fn begin(&mut self) -> Option<(Ticket, Job)> {
        self.lanes.begin()
    }

    /// How the tenure ends, once nothing runs.
    pub(super) fn exit(&mut self) -> Option<Exit> {
        match &mut self.phase {
            Phase::Draining(exit) if self.lanes.is_empty() => exit.take(),
            Phase::Leaving { exit, .. } => exit.take(),
            _ => None,
        }
    }

    pub(super) fn stop(&mut self, grace: Duration) {
        // A failure that is on its way out stays one; it only has less time.
        let exit = match &mut self.phase {
            Phase::Leaving { exit, .. } => exit.take(),
            _ => None,
        };
        self.leave(exit.unwrap_or(Exit::Stopped), grace);
    }

    fn leave(&mut self, exit: Exit, grace: Duration) {
        self.phase = Phase::Leaving {
            exit: Some(exit),
            until: Instant::now() + grace.min(LONGEST_WAIT),
        };
    }

    pub(super) fn is_out_of_patience(&self) -> bool {
        matches!(self.phase, Phase::Leaving { until, .. } if Instant::now() >= until)
    }

    pub(super) fn next_timer(&self) -> Option<Instant> {
        match &self.phase {
            Phase::Leaving { until, .. } => Some(*until),
            Phase::Halted => None,
            Phase::Draining(_) => self.next_retry(),
            Phase::Reading => sooner(self.next_retry(), self.feed.silent_at()),
        }
    }

    fn next_retry(&self) -> Option<Instant> {
        self.retries.peek().map(|Reverse((due, _))| *due)
    }

    /// Asked when a timer fires: whether the source still says what it does.
    pub(super) fn mind_source(&mut self) {
        if matches!(self.phase, Phase::Reading)
            && self.feed.silent_at().is_some_and(|at| Instant::now() >= at)
        {
            self.rebuild_source("it reports nothing");
        }
    }

    /// A source that is silent or gone is built anew behind the last record that it delivered: what is being handled hears nothing of it.
    /// One that says nothing even then costs the lease: another process may fare better.
    fn rebuild_source(&mut self, why: &'static str) {
        match self.source {
            Source::Speaking => {
                tracing::error!(stream = self.stream, shard = %self.shard_id, why, "source is built anew");
                self.source = Source::Rebuilt;
                self.health
                    .write(|health| health.activity = Activity::Silent);
                self.feed.go_to(self.anchor(self.mark.delivered()));
            }
            Source::Rebuilt => {
                tracing::error!(stream = self.stream, shard = %self.shard_id, why, "source was built anew in vain; the lease is given back");
                self.leave(Exit::Silent, defaults::HANDOVER);
            }
        }
    }

    fn source_spoke(&mut self) {
        if self.source == Source::Rebuilt {
            self.source = Source::Speaking;
            self.health
                .write(|health| health.activity = Activity::Reading);
        }
    }

    /// The place behind the first so many records of this reading.
    fn anchor(&self, records: u64) -> Anchor {
        self.mark.sequence_before(records).map_or_else(
            || self.start.clone(),
            |sequence| Anchor::After {
                sequence: sequence.to_string(),
            },
        )
    }

    pub(super) fn take_in(&mut self, event: Option<Event>) {
        if event.is_some() {
            self.source_spoke();
        }
        match event {
            Some(Event::Page(page)) => self.deliver(page),
            Some(Event::Nothing { behind }) => self.health.write(|health| health.behind = behind),
            Some(Event::End { children }) => {
                self.health
                    .write(|health| health.activity = Activity::Ending);
                self.phase = Phase::Draining(Some(Exit::ShardEnd { children }));
            }
            Some(Event::Vanished(error)) => {
                self.phase = Phase::Draining(Some(Exit::Vanished(error)));
            }
            Some(Event::Fatal(error)) => self.fail(error),
            // A source ends with a word of its own, unless it panicked.
            None => self.rebuild_source("it ended without a word"),
        }
    }

    fn fail(&mut self, error: ServiceError) {
        tracing::debug!(stream = self.stream, shard = %self.shard_id, %error, "shard cannot be read any more");
        self.leave(Exit::Fatal(error), defaults::HANDOVER);
    }

    fn deliver(&mut self, page: Page) {
        let first = self.mark.deliver(page.names());
        let behind = page.behind();
        let page = Arc::new(page);
        for index in 0..page.len() {
            let lane = match self.rules.order {
                Order::PartitionKey => Lane::of_key(page.names().key(index)),
                Order::Shard => Lane::SHARD,
            };
            let (page, number) = (Arc::clone(&page), first + index as u64);
            self.lanes.push(
                lane,
                Job {
                    page,
                    index,
                    attempt: NonZeroU32::MIN,
                    number,
                },
            );
        }
        let window = self.mark.window();
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
        // Chosen before the worker was told to begin nothing: it stays unsettled, and its lane closed.
        let Some(settled) = settled else { return };
        match settled.0 {
            Verdict::Outcome(Outcome::Done) => self.done(ticket, job.number),
            Verdict::Outcome(Outcome::Skip) => {
                let sequence = job.page.names().sequence(job.index);
                tracing::warn!(stream = self.stream, shard = %self.shard_id, sequence, "record skipped by its handler");
                self.health.write(|health| health.skipped += 1);
                self.done(ticket, job.number);
            }
            Verdict::Outcome(Outcome::Halt(reason)) => self.halt(&job, &reason.to_string()),
            Verdict::Undecodable(error) => self.halt(&job, &Chain(&error).to_string()),
            Verdict::Outcome(Outcome::Retry) => self.retry(ticket, job, None, &ASKED),
            Verdict::Outcome(Outcome::RetryAfter(wait)) => {
                self.retry(ticket, job, Some(wait), &ASKED);
            }
            Verdict::Failed(error) => self.retry(ticket, job, None, &Chain(&*error)),
            Verdict::Panicked(text) => self.retry(
                ticket,
                job,
                None,
                &format_args!("the handler panicked: {text}"),
            ),
        }
    }

    fn done(&mut self, ticket: Ticket, number: u64) {
        self.lanes.end(ticket);
        if self.mark.settle(number) {
            self.unpublished += 1;
        }
    }

    /// The record holds its lane and no slot.
    fn retry(
        &mut self,
        ticket: Ticket,
        mut job: Job,
        wait: Option<Duration>,
        why: &dyn fmt::Display,
    ) {
        let attempt = job.attempt;
        let wait = wait
            .unwrap_or_else(|| self.rules.backoff.wait(attempt.get()))
            .min(LONGEST_WAIT);
        tracing::warn!(
            stream = self.stream, shard = %self.shard_id, sequence = job.page.names().sequence(job.index), attempt, ?wait, %why,
            "record is tried again"
        );
        self.health.write(|health| health.failed_attempts += 1);
        job.attempt = attempt.saturating_add(1);
        self.lanes.park(ticket, job);
        self.retries.push(Reverse((Instant::now() + wait, ticket)));
    }

    /// Asked at every turn: a retry that is due waits for no backlog.
    pub(super) fn wake_retries(&mut self) {
        if self.retries.is_empty() {
            return;
        }
        let now = Instant::now();
        while let Some(Reverse((due, ticket))) = self.retries.peek().copied()
            && due <= now
        {
            self.retries.pop();
            self.lanes.again(ticket);
        }
    }

    fn halt(&mut self, job: &Job, reason: &str) {
        let sequence = job.page.names().sequence(job.index);
        tracing::error!(stream = self.stream, shard = %self.shard_id, sequence, reason, "shard halted before a record");
        self.health.write(|health| {
            health.activity = Activity::Halted {
                sequence_number: sequence.into(),
                reason: reason.into(),
            };
        });
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
        if let Some(sequence) = self.mark.checkpoint() {
            tenure.publish(sequence.clone());
        }
        let (settled, window) = (self.mark.settled(), self.mark.window());
        self.health.write(|health| {
            health.settled = settled;
            health.window = window;
        });
    }
}

fn sooner(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    one.into_iter().chain(other).min()
}

const ASKED: &str = "the handler asks for it";
