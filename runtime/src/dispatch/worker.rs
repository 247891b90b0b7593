//! One shard, one tenure: pages in, handlers run, records settle, the watermark moves.

use std::{
    cmp::Reverse, collections::BinaryHeap, fmt, future::poll_fn, marker::PhantomData,
    num::NonZeroU32, panic::AssertUnwindSafe, pin::Pin, sync::Arc, task::Poll, time::Duration,
};

use futures_util::FutureExt;
use tokio::{
    sync::{mpsc, oneshot},
    task::coop::consume_budget,
    time::{Instant, Sleep, sleep_until},
};

use super::{
    extract::RecordContext,
    handler::RecordHandler,
    lanes::{Lane, Lanes, Ticket},
    outcome::{Chain, Outcome, Settled, Undecodable, Verdict},
    retry::Backoff,
    slots::Slots,
};
use crate::{
    app::wire::Wire,
    chance::Chance,
    checkpoint::watermark::Watermark,
    leases::{tenure::Tenure, writer::Lost},
    record::{RecordRef, aggregation, page::Page, text::SharedText},
    shards::ListedShard,
    source::{error::ServiceError, polling::Event},
    spec::Order,
    telemetry::health::{Activity, Line},
};

/// A handler with its state, erased once per shard.
pub(crate) trait Worker: fmt::Debug + Send + Sync {
    fn run(&self, shard: Assignment) -> Pin<Box<dyn Future<Output = Exit> + Send>>;
}

/// A shard and everything that its worker needs.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) stream: &'static str,
    pub(crate) shard_id: SharedText,
    pub(crate) events: mpsc::Receiver<Event>,
    pub(crate) tenure: Arc<Tenure>,
    pub(crate) lost: oneshot::Receiver<Lost>,
    /// Asks to stop: running handlers may go on for so long.
    pub(crate) stop: oneshot::Receiver<Duration>,
    pub(crate) rules: Rules,
    pub(crate) health: Line,
    pub(crate) chance: Arc<Chance>,
}

/// The numbers a worker goes by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) concurrency: u32,
    pub(crate) order: Order,
    pub(crate) backoff: Backoff,
    pub(crate) window: u64,
}

/// How a tenure ended for its worker. Whatever had settled by then is published.
#[derive(Debug)]
pub(crate) enum Exit {
    /// The shard is closed, read to its end, and its last record has settled.
    ShardEnd { children: Vec<ListedShard> },
    /// It was asked to.
    Stopped,
    /// The lease is not held any more.
    Lost(Lost),
    /// The shard is gone in the middle of it.
    Vanished(ServiceError),
    /// It can never be read.
    Fatal(ServiceError),
}

/// The worker of handler `H` in an application wired by `W`.
pub(crate) struct Typed<W: Wire, H> {
    state: Arc<W::State>,
    handler: PhantomData<fn() -> H>,
}

impl<W: Wire, H> Typed<W, H> {
    pub(crate) fn new(state: Arc<W::State>) -> Self {
        Self {
            state,
            handler: PhantomData,
        }
    }
}

impl<W: Wire, H> fmt::Debug for Typed<W, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Worker")
    }
}

impl<W: Wire, H: RecordHandler<W>> Worker for Typed<W, H> {
    fn run(&self, shard: Assignment) -> Pin<Box<dyn Future<Output = Exit> + Send>> {
        let state = Arc::clone(&self.state);
        Box::pin(async move { run::<W, H>(&state, shard).await })
    }
}

/// One record on its way.
struct Job {
    page: Arc<Page>,
    index: usize,
    number: u64,
    attempt: NonZeroU32,
}

struct Ended {
    ticket: Ticket,
    job: Job,
    settled: Settled,
}

/// One attempt. Its future lies in a slot, so the record is borrowed from it and nothing is allocated.
async fn attempt<W: Wire, H: RecordHandler<W>>(
    state: &W::State,
    shard_id: &SharedText,
    ticket: Ticket,
    job: Job,
) -> Ended {
    let settled = if aggregation::is_aggregate(job.page.data(job.index)) {
        Settled::undecodable(Undecodable::KplAggregate)
    } else {
        let record = RecordRef::new(&job.page, job.index, shard_id);
        let cx = RecordContext {
            record,
            shard_id,
            attempt: job.attempt,
            behind: job.page.behind(),
            state,
        };
        match AssertUnwindSafe(H::call(&cx)).catch_unwind().await {
            Ok(settled) => settled,
            Err(panic) => Settled::panicked(&*panic),
        }
    };
    Ended {
        ticket,
        job,
        settled,
    }
}

