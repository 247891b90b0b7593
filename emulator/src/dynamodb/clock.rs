//! The emulator's clock, as the engine reads it.

use crate::EmulatorClock;
use dynoxide::storage_backend::Clock;
use std::time::{Duration, UNIX_EPOCH};

#[derive(Debug)]
pub(crate) struct TableClock(pub(crate) EmulatorClock);

impl TableClock {
    fn since_epoch(&self) -> Duration {
        let since = self.0.now().duration_since(UNIX_EPOCH);
        since.unwrap_or_default()
    }
}

impl Clock for TableClock {
    fn now_unix_secs(&self) -> u64 {
        self.since_epoch().as_secs()
    }

    fn now_unix_secs_f64(&self) -> f64 {
        self.since_epoch().as_secs_f64()
    }
}
