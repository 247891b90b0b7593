//! One shard, one tenure: pages in, handlers run, records settle, the watermark moves.

use std::{
    fmt,
    future::poll_fn,
    marker::PhantomData,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use futures_util::FutureExt;
use kinesis_app_rules::defaults;
use tokio::{
    sync::oneshot,
    task::coop::consume_budget,
    time::{Instant, Sleep, sleep_until},
};

use super::{
    attempt::{Bench, attempt},
    batches::{attempt::attempt_batch, handler::BatchHandler, queue::Group},
    desk::{Desk, Ended, Job, Place},
    floor::{Floor, Moved},
    gate::Gate,
    handler::RecordHandler,
    rules::Rules,
    share::Permit,
    shutdown::Shutdown,
};
use crate::{
    app::{
        directory::Directory,
        wire::{BoxFuture, Wire},
    },
    leases::{generation::Known, readings::Turn, tenure::Tenure, writer::Lost},
    planted::{Bug, planted},
    record::text::SharedText,
    service_error::ServiceError,
    shards::ListedShard,
    source::{feed::Feed, polling::Event},
    stop::{Stop, Stopping},
    telemetry::board::Line,
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

/// How a handler takes its records.
pub(super) trait Takes<W: Wire>: 'static {
    /// What one attempt is made at.
    type Begun: Send;

    fn begin(desk: &mut Desk) -> Option<Self::Begun>;

    /// The future lies in a slot: what is begun is borrowed from it, and nothing is allocated for the attempt.
    fn attempt(
        bench: &Bench<'_, W::State>,
        begun: Self::Begun,
        permit: Permit,
    ) -> impl Future<Output = Ended> + Send;
}

/// One by one.
pub(crate) struct Records<H>(PhantomData<fn() -> H>);

/// In batches.
pub(crate) struct Batches<H>(PhantomData<fn() -> H>);

impl<W: Wire, H: RecordHandler<W>> Takes<W> for Records<H> {
    type Begun = (Place, Job);

    fn begin(desk: &mut Desk) -> Option<Self::Begun> {
        desk.begin()
    }

    fn attempt(
        bench: &Bench<'_, W::State>,
        (place, job): Self::Begun,
        permit: Permit,
    ) -> impl Future<Output = Ended> + Send {
        attempt::<W, H>(bench, place, job, permit)
    }
}

impl<W: Wire, H: BatchHandler<W>> Takes<W> for Batches<H> {
    type Begun = Group<Job>;

    fn begin(desk: &mut Desk) -> Option<Self::Begun> {
        desk.begin_batch()
    }

    fn attempt(
        bench: &Bench<'_, W::State>,
        group: Self::Begun,
        _: Permit,
    ) -> impl Future<Output = Ended> + Send {
        attempt_batch::<W, H>(bench, group)
    }
}

/// The worker of a handler in an application wired by `W`; `T` is how it takes its records.
pub(crate) struct Typed<W: Wire, T> {
    state: Arc<W::State>,
    handler: PhantomData<fn() -> T>,
}

impl<W: Wire, T> Typed<W, T> {
    pub(crate) fn new(state: Arc<W::State>) -> Self {
        Self {
            state,
            handler: PhantomData,
        }
    }
}

impl<W: Wire, T> fmt::Debug for Typed<W, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Worker")
    }
}

impl<W: Wire, T: Takes<W>> Worker for Typed<W, T> {
    fn run<'a>(&'a self, shard: &'a mut Assignment, feed: Feed) -> BoxFuture<'a, Exit> {
        Box::pin(run::<W, T>(&self.state, shard, feed))
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

async fn run<W: Wire, T: Takes<W>>(state: &W::State, shard: &mut Assignment, feed: Feed) -> Exit {
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
        stopwatch: shard.health.watch().stopwatch(),
    };
    let mut desk = Desk::new(shard, feed, &bench.stopwatch);
    let mut floor = Floor::new(shard, &gate);
    let mut timer = Box::pin(sleep_until(tenure.deadline()));
    let mut stop = pin!(shard.stop.asked().fuse());
    loop {
        // A handler that is always ready would otherwise keep its thread to itself.
        consume_budget().await;
        desk.wake_retries();
        gate.open_if(desk.begins());
        let begins = desk.begins() && gate.is_current(desk.reading());
        floor.begin(&mut desk, begins, T::begin, |begun, permit| {
            T::attempt(&bench, begun, permit)
        });
        let running = floor.running();
        let is_early = planted(Bug::EndBeforeSettlement) || planted(Bug::GrantBeforeHandlersEnd);
        if running == 0 && !floor.waits_for_turn() || is_early {
            desk.publish(&tenure);
            if let Some(exit) = desk.at_rest(begins) {
                return exit;
            }
        }
        let next = desk.next_timer(begins && floor.has_idle_slot());
        arm(&mut timer, next, tenure.deadline());
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
                return lose(floor, desk, Lost::Deadline);
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
                return lose(floor, desk, why);
            }
            Wake::Stop(grace) => desk.stop(grace),
            Wake::Timer if Instant::now() >= tenure.deadline() => {
                // What ran may have done half its work; it is dropped, and its records are handled again by the next owner.
                return lose(floor, desk, Lost::Deadline);
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

/// What runs is dropped.
fn lose<F: Future<Output = Ended>>(mut floor: Floor<F>, mut desk: Desk, why: Lost) -> Exit {
    floor.drop_all();
    desk.tell_counts();
    Exit::Lost(why)
}

/// To the earlier of both. Resetting a timer takes a lock; most turns of the loop need none.
fn arm(timer: &mut Pin<Box<Sleep>>, next: Option<Instant>, deadline: Instant) {
    let at = next.map_or(deadline, |next| next.min(deadline));
    if timer.deadline() != at || timer.is_elapsed() {
        timer.as_mut().reset(at);
    }
}
