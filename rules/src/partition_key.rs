//! Partition keys.

use core::fmt;

use crate::limits::PARTITION_KEY_CHARS;
use crate::text;

/// Why a partition key is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartitionKeyFault {
    /// It has no character.
    Empty,
    /// It has more than [`PARTITION_KEY_CHARS`] characters.
    TooLong {
        /// How many it has.
        chars: usize,
    },
}

/// Checks a partition key: 1 to 256 Unicode characters.
///
/// # Errors
///
/// The key is empty or longer.
pub const fn partition_key(key: &str) -> Result<&str, PartitionKeyFault> {
    // A key of that many bytes cannot have more characters; counting is for the rest.
    if !key.is_empty() && key.len() <= PARTITION_KEY_CHARS {
        return Ok(key);
    }
    match text::char_count(key) {
        0 => Err(PartitionKeyFault::Empty),
        chars if chars > PARTITION_KEY_CHARS => Err(PartitionKeyFault::TooLong { chars }),
        _ => Ok(key),
    }
}

impl PartitionKeyFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "partition key is empty; keys have 1 to 256 characters",
            Self::TooLong { .. } => "partition key has more than 256 characters; the most is 256",
        }
    }
}

impl fmt::Display for PartitionKeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str(self.rule()),
            Self::TooLong { chars } => write!(
                f,
                "partition key has {chars} characters; the most is {PARTITION_KEY_CHARS}"
            ),
        }
    }
}

impl core::error::Error for PartitionKeyFault {}
