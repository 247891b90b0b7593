//! One shard, one tenure: pages in, handlers run, records settle, the watermark moves.

use std::{
    fmt,
    future::poll_fn,
    marker::PhantomData,
    panic::AssertUnwindSafe,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use futures_util::FutureExt;
use kinesis_app_rules::defaults;
use tokio::{
    sync::{Semaphore, oneshot},
    task::coop::consume_budget,
    time::{Instant, Sleep, sleep_until, timeout},
};

use super::{
    desk::{Desk, Ended, Job},
    extract::RecordContext,
    floor::{Floor, Moved},
    gate::Gate,
    handler::RecordHandler,
    lanes::Ticket,
    outcome::{Settled, Undecodable, Verdict},
    policy::Policy,
    retry::Backoff,
    share::Permit,
    shutdown::Shutdown,
};
use crate::{
    app::{
        directory::Directory,
        wire::{BoxFuture, Wire},
    },
    leases::{generation::Known, readings::Turn, tenure::Tenure, writer::Lost},
    planted::{self, Bug, planted},
    record::{RecordRef, aggregation, text::SharedText},
    service_error::ServiceError,
    shards::ListedShard,
    source::{feed::Feed, polling::Event},
    spec::{HandlerSpec, Order},
    stop::{Stop, Stopping},
    telemetry::health::Line,
};

/// A handler with its state, erased once per shard.
pub(crate) trait Worker: fmt::Debug + Send + Sync {
    fn run<'a>(&'a self, shard: &'a mut Assignment, feed: Feed) -> BoxFuture<'a, Exit>;
}

/// A shard and everything that its worker needs.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) stream: &'static str,
    pub(crate) shard_id: SharedText,
    pub(crate) tenure: Arc<Tenure>,
    pub(crate) known: Arc<Known>,
    pub(crate) directory: Arc<Directory>,
    pub(crate) lost: oneshot::Receiver<Lost>,
    pub(crate) stop: Stop,
    /// What runs hears from it that the shard is about to be left.
    pub(crate) leaving: Arc<Stopping>,
    pub(crate) rules: Rules,
    pub(crate) health: Arc<Line>,
}

/// What a worker goes by.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub(crate) concurrency: u32,
    pub(crate) order: Order,
    pub(crate) policy: Policy,
    pub(crate) timeout: Option<Duration>,
    /// Of the handler in this process; `None` sets no limit.
    pub(crate) total: Option<Arc<Semaphore>>,
    /// The handler's name, and its stream's, as dead letters bear them.
    pub(crate) label: &'static str,
    pub(crate) stream: Arc<str>,
    pub(crate) letters: Backoff,
    pub(crate) backoff: Backoff,
    pub(crate) window: u64,
}

impl Rules {
    /// `service` is the back-off of calls to the service.
    pub(crate) fn of(handler: &HandlerSpec, stream: &str, service: &Backoff) -> Self {
        let total = handler.concurrency.total;
        let total = total.map(|total| total.get() as usize);
        Self {
            concurrency: handler.concurrency.shard,
            order: handler.order,
            policy: Policy::of(handler),
            timeout: handler.timeout,
            total: total.map(|total| Arc::new(Semaphore::new(total.min(Semaphore::MAX_PERMITS)))),
            label: handler.label,
            stream: stream.into(),
            letters: service.clone(),
            backoff: Backoff {
                first: handler.retry.backoff,
                max: handler.retry.max_backoff,
                chance: Arc::clone(&service.chance),
            },
            window: defaults::WINDOW_RECORDS.into(),
        }
    }
}

/// How a tenure ended for its worker. Whatever had settled by then is published.
#[derive(Debug)]
pub(crate) enum Exit {
    /// The shard is closed, read to its end, and its last record has settled.
    ShardEnd {
        children: Vec<ListedShard>,
        /// Which was read to its end.
        reading: u64,
    },
    /// It was asked to.
    Stopped,
    /// The stream is in another generation, in which something comes before the shard.
    Outdated,
    /// Its source reported nothing, was built anew, and reported nothing again.
    Silent,
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
    fn run<'a>(&'a self, shard: &'a mut Assignment, feed: Feed) -> BoxFuture<'a, Exit> {
        Box::pin(run::<W, H>(&self.state, shard, feed))
    }
}

/// What every attempt of a worker shares.
struct Bench<'a, S> {
    state: &'a S,
    directory: &'a Arc<Directory>,
    shard_id: &'a SharedText,
    gate: &'a Gate,
    shutdown: Shutdown,
    timeout: Option<Duration>,
}

/// One attempt. Its future lies in a slot, so the record is borrowed from it and nothing is allocated.
async fn attempt<W: Wire, H: RecordHandler<W>>(
    bench: &Bench<'_, W::State>,
    ticket: Ticket,
    job: Job,
    _permit: Permit,
) -> Ended {
    let settled = if let Err(why) = bench.gate.lets_begin(job.reading) {
        Err(why)
    } else if aggregation::is_aggregate(job.page.data(job.index)) {
        Ok(Settled::undecodable(Undecodable::KplAggregate))
    } else {
        let cx = RecordContext {
            record: RecordRef::new(&job.page, job.index, bench.shard_id),
            shard_id: bench.shard_id,
            attempt: job.attempt,
            token: bench.gate.token(),
            behind: job.page.behind(),
            shutdown: &bench.shutdown,
            state: bench.state,
            directory: bench.directory,
        };
        planted::note(Bug::HeartbeatBehindHandler, bench.shard_id);
        // A handler that is out of time is dropped in here as well: it may panic then.
        let call = async {
            match bench.timeout {
                None => H::call(&cx).await,
                Some(limit) => timeout(limit, H::call(&cx))
                    .await
                    .unwrap_or(Settled(Verdict::TimedOut(limit))),
            }
        };
        let ended = AssertUnwindSafe(call).catch_unwind().await;
        planted::forget(bench.shard_id);
        Ok(match ended {
            Ok(settled) => settled,
            Err(panic) => Settled::panicked(&*panic),
        })
    };
    Ended {
        ticket,
        job,
        settled,
    }
}

