//! `create_if_missing(shards = n)`: shards of a stream that is created.

use core::fmt;

use crate::limits::SHARD_COUNT;

/// Why a number of shards is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardCountFault {
    /// A stream without a shard.
    Zero,
    /// More than the API can express.
    TooLarge {
        /// The number asked for.
        count: u64,
    },
}

/// Checks a number of shards: at least 1, and what the API's integer holds.
///
/// # Errors
///
/// It is 0 or above 2147483647.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked to be at most 31 bits"
)]
pub const fn shard_count(count: u64) -> Result<u32, ShardCountFault> {
    if count == 0 {
        Err(ShardCountFault::Zero)
    } else if count > SHARD_COUNT as u64 {
        Err(ShardCountFault::TooLarge { count })
    } else {
        Ok(count as u32)
    }
}

impl ShardCountFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Zero => "shard count is 0; a stream has at least 1 shard",
            Self::TooLarge { .. } => {
                "shard count is above 2147483647; the most the service can express is 2147483647"
            }
        }
    }
}

impl fmt::Display for ShardCountFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str(self.rule()),
            Self::TooLarge { count } => write!(
                f,
                "shard count is {count}; the most the service can express is {SHARD_COUNT}"
            ),
        }
    }
}

impl core::error::Error for ShardCountFault {}
