//! The emulator as it is now: begun, begun anew by a reset, kept in its directory.

use super::{ServeError, Server};
use crate::data::Revision;
use crate::hub::lock;
use crate::{DataDirectory, DataError, Kinesis};
use std::convert::Infallible;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long the newest change waits at least until it is on the disk, and about how long at most.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// A save that takes long makes the next one wait so many times as long: saving takes a fifth of
/// the time at most, however much there is to write.
const REST: u32 = 4;

#[derive(Debug)]
pub(super) struct Running {
    server: Server,
    kinesis: Mutex<Kinesis>,
    keeper: Option<Keeper>,
}

#[derive(Debug)]
struct Keeper {
    directory: DataDirectory,
    /// What was written last; held while something is written.
    saved: Mutex<Option<Revision>>,
}

impl Running {
    pub(super) fn start(server: Server) -> Result<Self, ServeError> {
        let directory = server.data.as_ref().map(DataDirectory::open).transpose()?;
        let settings = server.settings.clone();
        let kinesis = match &directory {
            Some(directory) => settings.load(directory)?,
            None => settings.build(),
        };
        server.begin(&kinesis)?;
        let running = Self {
            server,
            kinesis: Mutex::new(kinesis),
            keeper: directory.map(|directory| Keeper {
                directory,
                saved: Mutex::new(None),
            }),
        };
        // A directory that cannot be written to is better told before it is relied on.
        running.save()?;
        Ok(running)
    }

    pub(super) fn kinesis(&self) -> Kinesis {
        lock(&self.kinesis).clone()
    }

    /// Calls under way end on the emulator that they began on, subscriptions at once. What was kept
    /// is gone as well.
    pub(super) fn reset(&self) -> Result<(), ServeError> {
        let fresh = self.server.settings.clone().build();
        let replaced = self.kinesis();
        fresh.core.come_after(&replaced.core);
        self.server.begin(&fresh)?;
        let Some(keeper) = &self.keeper else {
            *lock(&self.kinesis) = fresh;
            replaced.core.hang_up();
            return Ok(());
        };
        let mut saved = lock(&keeper.saved);
        *saved = None;
        *lock(&self.kinesis) = fresh.clone();
        replaced.core.hang_up();
        keeper.save(&fresh, &mut saved)?;
        Ok(())
    }

    /// Writes what was changed since the last time, if it is kept at all.
    pub(super) fn save(&self) -> Result<(), DataError> {
        let Some(keeper) = &self.keeper else {
            return Ok(());
        };
        let mut saved = lock(&keeper.saved);
        keeper.save(&self.kinesis(), &mut saved)
    }

    /// Saves again and again, until that fails.
    pub(super) async fn keep(self: Arc<Self>) -> Result<Infallible, DataError> {
        if self.keeper.is_none() {
            return pending().await;
        }
        let mut pause = SAVE_EVERY;
        loop {
            sleep(pause).await;
            let (begun, running) = (Instant::now(), Arc::clone(&self));
            let saved = tokio::task::spawn_blocking(move || running.save()).await;
            match saved {
                Ok(saved) => saved?,
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            }
            pause = SAVE_EVERY.max(begun.elapsed() * REST);
        }
    }
}

impl Keeper {
    fn save(&self, kinesis: &Kinesis, saved: &mut Option<Revision>) -> Result<(), DataError> {
        *saved = Some(self.directory.write(&kinesis.core, *saved)?);
        Ok(())
    }
}