enum Wake {
    Ended(Ended),
    Event(Option<Event>),
    Lost(Lost),
    Stop(Duration),
    Timer,
}

async fn run<W: Wire, H: RecordHandler<W>>(state: &W::State, shard: Assignment) -> Exit {
    let Assignment {
        stream,
        shard_id,
        mut events,
        tenure,
        mut lost,
        mut stop,
        rules,
        health,
        chance,
    } = shard;
    let mut desk = Desk {
        stream,
        shard_id: shard_id.clone(),
        lanes: Lanes::new(),
        mark: Watermark::default(),
        retries: BinaryHeap::new(),
        phase: Phase::Reading,
        rules,
        health,
        chance,
        unpublished: 0,
    };
    let mut slots = Slots::new(rules.concurrency as usize);
    let mut timer = Box::pin(sleep_until(tenure.deadline()));
    let mut stopping = false;
    loop {
        // A handler that is always ready would otherwise keep its thread to itself.
        consume_budget().await;
        while desk.begins() && slots.has_idle() && Instant::now() < tenure.deadline() {
            let Some((ticket, job)) = desk.lanes.begin() else {
                break;
            };
            slots.start(attempt::<W, H>(state, &shard_id, ticket, job));
        }
        if slots.running() == 0
            && let Some(exit) = desk.exit()
        {
            desk.publish(&tenure);
            return exit;
        }
        arm(&mut timer, desk.next_timer(&tenure));
        let reads = desk.reads();
        let wake = poll_fn(|cx| {
            // Handlers that never wait must not keep the worker from hearing that it is to stop.
            if let Poll::Ready(why) = lost.poll_unpin(cx) {
                // A writer that ended without a word writes no more.
                return Poll::Ready(Wake::Lost(why.unwrap_or(Lost::Deadline)));
            }
            // A coordinator that is gone asks for nothing any more: it stops with it.
            if !stopping && let Poll::Ready(grace) = stop.poll_unpin(cx) {
                return Poll::Ready(Wake::Stop(grace.unwrap_or_default()));
            }
            if let Poll::Ready(ended) = slots.poll_next(cx) {
                return Poll::Ready(Wake::Ended(ended));
            }
            if reads && let Poll::Ready(event) = events.poll_recv(cx) {
                return Poll::Ready(Wake::Event(event));
            }
            if timer.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Wake::Timer);
            }
            // Publishing takes locks: once a pause, not once a record.
            desk.publish(&tenure);
            Poll::Pending
        })
        .await;
        match wake {
            Wake::Ended(ended) => {
                desk.settle(ended);
                if desk.unpublished >= PUBLISH_AT_LEAST {
                    desk.publish(&tenure);
                }
            }
            Wake::Event(event) => desk.take_in(event),
            Wake::Lost(why) => {
                slots.drop_all();
                return Exit::Lost(why);
            }
            Wake::Stop(grace) => {
                stopping = true;
                desk.phase = Phase::Stopping {
                    until: Instant::now() + grace,
                };
            }
            Wake::Timer => {
                let now = Instant::now();
                if now >= tenure.deadline() {
                    // What ran may have done half its work; it is dropped, and its records are handled again by the next owner.
                    slots.drop_all();
                    return Exit::Lost(Lost::Deadline);
                }
                if let Phase::Stopping { until } = desk.phase
                    && now >= until
                {
                    tracing::warn!(stream, shard = %shard_id, running = slots.running(), "handlers outlasted the shutdown and were dropped");
                    slots.drop_all();
                    desk.publish(&tenure);
                    return Exit::Stopped;
                }
                desk.wake_retries(now);
            }
        }
    }
}

/// A worker that never pauses publishes its checkpoint every so many records.
const PUBLISH_AT_LEAST: u32 = 4096;

/// Resetting a timer takes a lock; most turns of the loop need none.
fn arm(timer: &mut Pin<Box<Sleep>>, at: Instant) {
    if timer.deadline() != at || timer.is_elapsed() {
        timer.as_mut().reset(at);
    }
}

/// The worker's books.
struct Desk {
    stream: &'static str,
    shard_id: SharedText,
    lanes: Lanes<Job>,
    mark: Watermark,
    retries: BinaryHeap<Reverse<(Instant, Ticket)>>,
    phase: Phase,
    rules: Rules,
    health: Line,
    chance: Arc<Chance>,
    unpublished: u32,
}

