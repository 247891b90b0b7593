//! The emulator's wall clock: a fixed beginning plus what tokio's clock has counted since, and what
//! it was advanced by.
//!
//! Under a paused runtime it moves only when tokio moves. The SDK signs, refreshes credentials and
//! judges stalled bodies by it; a client that keeps the system's clock beside a paused runtime
//! would never see a body stall.

use crate::service::Moment;
use aws_smithy_async::time::TimeSource;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
use tokio::time::Instant;

/// How far the clocks of clients are from the service's.
///
/// The service refuses what is signed more than 5 minutes off, with `InvalidSignatureException`; the
/// SDK then learns the difference from the answer's `Date`, and signs anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skew {
    /// They show the same time.
    #[default]
    None,
    /// Clients are ahead of the service.
    Ahead(Duration),
    /// Clients are behind the service.
    Behind(Duration),
}

/// The clock of one emulator, as a time source for any SDK client.
#[derive(Clone, Debug)]
pub struct EmulatorClock {
    epoch: SystemTime,
    start: Instant,
    /// Milliseconds; shared by all that show this clock.
    advanced: Arc<AtomicU64>,
}

impl EmulatorClock {
    pub(crate) fn starting_at(epoch: SystemTime) -> Self {
        Self {
            epoch,
            start: Instant::now(),
            advanced: Arc::default(),
        }
    }

    /// The emulator's wall-clock time.
    pub fn now(&self) -> SystemTime {
        let advanced = Duration::from_millis(self.advanced.load(Ordering::Relaxed));
        self.epoch + self.start.elapsed() + advanced
    }

    pub(crate) fn advance(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.advanced.fetch_add(millis, Ordering::Relaxed);
    }

    /// The same clock as a machine sees it whose own is off.
    pub(crate) fn skewed(&self, skew: Skew) -> Self {
        let epoch = match skew {
            Skew::None => self.epoch,
            Skew::Ahead(by) => self.epoch + by,
            Skew::Behind(by) => self.epoch - by,
        };
        Self {
            epoch,
            ..self.clone()
        }
    }

    pub(crate) fn moment(&self) -> Moment {
        Moment::from(self.now())
    }
}

impl TimeSource for EmulatorClock {
    fn now(&self) -> SystemTime {
        Self::now(self)
    }
}
