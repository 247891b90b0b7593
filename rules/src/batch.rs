//! `max_records` and `max_wait`: what a batch handler is given, and for how long a batch waits to be full.

use core::fmt;
use core::time::Duration;

use crate::defaults::{MAX_WAIT_MOST, WINDOW_RECORDS};
use crate::duration::Short;

/// Why a number of records is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxRecordsFault {
    /// Batches of nothing.
    Zero,
    /// More than the window of a shard holds, [`WINDOW_RECORDS`].
    TooLarge {
        /// The number asked for.
        records: u64,
    },
}

/// Checks the most records of a batch: 1 to 100000, the window of a shard.
///
/// # Errors
///
/// It is 0 or above the window.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked to be at most the window"
)]
pub const fn max_records(records: u64) -> Result<u32, MaxRecordsFault> {
    if records == 0 {
        Err(MaxRecordsFault::Zero)
    } else if records > WINDOW_RECORDS as u64 {
        Err(MaxRecordsFault::TooLarge { records })
    } else {
        Ok(records as u32)
    }
}

impl MaxRecordsFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Zero => "max records is 0; a batch has at least 1",
            Self::TooLarge { .. } => {
                "max records is above 100000; a shard has at most 100000 records at hand"
            }
        }
    }
}

impl fmt::Display for MaxRecordsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str(self.rule()),
            Self::TooLarge { records } => write!(
                f,
                "max records is {records}; a shard has at most {WINDOW_RECORDS} records at hand"
            ),
        }
    }
}

impl core::error::Error for MaxRecordsFault {}

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
