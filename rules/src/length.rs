//! Lengths of time with bounds: at most so long, and some at least so long, each with its reasons.

use core::fmt;
use core::time::Duration;

use crate::duration::{Short, duration};
use crate::{defaults, limits};

/// A row a length: its name, and of each bound the reason, in const evaluation perhaps another one, and what passes instead.
macro_rules! lengths {
    ($(
        $(#[$doc:meta])*
        $length:ident = $name:literal,
            $(below $least:literal ($least_at:expr): $short:tt, $longer:literal;)?
            above $most:literal ($most_at:expr): $long:tt, $shorter:literal;
    )*) => {
        /// What a length of time is of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Length {
            $($(#[$doc])* $length,)*
        }

        impl Length {
            /// Every one.
            pub const ALL: &[Self] = &[$(Self::$length),*];

            /// As it is called in texts.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$length => $name,)*
                }
            }

            const fn least(self) -> Option<Bound> {
                match self {
                    $($(Self::$length => {
                        Some(bound!($name, "below", $least, $least_at, $short, $longer))
                    })?)*
                    _ => None,
                }
            }

            const fn most(self) -> Bound {
                match self {
                    $(Self::$length => bound!($name, "above", $most, $most_at, $long, $shorter),)*
                }
            }
        }
    };
}

/// A reason that names the bound in the displayed text does not name it twice in the fixed one.
macro_rules! bound {
    ($name:literal, $side:literal, $text:literal, $at:expr, ($reason:literal, $fixed:literal), $instead:literal) => {
        Bound {
            at: const {
                assert!(means($text, $at));
                $at
            },
            reason: $reason,
            rule: concat!($name, " is ", $side, " ", $text, "; ", $fixed),
            instead: $instead,
        }
    };
    ($name:literal, $side:literal, $text:literal, $at:expr, $reason:literal, $instead:literal) => {
        bound!($name, $side, $text, $at, ($reason, $reason), $instead)
    };
}

lengths! {
    /// `poll_interval`: the pause between two reads of one shard.
    PollInterval = "poll interval",
        below "200ms" (limits::GET_RECORDS_INTERVAL):
            "a shard serves 5 reads a second, one per 200ms", "250ms";
        above "4m" (defaults::POLL_INTERVAL_MOST):
            "an iterator expires after 5m, so the longest is 4m", "4m";
    /// `shutdown_timeout`: how long running handlers may take on shutdown; for 0s they are dropped at once.
    ShutdownTimeout = "shutdown timeout",
        above "1h" (defaults::SHUTDOWN_TIMEOUT_MOST):
            "a stop takes at most 1h", "1h";
    /// `leases(.., duration = ..)`: how long a lease stands still before it is dead to others.
    LeaseDuration = "lease duration",
        below "3s" (defaults::LEASE_DURATION_LEAST): (
            "a heartbeat and a second try take at least 3s",
            "a heartbeat and a second try take that long"
        ), "3s";
        above "1h" (defaults::LEASE_DURATION_MOST): (
            "the shards of an instance that dies stand still for so long, at most 1h",
            "the shards of an instance that dies stand still for so long"
        ), "1h";
    /// `max_wait`: for how long a batch waits to be full; for 0s it does not.
    MaxWait = "max wait",
        above "1h" (defaults::MAX_WAIT_MOST):
            "a batch waits for at most 1h", "1h";
    /// `retry(backoff = ..)`: the first pause after a failure.
    Backoff = "backoff",
        below "1ms" (defaults::RETRY_LEAST):
            "a pause takes 1ms at least", "1ms";
        above "24h" (defaults::ATTEMPT_MOST): (
            "a stream may keep a record for no longer than 24h",
            "a stream may keep a record for no longer"
        ), "24h";
    /// `retry(max_backoff = ..)`: the longest pause after a failure.
    MaxBackoff = "max backoff",
        below "1ms" (defaults::RETRY_LEAST):
            "a pause takes 1ms at least", "1ms";
        above "24h" (defaults::ATTEMPT_MOST): (
            "a stream may keep a record for no longer than 24h",
            "a stream may keep a record for no longer"
        ), "24h";
    /// `timeout`: the longest that an attempt may take.
    Timeout = "timeout",
        below "1ms" (defaults::RETRY_LEAST):
            "leave it out to set no limit", "30s";
        above "24h" (defaults::ATTEMPT_MOST): (
            "a stream may keep a record for no longer than 24h",
            "a stream may keep a record for no longer"
        ), "24h";
}

struct Bound {
    at: Duration,
    /// Why, in the displayed text.
    reason: &'static str,
    /// The fixed text.
    rule: &'static str,
    /// What passes instead.
    instead: &'static str,
}

/// A text of const evaluation cannot be made from a constant, so the length stands in it as well.
const fn means(text: &str, length: Duration) -> bool {
    matches!(duration(text), Ok(read) if read.as_nanos() == length.as_nanos())
}

impl Length {
    /// Checks a length.
    ///
    /// # Errors
    ///
    /// It is too short or too long.
    pub const fn check(self, length: Duration) -> Result<Duration, LengthFault> {
        let fault = LengthFault { of: self, length };
        if fault.is_short() || length.as_nanos() > self.most().at.as_nanos() {
            Err(fault)
        } else {
            Ok(length)
        }
    }
}

/// Why a length is refused: it is too short, or too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LengthFault {
    /// What it was to be the length of.
    pub of: Length,
    /// The length asked for.
    pub length: Duration,
}

impl LengthFault {
    /// Whether it is too short.
    pub const fn is_short(self) -> bool {
        match self.of.least() {
            Some(least) => self.length.as_nanos() < least.at.as_nanos(),
            None => false,
        }
    }

    const fn bound(self) -> Bound {
        match self.of.least() {
            Some(least) if self.is_short() => least,
            _ => self.of.most(),
        }
    }

    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        self.bound().rule
    }

    /// A length that passes, in the form of [`duration`].
    pub const fn suggestion(self) -> &'static str {
        self.bound().instead
    }
}

impl fmt::Display for LengthFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, reason) = (self.of.name(), self.bound().reason);
        write!(f, "{name} is {}; {reason}", Short(self.length))
    }
}

impl core::error::Error for LengthFault {}
