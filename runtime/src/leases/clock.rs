//! What time it is for the owner of a lease: by two clocks, of which the one that says more is believed.

use std::time::{Duration, SystemTime};

use aws_smithy_async::time::SharedTimeSource;
use aws_types::SdkConfig;
use tokio::time::Instant;

#[cfg(feature = "simulation")]
use crate::simulation::suspended;

/// The monotonic clock, which stands still while its machine is suspended, and the machine's wall clock, which does not.
///
/// Others see a suspended owner's row stand still, and take it; by the monotonic clock alone he would wake up within his deadline. A wall
/// clock that is set forward costs a lease and no record.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clock(SharedTimeSource);

/// One moment, by both clocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(super) instant: Instant,
    /// Nanoseconds since the Unix epoch; they fit until the year 2554.
    pub(super) wall: u64,
}

impl Clock {
    /// The wall clock that requests are signed by, or else the system's.
    pub(crate) fn of(config: &SdkConfig) -> Self {
        config.time_source().map(Self::from).unwrap_or_default()
    }

    pub(crate) fn now(&self) -> Moment {
        let wall = self.0.now().duration_since(SystemTime::UNIX_EPOCH);
        Moment {
            instant: Instant::now() - suspended(),
            wall: nanos(wall.unwrap_or_default()),
        }
    }
}

impl From<SharedTimeSource> for Clock {
    fn from(wall: SharedTimeSource) -> Self {
        Self(wall)
    }
}

/// The timer for a moment by the monotonic clock. Both stand still together, but in the simulation: there timers go on, and are armed
/// again after the machine woke up.
pub(super) fn timer(at: Instant) -> Instant {
    at + suspended()
}

#[cfg(not(feature = "simulation"))]
const fn suspended() -> Duration {
    Duration::ZERO
}

pub(super) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
