//! `poll_interval`, `shutdown_timeout` and the `duration` of leases: durations with bounds.

use core::fmt;
use core::time::Duration;

use crate::defaults::{
    LEASE_DURATION_LEAST, LEASE_DURATION_MOST, POLL_INTERVAL_MOST, SHUTDOWN_TIMEOUT_MOST,
};
use crate::duration::Short;
use crate::limits::{GET_RECORDS_INTERVAL, GET_RECORDS_PER_SECOND, ITERATOR_LIFETIME};

/// Why a poll interval is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollIntervalFault {
    /// More reads than a shard serves.
    TooShort {
        /// The interval asked for.
        interval: Duration,
    },
    /// The iterator would expire between two polls.
    TooLong {
        /// The interval asked for.
        interval: Duration,
    },
}

/// The other side of the rule: a reason to think again, though it is kept.
pub const POLL_INTERVAL_SPENDS_BUDGET: &str =
    "poll interval 200ms spends the whole read budget of a shard";

/// Checks a poll interval: 200ms to 4m.
///
/// # Errors
///
/// The interval is shorter than 200ms or longer than 4m.
pub const fn poll_interval(interval: Duration) -> Result<Duration, PollIntervalFault> {
    if interval.as_nanos() < GET_RECORDS_INTERVAL.as_nanos() {
        Err(PollIntervalFault::TooShort { interval })
    } else if interval.as_nanos() > POLL_INTERVAL_MOST.as_nanos() {
        Err(PollIntervalFault::TooLong { interval })
    } else {
        Ok(interval)
    }
}

/// Whether an interval that passes leaves no read of the shard to anybody else.
pub const fn poll_interval_spends_budget(interval: Duration) -> bool {
    interval.as_nanos() == GET_RECORDS_INTERVAL.as_nanos()
}

impl PollIntervalFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::TooShort { .. } => {
                "poll interval is below 200ms; a shard serves 5 reads a second, one per 200ms"
            }
            Self::TooLong { .. } => {
                "poll interval is above 4m; an iterator expires after 5m, so the longest is 4m"
            }
        }
    }

    /// An interval that passes, in the form of [`duration`](crate::duration::duration).
    pub const fn suggestion(self) -> &'static str {
        match self {
            Self::TooShort { .. } => "250ms",
            Self::TooLong { .. } => "4m",
        }
    }
}

impl fmt::Display for PollIntervalFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { interval } => write!(
                f,
                "poll interval is {}; a shard serves {GET_RECORDS_PER_SECOND} reads a second, one per {}",
                Short(*interval),
                Short(GET_RECORDS_INTERVAL),
            ),
            Self::TooLong { interval } => write!(
                f,
                "poll interval is {}; an iterator expires after {}, so the longest is {}",
                Short(*interval),
                Short(ITERATOR_LIFETIME),
                Short(POLL_INTERVAL_MOST),
            ),
        }
    }
}

impl core::error::Error for PollIntervalFault {}

/// Why a shutdown timeout is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShutdownTimeoutFault {
    /// A stop would not be bounded in practice.
    TooLong {
        /// The timeout asked for.
        timeout: Duration,
    },
}

/// Checks a shutdown timeout: 0s (running handlers are dropped at once) to 1h.
///
/// # Errors
///
/// The timeout is longer than 1h.
pub const fn shutdown_timeout(timeout: Duration) -> Result<Duration, ShutdownTimeoutFault> {
    if timeout.as_nanos() > SHUTDOWN_TIMEOUT_MOST.as_nanos() {
        Err(ShutdownTimeoutFault::TooLong { timeout })
    } else {
        Ok(timeout)
    }
}

impl ShutdownTimeoutFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::TooLong { .. } => "shutdown timeout is above 1h; a stop takes at most 1h",
        }
    }
}

impl fmt::Display for ShutdownTimeoutFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { timeout } => write!(
                f,
                "shutdown timeout is {}; a stop takes at most {}",
                Short(*timeout),
                Short(SHUTDOWN_TIMEOUT_MOST),
            ),
        }
    }
}

impl core::error::Error for ShutdownTimeoutFault {}

/// Why a lease duration is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseDurationFault {
    /// The owner could not try a heartbeat twice before its deadline.
    TooShort {
        /// The duration asked for.
        duration: Duration,
    },
    /// The shards of an instance that dies would stand still for longer than anybody wants.
    TooLong {
        /// The duration asked for.
        duration: Duration,
    },
}

/// Checks a lease duration: 3s to 1h.
///
/// # Errors
///
/// The duration is shorter than 3s or longer than 1h.
pub const fn lease_duration(duration: Duration) -> Result<Duration, LeaseDurationFault> {
    if duration.as_nanos() < LEASE_DURATION_LEAST.as_nanos() {
        Err(LeaseDurationFault::TooShort { duration })
    } else if duration.as_nanos() > LEASE_DURATION_MOST.as_nanos() {
        Err(LeaseDurationFault::TooLong { duration })
    } else {
        Ok(duration)
    }
}

impl LeaseDurationFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::TooShort { .. } => {
                "lease duration is below 3s; a heartbeat and a second try take that long"
            }
            Self::TooLong { .. } => {
                "lease duration is above 1h; the shards of an instance that dies stand still for so long"
            }
        }
    }

    /// A duration that passes, in the form of [`duration`](crate::duration::duration).
    pub const fn suggestion(self) -> &'static str {
        match self {
            Self::TooShort { .. } => "3s",
            Self::TooLong { .. } => "1h",
        }
    }
}

impl fmt::Display for LeaseDurationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { duration } => write!(
                f,
                "lease duration is {}; a heartbeat and a second try take at least {}",
                Short(*duration),
                Short(LEASE_DURATION_LEAST),
            ),
            Self::TooLong { duration } => write!(
                f,
                "lease duration is {}; the shards of an instance that dies stand still for so long, at most {}",
                Short(*duration),
                Short(LEASE_DURATION_MOST),
            ),
        }
    }
}

impl core::error::Error for LeaseDurationFault {}
