//! `batch_size`: the `Limit` of `GetRecords`.

use core::fmt;

use crate::limits::GET_RECORDS_RECORDS;

/// Why a batch size is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchSizeFault {
    /// A read that asks for nothing.
    Zero,
    /// More than [`GET_RECORDS_RECORDS`].
    TooLarge {
        /// The size asked for.
        size: u64,
    },
}

/// Checks a batch size: 1 to 10000 records.
///
/// # Errors
///
/// The size is 0 or above 10000.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked to be at most 10000"
)]
pub const fn batch_size(size: u64) -> Result<u32, BatchSizeFault> {
    if size == 0 {
        Err(BatchSizeFault::Zero)
    } else if size > GET_RECORDS_RECORDS as u64 {
        Err(BatchSizeFault::TooLarge { size })
    } else {
        Ok(size as u32)
    }
}

impl BatchSizeFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Zero => "batch size is 0; a read asks for 1 to 10000 records",
            Self::TooLarge { .. } => {
                "batch size is above 10000; one GetRecords call returns at most 10000"
            }
        }
    }
}

impl fmt::Display for BatchSizeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str(self.rule()),
            Self::TooLarge { size } => write!(
                f,
                "batch size is {size}; one GetRecords call returns at most {GET_RECORDS_RECORDS}"
            ),
        }
    }
}

impl core::error::Error for BatchSizeFault {}
