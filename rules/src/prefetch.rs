//! `prefetch`: bytes of records that a process holds read and unhandled.

use core::fmt;

use crate::bytes::{BytesFault, bytes};
use crate::defaults::PREFETCH_SHARE_LEAST;
use crate::{Violation, in_value};

/// The prefetch is less than what every shard may read anyway, [`PREFETCH_SHARE_LEAST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrefetchFault {
    /// The bytes asked for.
    pub bytes: usize,
}

/// Checks a prefetch: 1 MiB or more.
///
/// # Errors
///
/// It is less.
pub const fn prefetch(bytes: usize) -> Result<usize, PrefetchFault> {
    if bytes < PREFETCH_SHARE_LEAST {
        Err(PrefetchFault { bytes })
    } else {
        Ok(bytes)
    }
}

/// Why a text is no prefetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrefetchTextFault {
    /// It is no amount of memory.
    Amount(BytesFault),
    /// It is too small an amount.
    Rule(PrefetchFault),
}

/// Reads a prefetch, in bytes.
///
/// # Errors
///
/// It is no amount of memory, or less than 1 MiB.
pub const fn prefetch_text(text: &str) -> Result<usize, PrefetchTextFault> {
    match bytes(text) {
        Err(fault) => Err(PrefetchTextFault::Amount(fault)),
        Ok(bytes) => match prefetch(bytes) {
            Err(fault) => Err(PrefetchTextFault::Rule(fault)),
            Ok(bytes) => Ok(bytes),
        },
    }
}

in_value!(PrefetchTextFault);

impl PrefetchTextFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Amount(fault) => fault.rule(),
            Self::Rule(fault) => fault.rule(),
        }
    }

    /// The prefetch that `value` probably means, in the form that passes.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let guess = match self {
            Self::Amount(fault) => fault.suggestion(value)?,
            Self::Rule(_) => "1MiB".to_owned(),
        };
        prefetch_text(&guess).is_ok().then_some(guess)
    }
}

impl fmt::Display for Violation<'_, PrefetchTextFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            PrefetchTextFault::Amount(fault) => fault.with(self.value).fmt(f),
            PrefetchTextFault::Rule(fault) => fault.fmt(f),
        }
    }
}

impl PrefetchFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        "prefetch is below 1 MiB; every shard may read so much"
    }
}

impl fmt::Display for PrefetchFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes;
        write!(
            f,
            "prefetch is {bytes} bytes; every shard may read {PREFETCH_SHARE_LEAST}"
        )
    }
}

impl core::error::Error for PrefetchFault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefetch_is_what_one_shard_may_read_or_more() {
        assert_eq!(prefetch(1 << 20), Ok(1 << 20));
        let fault = prefetch((1 << 20) - 1).expect_err("one byte less");
        assert_eq!(
            fault.to_string(),
            "prefetch is 1048575 bytes; every shard may read 1048576"
        );
    }
}
