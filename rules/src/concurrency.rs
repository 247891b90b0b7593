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

/// Checks a concurrency of all shards in a process: 1 to 4294967295.
///
/// # Errors
///
/// It is 0 or larger.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked to be at most 32 bits"
)]
pub const fn total(total: u64) -> Result<u32, TotalFault> {
    if total == 0 {
        Err(TotalFault::Zero)
    } else if total > u32::MAX as u64 {
        Err(TotalFault::TooLarge { total })
    } else {
        Ok(total as u32)
    }
}

/// Why a concurrency of all shards is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalFault {
    /// Nothing would ever be handled.
    Zero,
    /// More than are counted.
    TooLarge {
        /// The number asked for.
        total: u64,
    },
}

impl TotalFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Zero => "total is 0; 1 handles one record of all shards at a time",
            Self::TooLarge { .. } => "total is above 4294967295; leave it out to set no limit",
        }
    }
}

impl fmt::Display for TotalFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str(self.rule()),
            Self::TooLarge { total } => {
                write!(f, "total is {total}; leave it out to set no limit")
            }
        }
    }
}

impl core::error::Error for TotalFault {}

/// Why a concurrency is refused that passes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairFault {
    /// More records of one shard than of all shards.
    AboveTotal {
        /// Of one shard.
        shard: u32,
        /// Of all shards.
        total: u32,
    },
    /// More than one record where the shard's order is kept.
    Ordered {
        /// Of one shard.
        shard: u32,
    },
}

/// Checks the concurrency of one shard against that of all shards.
///
/// # Errors
///
/// There are more records of one shard than of all shards.
pub const fn below_total(shard: u32, total: u32) -> Result<(), PairFault> {
    if shard > total {
        Err(PairFault::AboveTotal { shard, total })
    } else {
        Ok(())
    }
}

/// Checks the concurrency of one shard whose records are handled one after the other.
///
/// # Errors
///
/// It is more than one.
pub const fn one_at_a_time(shard: u32) -> Result<(), PairFault> {
    if shard > 1 {
        Err(PairFault::Ordered { shard })
    } else {
        Ok(())
    }
}

impl PairFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::AboveTotal { .. } => "the records of one shard are more than those of all shards",
            Self::Ordered { .. } => {
                "`ordered(shard)` handles one record at a time, `concurrency` more"
            }
        }
    }
}

impl fmt::Display for PairFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AboveTotal { shard, total } => write!(
                f,
                "the {shard} records of one shard are more than the {total} of all shards"
            ),
            Self::Ordered { shard } => write!(
                f,
                "`ordered(shard)` handles one record at a time, `concurrency = {shard}` {}",
                InWords(*shard)
            ),
        }
    }
}

impl core::error::Error for PairFault {}

/// A number as it is read: small ones in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InWords(pub u32);

impl fmt::Display for InWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WORDS: [&str; 11] = [
            "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
            "twelve",
        ];
        let at = self
            .0
            .checked_sub(2)
            .and_then(|at| usize::try_from(at).ok());
        match at.and_then(|at| WORDS.get(at)) {
            Some(word) => f.write_str(word),
            None => write!(f, "{}", self.0),
        }
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