enum Phase {
    Reading,
    /// The source has given all it will; the rest is handled.
    Draining(Option<Exit>),
    /// The shard can never be read: what runs may end, nothing begins.
    Failed(Option<ServiceError>),
    /// A record needs a person: what runs may end, nothing begins.
    Halted,
    /// What runs may end until then, nothing begins.
    Stopping {
        until: Instant,
    },
}

impl Desk {
    fn begins(&self) -> bool {
        matches!(self.phase, Phase::Reading | Phase::Draining(_))
    }

    /// A page is taken in when the last one is nearly begun and the window has room. Until then it waits in the channel, and the source
    /// waits with it.
    fn reads(&self) -> bool {
        matches!(self.phase, Phase::Reading)
            && self.lanes.ready() <= self.rules.concurrency as usize
            && self.mark.window() < self.rules.window
    }

    fn exit(&mut self) -> Option<Exit> {
        match &mut self.phase {
            Phase::Draining(exit) if self.lanes.is_empty() => exit.take(),
            Phase::Failed(error) => error.take().map(Exit::Fatal),
            Phase::Stopping { .. } => Some(Exit::Stopped),
            _ => None,
        }
    }

    fn next_timer(&self, tenure: &Tenure) -> Instant {
        let deadline = tenure.deadline();
        match &self.phase {
            Phase::Stopping { until } => deadline.min(*until),
            Phase::Halted | Phase::Failed(_) => deadline,
            _ => self
                .retries
                .peek()
                .map_or(deadline, |Reverse((due, _))| deadline.min(*due)),
        }
    }

    fn take_in(&mut self, event: Option<Event>) {
        match event {
            Some(Event::Page(page)) => self.deliver(page),
            Some(Event::Nothing { behind }) => self.health.write(|health| health.behind = behind),
            Some(Event::End { children }) => {
                self.health
                    .write(|health| health.activity = Activity::Ending);
                self.phase = Phase::Draining(Some(Exit::ShardEnd { children }));
            }
            Some(Event::Vanished(error)) => {
                tracing::error!(stream = self.stream, shard = %self.shard_id, %error, "shard vanished; what was not read of it is gone");
                self.phase = Phase::Draining(Some(Exit::Vanished(error)));
            }
            Some(Event::Fatal(error)) => self.phase = Phase::Failed(Some(error)),
            // A source ends with a word of its own; one that panicked leaves a lease that is given back.
            None => {
                self.phase = Phase::Stopping {
                    until: Instant::now(),
                }
            }
        }
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
            let job = Job {
                page: Arc::clone(&page),
                index,
                number: first + index as u64,
                attempt: NonZeroU32::MIN,
            };
            self.lanes.push(lane, job);
        }
        let window = self.mark.window();
        self.health.write(|health| {
            health.behind = behind;
            health.window = window;
        });
    }

    fn settle(&mut self, ended: Ended) {
        let Ended {
            ticket,
            job,
            settled,
        } = ended;
        let names = job.page.names();
        let (stream, shard, sequence) = (self.stream, &self.shard_id, names.sequence(job.index));
        match settled.0 {
            Verdict::Outcome(Outcome::Done) => self.done(ticket, job.number),
            Verdict::Outcome(Outcome::Skip) => {
                tracing::warn!(stream, %shard, sequence, "record skipped by its handler");
                self.health.write(|health| health.skipped += 1);
                self.done(ticket, job.number);
            }
            Verdict::Outcome(Outcome::Halt(reason)) => self.halt(&job, &reason.to_string()),
            Verdict::Undecodable(error) => self.halt(&job, &Chain(&error).to_string()),
            Verdict::Outcome(Outcome::Retry) => {
                self.retry(ticket, job, None, &"the handler asks for it");
            }
            Verdict::Outcome(Outcome::RetryAfter(wait)) => {
                self.retry(ticket, job, Some(wait), &"the handler asks for it");
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
        let wait =
            wait.unwrap_or_else(|| self.rules.backoff.wait(attempt.get(), self.chance.part()));
        tracing::warn!(
            stream = self.stream, shard = %self.shard_id, sequence = job.page.names().sequence(job.index), attempt, ?wait, %why,
            "record is tried again"
        );
        self.health.write(|health| health.failed_attempts += 1);
        job.attempt = attempt.saturating_add(1);
        self.lanes.park(ticket, job);
        self.retries.push(Reverse((Instant::now() + wait, ticket)));
    }

    fn wake_retries(&mut self, now: Instant) {
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
        // A stop that is under way stays one.
        if !matches!(self.phase, Phase::Stopping { .. }) {
            self.phase = Phase::Halted;
        }
    }

    fn publish(&mut self, tenure: &Tenure) {
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
