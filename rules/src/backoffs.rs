//! `retry(backoff, max_backoff)`: pauses that do not shrink.

use core::fmt;
use core::time::Duration;

use crate::duration::Short;

/// The longest pause is shorter than the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackoffsFault {
    /// The first pause.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
}

/// Checks that pauses do not shrink.
///
/// # Errors
///
/// The longest is shorter than the first.
pub const fn backoffs(first: Duration, longest: Duration) -> Result<(), BackoffsFault> {
    if longest.as_nanos() < first.as_nanos() {
        Err(BackoffsFault { first, longest })
    } else {
        Ok(())
    }
}

impl BackoffsFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        "the longest backoff is shorter than the first"
    }
}

impl fmt::Display for BackoffsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, longest) = (Short(self.first), Short(self.longest));
        write!(
            f,
            "the longest backoff, {longest}, is shorter than the first, {first}"
        )
    }
}

impl core::error::Error for BackoffsFault {}
