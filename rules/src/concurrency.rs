//! `concurrency`: records of one shard that are handled at the same time.

use core::fmt;

use crate::defaults::WINDOW_RECORDS;

/// Why a concurrency is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConcurrencyFault {
    /// Nothing would ever be handled.
    Zero,
    /// More than the window of a shard holds, [`WINDOW_RECORDS`].
    TooLarge {
        /// The concurrency asked for.
        concurrency: u64,
    },
}

/// Checks a concurrency: 1 to 100000, the window of a shard.
///
/// # Errors
///
/// It is 0 or above the window.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked to be at most the window"
)]
pub const fn concurrency(concurrency: u64) -> Result<u32, ConcurrencyFault> {
    if concurrency == 0 {
        Err(ConcurrencyFault::Zero)
    } else if concurrency > WINDOW_RECORDS as u64 {
        Err(ConcurrencyFault::TooLarge { concurrency })
    } else {
        Ok(concurrency as u32)
    }
}

impl ConcurrencyFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Zero => "concurrency is 0; 1 handles one record of a shard at a time",
            Self::TooLarge { .. } => {
                "concurrency is above 100000; a shard has at most 100000 records at hand"
            }
        }
    }
}

impl fmt::Display for ConcurrencyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str(self.rule()),
            Self::TooLarge { concurrency } => write!(
                f,
                "concurrency is {concurrency}; a shard has at most {WINDOW_RECORDS} records at hand"
            ),
        }
    }
}

impl core::error::Error for ConcurrencyFault {}