enum Wake {
    Moved(Moved),
    Event(Option<Event>),
    Turn(Turn),
    Lost(Lost),
    Stop(Duration),
    Timer,
}

async fn run<W: Wire, H: RecordHandler<W>>(
    state: &W::State,
    shard: &mut Assignment,
    feed: Feed,
) -> Exit {
    let tenure = Arc::clone(&shard.tenure);
    let gate = Gate::new(&tenure, &shard.known);
    let (shard_id, directory) = (shard.shard_id.clone(), Arc::clone(&shard.directory));
    let bench = Bench {
        state,
        directory: &directory,
        shard_id: &shard_id,
        gate: &gate,
        shutdown: Shutdown::new(shard.leaving.listener()),
        timeout: shard.rules.timeout,
    };
    let mut desk = Desk::new(shard, feed);
    let mut floor = Floor::new(shard, &gate);
    let mut timer = Box::pin(sleep_until(tenure.deadline()));
    let mut stop = pin!(shard.stop.asked().fuse());
    loop {
        // A handler that is always ready would otherwise keep its thread to itself.
        consume_budget().await;
        desk.wake_retries();
        gate.open_if(desk.begins());
        let begins = desk.begins() && gate.is_current(desk.reading());
        floor.begin(&mut desk, begins, |ticket, job, permit| {
            attempt::<W, H>(&bench, ticket, job, permit)
        });
        let running = floor.running();
        let is_early = planted(Bug::EndBeforeSettlement) || planted(Bug::GrantBeforeHandlersEnd);
        if running == 0 || is_early {
            desk.publish(&tenure);
            if let Some(exit) = desk.at_rest() {
                return exit;
            }
        }
        arm(&mut timer, desk.next_timer(), tenure.deadline());
        if running > 0 {
            tenure.pulse().waits();
        }
        let wake = poll_fn(|cx| {
            // Handlers that never wait must not keep the worker from hearing that it is to stop.
            if let Poll::Ready(why) = shard.lost.poll_unpin(cx) {
                // A writer that ended without a word writes no more.
                return Poll::Ready(Wake::Lost(why.unwrap_or(Lost::Deadline)));
            }
            if let Poll::Ready(grace) = stop.as_mut().poll(cx) {
                return Poll::Ready(Wake::Stop(grace));
            }
            if let Poll::Ready(turn) = tenure.readings().poll_told(cx) {
                return Poll::Ready(Wake::Turn(turn));
            }
            if let Poll::Ready(moved) = floor.poll(cx) {
                return Poll::Ready(Wake::Moved(moved));
            }
            if let Poll::Ready(event) = desk.poll_source(cx) {
                return Poll::Ready(Wake::Event(event));
            }
            if timer.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Wake::Timer);
            }
            if running == 0 {
                tenure.pulse().until(timer.deadline());
            }
            desk.publish(&tenure);
            Poll::Pending
        })
        .await;
        match wake {
            // Not begun, for the deadline passed: what runs beside it is dropped, as at the timer's word.
            Wake::Moved(moved) if moved.is_late() && desk.begins() => {
                floor.drop_all();
                return Exit::Lost(Lost::Deadline);
            }
            Wake::Moved(moved) => {
                match moved {
                    Moved::Ended(ended) => desk.settle(ended),
                    Moved::Posted(posted) => desk.posted(posted),
                    Moved::Turn => {}
                }
                if desk.unpublished() >= defaults::CHECKPOINT_RECORDS {
                    desk.publish(&tenure);
                }
            }
            Wake::Event(event) => desk.take_in(event),
            Wake::Turn(turn) => desk.turn(turn, &tenure, &shard.known),
            Wake::Lost(why) => {
                floor.drop_all();
                return Exit::Lost(why);
            }
            Wake::Stop(grace) => desk.stop(grace),
            Wake::Timer if Instant::now() >= tenure.deadline() => {
                // What ran may have done half its work; it is dropped, and its records are handled again by the next owner.
                floor.drop_all();
                return Exit::Lost(Lost::Deadline);
            }
            Wake::Timer => {
                if desk.is_out_of_patience() {
                    tracing::warn!(stream = shard.stream, shard = %shard_id, running, "handlers took too long and were dropped");
                    floor.drop_all();
                    desk.give_up();
                }
                desk.on_timer(floor.has_idle_slot());
            }
        }
    }
}

/// To the earlier of both. Resetting a timer takes a lock; most turns of the loop need none.
fn arm(timer: &mut Pin<Box<Sleep>>, next: Option<Instant>, deadline: Instant) {
    let at = next.map_or(deadline, |next| next.min(deadline));
    if timer.deadline() != at || timer.is_elapsed() {
        timer.as_mut().reset(at);
    }
}
