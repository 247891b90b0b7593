//! Durations as they are written in attributes and variables: a whole number and a unit, `"500ms"`, `"2s"`, `"5m"`,
//! `"1h"`.

use core::fmt;
use core::time::Duration;

use crate::{Violation, in_value, text};

/// Why a text is not a duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DurationFault {
    /// It has no character.
    Empty,
    /// It does not start with a digit.
    NoNumber,
    /// It is a number alone.
    NoUnit,
    /// What follows the number is not `ms`, `s`, `m` or `h`.
    Unit {
        /// Where the unit starts.
        at: usize,
    },
    /// The milliseconds do not fit 64 bits.
    TooLong,
}

/// Reads a duration.
///
/// # Errors
///
/// The text is not a whole number followed by `ms`, `s`, `m` or `h`.
pub const fn duration(text: &str) -> Result<Duration, DurationFault> {
    if text.is_empty() {
        return Err(DurationFault::Empty);
    }
    let at = text::leading_digits(text);
    if at == 0 {
        return Err(DurationFault::NoNumber);
    }
    let (number, unit) = text.split_at(at);
    let Ok(number) = u64::from_str_radix(number, 10) else {
        return Err(DurationFault::TooLong);
    };
    let millis_per_unit: u64 = match unit.as_bytes() {
        b"" => return Err(DurationFault::NoUnit),
        b"ms" => 1,
        b"s" => 1000,
        b"m" => 60 * 1000,
        b"h" => 60 * 60 * 1000,
        _ => return Err(DurationFault::Unit { at }),
    };
    match number.checked_mul(millis_per_unit) {
        None => Err(DurationFault::TooLong),
        Some(millis) => Ok(Duration::from_millis(millis)),
    }
}

in_value!(DurationFault);

impl DurationFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "duration is empty; it is a whole number and `ms`, `s`, `m` or `h`",
            Self::NoNumber => {
                "duration does not start with a number; it is a whole number and `ms`, `s`, `m` or `h`"
            }
            Self::NoUnit => "duration has no unit; it is a whole number and `ms`, `s`, `m` or `h`",
            Self::Unit { .. } => {
                "duration has another unit; it is a whole number and `ms`, `s`, `m` or `h`"
            }
            Self::TooLong => "duration does not fit 64 bits of milliseconds",
        }
    }

    /// The duration that `value` probably means, in the form that passes.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let compact: String = value.chars().filter(|c| !c.is_whitespace()).collect();
        let mut rest = compact.as_str();
        let mut parts = 0;
        let mut millis = 0.0;
        let mut plain = None;
        while !rest.is_empty() {
            let (number, behind) = split(rest, |c| c.is_ascii_digit() || c == '.')?;
            let (word, behind) =
                split(behind, |c| c.is_alphabetic() || c == 'µ').unwrap_or(("", behind));
            let unit = unit(word)?;
            // `1m30`: thirty of what?
            if word.is_empty() && parts > 0 {
                return None;
            }
            millis += number.parse::<f64>().ok()? * unit.millis;
            plain = Some(format!("{number}{}", unit.name));
            parts += 1;
            rest = behind;
        }
        // One part keeps its unit; more of them are added up.
        if parts == 1
            && let Some(guess) = plain.filter(|guess| duration(guess).is_ok())
        {
            return Some(guess);
        }
        let whole = millis >= 1.0 && millis.fract() == 0.0 && millis < MOST_MILLIS;
        whole.then(|| Short(Duration::from_secs_f64(millis / 1000.0)).to_string())
    }
}

/// More is no duration that somebody meant: a year.
const MOST_MILLIS: f64 = 365.0 * 24.0 * 3_600_000.0;

/// The characters that match and those behind them, if there are any.
fn split(text: &str, matches: impl Fn(char) -> bool) -> Option<(&str, &str)> {
    let end = text.find(|c| !matches(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

struct Unit {
    /// As it is written here; of others, a name that `duration` does not read, so that one is chosen by the number.
    name: &'static str,
    millis: f64,
}

/// A unit as people write it.
fn unit(word: &str) -> Option<Unit> {
    let (name, millis) = match word.to_ascii_lowercase().as_str() {
        "" | "ms" | "msec" | "msecs" | "milli" | "millis" | "millisecond" | "milliseconds" => {
            ("ms", 1.0)
        }
        "s" | "sec" | "secs" | "second" | "seconds" => ("s", 1000.0),
        "m" | "min" | "mins" | "minute" | "minutes" => ("m", 60_000.0),
        "h" | "hr" | "hrs" | "hour" | "hours" => ("h", 3_600_000.0),
        "d" | "day" | "days" => ("d", 86_400_000.0),
        "us" | "µs" => ("us", 0.001),
        _ => return None,
    };
    Some(Unit { name, millis })
}

impl fmt::Display for Violation<'_, DurationFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, value } = self;
        match fault {
            DurationFault::Empty => f.write_str(fault.rule()),
            DurationFault::NoNumber => write!(
                f,
                "duration `{value}` does not start with a number; it is a whole number and `ms`, `s`, `m` or `h`"
            ),
            DurationFault::NoUnit => write!(
                f,
                "duration `{value}` has no unit; it is a whole number and `ms`, `s`, `m` or `h`"
            ),
            DurationFault::Unit { at } => write!(
                f,
                "duration `{value}` has {} at byte {at}; it is a whole number and `ms`, `s`, `m` or `h`",
                text::name_char(value, *at),
            ),
            DurationFault::TooLong => {
                write!(f, "duration `{value}` does not fit 64 bits of milliseconds")
            }
        }
    }
}

/// A duration in the form that [`duration`] reads: the largest unit that keeps it whole.
///
/// Parts of a millisecond are shown in the standard library's form, which [`duration`] does not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Short(pub Duration);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, nanos) = (self.0.as_secs(), self.0.subsec_nanos());
        match () {
            () if nanos % 1_000_000 != 0 => write!(f, "{:?}", self.0),
            () if nanos != 0 => write!(f, "{}ms", self.0.as_millis()),
            () if seconds == 0 => f.write_str("0s"),
            () if seconds % 3600 == 0 => write!(f, "{}h", seconds / 3600),
            () if seconds % 60 == 0 => write!(f, "{}m", seconds / 60),
            () => write!(f, "{seconds}s"),
        }
    }
}
