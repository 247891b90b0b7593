//! `concurrency` beside what else a handler says.

use core::fmt;

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
