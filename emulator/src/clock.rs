//! The emulator's wall clock: a fixed beginning plus what tokio's clock has counted since.
//!
//! Under a paused runtime it moves only when tokio moves. The SDK signs, refreshes credentials and
//! judges stalled bodies by it; a client that keeps the system's clock beside a paused runtime
//! would never see a body stall.

use crate::service::Moment;
use aws_smithy_async::time::TimeSource;
use std::time::SystemTime;
use tokio::time::Instant;

/// The clock of one emulator, as a time source for any SDK client.
#[derive(Clone, Debug)]
pub struct EmulatorClock {
    epoch: SystemTime,
    start: Instant,
}

impl EmulatorClock {
    pub(crate) fn starting_at(epoch: SystemTime) -> Self {
        Self {
            epoch,
            start: Instant::now(),
        }
    }

    /// The emulator's wall-clock time.
    pub fn now(&self) -> SystemTime {
        self.epoch + self.start.elapsed()
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
