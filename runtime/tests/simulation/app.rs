//! The applications: they write down what they handle, and do with each record what the seed says.

mod batch;
mod batches;
mod cut;
mod hooks;
mod order;
mod plain;
mod record;
mod records;
mod work;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use kinesis_app::{
    HandlerError,
    prelude::*,
    spec::{Checkpoints, OnRecreated},
};

pub(crate) use self::{
    batches::orders::App as Batches,
    order::{UNDECODABLE_CAUSE, decodes, number, payload},
    plain::orders::App as Plain,
    records::orders::App as Records,
};
use self::{
    order::{LeftOut, Numbered, Order},
    record::Said,
    work::{ATTEMPTS, Work},
};
use crate::trace::{Handling, Hook, MachineId, Told, Trace, What};

/// Whose handlers may seek, and how far back from them.
const SEEKS_EVERY: u64 = 101;
const BACK: Duration = Duration::from_secs(5);

/// What is read.
#[kinesis_app::stream(
    name = "orders",
    start(trim_horizon),
    poll_interval = "2s",
    codec(Numbered)
)]
pub(crate) struct Orders;

/// What is given up on.
#[kinesis_app::stream(name = "rejected", codec(Raw))]
pub(crate) struct Rejected;

/// What handlers reply.
#[kinesis_app::stream(name = "receipts", codec(Raw))]
pub(crate) struct Receipts;

/// Which application the machines run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Plain,
    Records,
    Batches,
}

impl Shape {
    /// Whether records are given up on, and shards have hooks.
    pub(crate) fn has_sinks(self) -> bool {
        self != Self::Plain
    }
}

/// What the handlers of one machine share.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    pub(crate) machine: MachineId,
    pub(crate) trace: Trace,
    pub(crate) seed: u64,
    pub(crate) shape: Shape,
    /// The end of the run: handlers do their work at once.
    pub(crate) hurry: Arc<AtomicBool>,
    /// Whether some records are held.
    pub(crate) holds: bool,
    /// How many times handlers are still to reposition the stream.
    pub(crate) seeks: Arc<AtomicU32>,
    /// How many batches there were.
    pub(crate) batches: Arc<AtomicU64>,
}

impl Desk {
    fn hurries(&self) -> bool {
        self.hurry.load(Ordering::Relaxed)
    }

    /// Whether one more seek of a handler is due: it is used up by that.
    fn has_seek(&self) -> bool {
        let one_less = |seeks: u32| seeks.checked_sub(1);
        let seeks = &self.seeks;
        seeks
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less)
            .is_ok()
    }

    /// At the end of the run nothing is held any more.
    fn times_held(&self, record: u64) -> u32 {
        if self.hurries() {
            u32::MAX
        } else {
            self.trace.times_held(record)
        }
    }

    fn work(&self, record: u64) -> Work {
        Work::of(self.seed, record, self.shape, self.holds)
    }

    fn handling(&self, order: &Order, shard: &ShardId, attempt: Attempt, lease: Lease) -> Handling {
        Handling {
            machine: self.machine,
            shard_id: shard.to_string(),
            record: order.number,
            attempt: attempt.get(),
            token: lease.token(),
            batch: None,
        }
    }
}

/// A seek, and what was told of it.
pub(crate) async fn seek(trace: &Trace, machine: MachineId, seeker: &Seeker<Orders>, to: Position) {
    trace.write(What::Seeks {
        machine,
        to: to.to_string(),
    });
    let told = Told::of(&seeker.seek(to).await);
    trace.write(What::Sought { machine, told });
}

/// Of every application.
fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), ConfigError> {
    let is = |name, value| setup.env(name).is_ok_and(|found| found == value);
    if is("PREFETCH", "little") {
        config.set_prefetch(1 << 20)?;
    }
    let stream = config.stream::<Orders>();
    if is("START", "latest") {
        stream.set_start(&Position::latest())?;
    }
    if is("RECREATED", "restart") {
        stream.set_on_recreated(OnRecreated::Restart);
    }
    if is("CHECKPOINTS", "ignore") {
        stream.set_checkpoints(Checkpoints::Ignore);
    }
    Ok(())
}
