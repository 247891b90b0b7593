//! The instances of the application under test, and what of their work outlives them.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::task::yield_now;

use super::witness::Witness;
use crate::{
    Checkpoint, Error, Health, LeaseRow, MemoryLeases, Running,
    app::wire::BoxFuture,
    cause::Chain,
    source::kinesis::Anchor,
    telemetry::health::{ShardHealth, ShardName},
};

/// Starts the application for the so-and-so-many-th time.
pub(super) type Launcher =
    Box<dyn Fn(u64) -> BoxFuture<'static, Result<Running, Error>> + Send + Sync>;

/// Those that run, over the leases that they share.
pub(super) struct Instances {
    pub(super) launch: Launcher,
    pub(super) leases: MemoryLeases,
    pub(super) witness: Arc<Witness>,
    /// The struct's name of each consumed stream, by what its rows begin with.
    pub(super) streams: BTreeMap<String, &'static str>,
    pub(super) starts: AtomicU64,
    pub(super) running: Mutex<BTreeMap<u64, Running>>,
}

/// Which instance of those that ever ran.
pub(super) const FIRST: u64 = 0;

impl Instances {
    pub(super) async fn start(&self, number: u64) -> Result<(), Error> {
        let start = self.starts.fetch_add(1, Ordering::Relaxed);
        let running = (self.launch)(start).await?;
        self.running().insert(number, running);
        Ok(())
    }

    /// Starts one beside the others: its number.
    pub(super) async fn start_another(&self) -> Result<u64, Error> {
        let number = self.starts.load(Ordering::Relaxed);
        self.start(number).await.map(|()| number)
    }

    pub(super) async fn stop(&self, number: u64) -> Result<(), Error> {
        let running = self.remove(number);
        let held = self.held_by(running.session());
        let stopped = running.shutdown().await;
        self.forget_unsaved(&held);
        stopped
    }

    pub(super) async fn crash(&self, number: u64) {
        let running = self.remove(number);
        let held = self.held_by(running.session());
        drop(running);
        // Its tasks are dropped when the runtime comes to them.
        yield_now().await;
        self.forget_unsaved(&held);
    }

    /// The health of all shards, whoever reads them.
    pub(super) fn shards(&self) -> BTreeMap<ShardName, ShardHealth> {
        let running = self.running();
        running
            .values()
            .flat_map(|running| running.health().shards)
            .collect()
    }

    pub(super) fn health(&self, number: u64) -> Option<Health> {
        self.running().get(&number).map(Running::health)
    }

    /// Why one of them does not read a stream any more.
    pub(super) fn failure(&self) -> Option<String> {
        let mut running = self.running();
        let failed = running.values_mut().find_map(Running::failure);
        failed.map(|error| Chain(error).to_string())
    }

    pub(super) fn none_runs(&self) -> bool {
        self.running().is_empty()
    }

    fn remove(&self, number: u64) -> Running {
        let running = self.running().remove(&number);
        running.expect("an instance that was not stopped before, and whose last start did not fail")
    }

    fn held_by(&self, session: &str) -> Vec<LeaseRow> {
        let rows = self.leases.rows().into_iter();
        rows.filter(|row| row.session() == Some(session)).collect()
    }

    /// What had settled and lies behind the checkpoint is handled again by whoever takes the shard next.
    fn forget_unsaved(&self, held: &[LeaseRow]) {
        let rows = self.leases.rows().into_iter();
        for row in rows.filter(|row| held.iter().any(|held| held.key == row.key)) {
            let Some(stream) = self.stream_of(&row) else {
                continue;
            };
            let shard = ShardName {
                stream,
                shard_id: row.shard_id,
            };
            let from = match row.checkpoint {
                Some(Checkpoint::After(sequence)) => Anchor::After { sequence },
                Some(Checkpoint::At(sequence)) => Anchor::At { sequence },
                Some(Checkpoint::ShardEnd) => continue,
                None => {
                    self.witness.forget(&shard);
                    continue;
                }
            };
            self.witness.reads_from(&shard, &from);
        }
    }

    fn stream_of(&self, row: &LeaseRow) -> Option<&'static str> {
        let stream = row.key.strip_suffix(&row.shard_id)?.strip_suffix(':')?;
        self.streams.get(stream).copied()
    }

    pub(super) fn running(&self) -> MutexGuard<'_, BTreeMap<u64, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Instances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.running().iter()).finish()
    }
}

/// An instance beside the first one, on the same leases. Made by [`TestApp::second_instance`](super::TestApp::second_instance).
///
/// It runs until it is stopped or crashed, or the test ends.
#[derive(Debug)]
pub struct SecondInstance {
    pub(super) instances: Arc<Instances>,
    pub(super) number: u64,
}

impl SecondInstance {
    /// What its streams and shards are doing.
    pub fn health(&self) -> Health {
        let health = self.instances.health(self.number);
        health.unwrap_or_default()
    }

    /// Stops it as [`Running::shutdown`] does.
    ///
    /// # Panics
    ///
    /// The stop fails.
    pub async fn stop(self) {
        let stopped = self.instances.stop(self.number).await;
        if let Err(error) = stopped {
            panic!(
                "the second instance did not stop cleanly: {}",
                Chain(&error)
            );
        }
    }

    /// Kills it where it is: its leases die after their duration, and what it did behind the last checkpoint is done again.
    pub async fn crash(self) {
        self.instances.crash(self.number).await;
    }
}
