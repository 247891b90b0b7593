//! `retry` and `timeout` of a handler: after which pauses a record is tried again, and how long one attempt may take.

use core::fmt;
use core::time::Duration;

use crate::defaults::{ATTEMPT_MOST, RETRY_LEAST};
use crate::duration::Short;

/// Why a pause or a time limit is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LengthFault {
    /// What it was to be.
    pub of: LengthOf,
    /// The length asked for.
    pub length: Duration,
}

/// What a length of time is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthOf {
    /// The first pause after a failure.
    Backoff,
    /// The longest pause.
    MaxBackoff,
    /// The longest that an attempt may take.
    Timeout,
}

/// Checks the first pause after a failure: 1ms to 24h.
///
/// # Errors
///
/// It is shorter or longer.
pub const fn backoff(length: Duration) -> Result<Duration, LengthFault> {
    check(LengthOf::Backoff, length)
}

/// Checks the longest pause after a failure: 1ms to 24h.
///
/// # Errors
///
/// It is shorter or longer.
pub const fn max_backoff(length: Duration) -> Result<Duration, LengthFault> {
    check(LengthOf::MaxBackoff, length)
}

/// Checks the longest that an attempt may take: 1ms to 24h.
///
/// # Errors
///
/// It is shorter or longer.
pub const fn timeout(length: Duration) -> Result<Duration, LengthFault> {
    check(LengthOf::Timeout, length)
}

const fn check(of: LengthOf, length: Duration) -> Result<Duration, LengthFault> {
    if length.as_nanos() < RETRY_LEAST.as_nanos() || length.as_nanos() > ATTEMPT_MOST.as_nanos() {
        Err(LengthFault { of, length })
    } else {
        Ok(length)
    }
}

impl LengthFault {
    const fn is_short(self) -> bool {
        self.length.as_nanos() < RETRY_LEAST.as_nanos()
    }

    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match (self.of, self.is_short()) {
            (LengthOf::Backoff, true) => "backoff is below 1ms; a pause takes 1ms at least",
            (LengthOf::MaxBackoff, true) => "max backoff is below 1ms; a pause takes 1ms at least",
            (LengthOf::Timeout, true) => "timeout is below 1ms; leave it out to set no limit",
            (LengthOf::Backoff, false) => {
                "backoff is above 24h; a stream may keep a record for no longer"
            }
            (LengthOf::MaxBackoff, false) => {
                "max backoff is above 24h; a stream may keep a record for no longer"
            }
            (LengthOf::Timeout, false) => {
                "timeout is above 24h; a stream may keep a record for no longer"
            }
        }
    }

    /// A length that passes, in the form of [`duration`](crate::duration::duration).
    pub const fn suggestion(self) -> &'static str {
        match (self.of, self.is_short()) {
            (LengthOf::Backoff | LengthOf::MaxBackoff, true) => "1ms",
            (LengthOf::Timeout, true) => "30s",
            (_, false) => "24h",
        }
    }
}

impl fmt::Display for LengthFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.of {
            LengthOf::Backoff => "backoff",
            LengthOf::MaxBackoff => "max backoff",
            LengthOf::Timeout => "timeout",
        };
        let reason = match (self.of, self.is_short()) {
            (LengthOf::Backoff | LengthOf::MaxBackoff, true) => "a pause takes 1ms at least",
            (LengthOf::Timeout, true) => "leave it out to set no limit",
            (_, false) => "a stream may keep a record for no longer than 24h",
        };
        write!(f, "{name} is {}; {reason}", Short(self.length))
    }
}

impl core::error::Error for LengthFault {}

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
