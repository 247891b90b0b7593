//! `max_wait`: for how long a batch waits to be full.

use core::fmt;
use core::time::Duration;

use crate::defaults::MAX_WAIT_MOST;
use crate::duration::Short;

/// Why a wait is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxWaitFault {
    /// Records would lie for longer than anybody wants.
    TooLong {
        /// The wait asked for.
        wait: Duration,
    },
}

/// Checks for how long a batch waits: 0s (not at all) to 1h.
///
/// # Errors
///
/// It is longer than 1h.
pub const fn max_wait(wait: Duration) -> Result<Duration, MaxWaitFault> {
    if wait.as_nanos() > MAX_WAIT_MOST.as_nanos() {
        Err(MaxWaitFault::TooLong { wait })
    } else {
        Ok(wait)
    }
}

impl MaxWaitFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::TooLong { .. } => "max wait is above 1h; a batch waits for at most 1h",
        }
    }
}

impl fmt::Display for MaxWaitFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { wait } => write!(
                f,
                "max wait is {}; a batch waits for at most {}",
                Short(*wait),
                Short(MAX_WAIT_MOST),
            ),
        }
    }
}

impl core::error::Error for MaxWaitFault {}
