//! Timestamps: RFC 3339 text to milliseconds since 1970.

use core::fmt;

use crate::{Violation, in_value, text};

/// Why a text is not a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimestampFault {
    /// It has no character.
    Empty,
    /// It is a number of seconds since 1970.
    Seconds,
    /// It is a number of milliseconds since 1970.
    Millis,
    /// It is not of the form `YYYY-MM-DDThh:mm:ssZ`.
    Form {
        /// The first byte that does not fit.
        at: usize,
    },
    /// The month is not 01 to 12.
    Month {
        /// The month as written.
        month: i64,
    },
    /// The month does not have that day.
    Day {
        /// The year as written.
        year: i64,
        /// The month, 1 to 12.
        month: i64,
    },
    /// The hour is above 23, the minute or the second above 59. Leap seconds are not told apart by the service.
    Time,
    /// A date alone.
    NoTime,
    /// The time has no seconds.
    NoSeconds,
    /// Neither `Z` nor an offset follows.
    NoZone,
    /// The offset's hour is above 23 or its minute above 59.
    Offset,
}

/// Reads an RFC 3339 timestamp as milliseconds since 1970; parts of a millisecond are cut off, towards the past.
///
/// # Errors
///
/// The text is not an RFC 3339 timestamp, or names a day or time that does not exist.
pub const fn timestamp(text: &str) -> Result<i64, TimestampFault> {
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return Err(TimestampFault::Empty);
    }
    if text::all_digits(text) && bytes.len() >= 9 {
        // Seconds have ten digits from 2001 to 2286, milliseconds thirteen.
        return Err(if bytes.len() >= 12 {
            TimestampFault::Millis
        } else {
            TimestampFault::Seconds
        });
    }
    if let Some(at) = shape(bytes, 0, b"0000-00-00") {
        return Err(TimestampFault::Form { at });
    }
    let (year, month, day) = (
        number(bytes, 0, 4),
        number(bytes, 5, 2),
        number(bytes, 8, 2),
    );
    if month < 1 || month > 12 {
        return Err(TimestampFault::Month { month });
    }
    if day < 1 || day > days_in(year, month) {
        return Err(TimestampFault::Day { year, month });
    }
    match time_of_day(bytes, 10) {
        Err(fault) => Err(fault),
        Ok((millis, at)) => match offset(bytes, at) {
            Err(fault) => Err(fault),
            Ok(offset) => Ok(days_since_1970(year, month, day) * DAY + millis - offset),
        },
    }
}

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Milliseconds since midnight, and where the zone begins.
const fn time_of_day(bytes: &[u8], from: usize) -> Result<(i64, usize), TimestampFault> {
    if from == bytes.len() {
        return Err(TimestampFault::NoTime);
    }
    if !matches!(bytes[from], b'T' | b't' | b' ') {
        return Err(TimestampFault::Form { at: from });
    }
    if let Some(at) = shape(bytes, from + 1, b"00:00") {
        return Err(TimestampFault::Form { at });
    }
    let (hour, minute) = (number(bytes, from + 1, 2), number(bytes, from + 4, 2));
    let mut at = from + 6;
    if at == bytes.len() {
        return Err(TimestampFault::NoZone);
    }
    if bytes[at] != b':' {
        return Err(match bytes[at] {
            b'Z' | b'z' | b'+' | b'-' => TimestampFault::NoSeconds,
            _ => TimestampFault::Form { at },
        });
    }
    if let Some(at) = shape(bytes, at, b":00") {
        return Err(TimestampFault::Form { at });
    }
    let second = number(bytes, at + 1, 2);
    if hour > 23 || minute > 59 || second > 59 {
        return Err(TimestampFault::Time);
    }
    let mut millis = hour * HOUR + minute * MINUTE + second * SECOND;
    at += 3;
    if at < bytes.len() && bytes[at] == b'.' {
        at += 1;
        let mut unit = 100;
        let first = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            millis += (bytes[at] - b'0') as i64 * unit;
            unit /= 10;
            at += 1;
        }
        if at == first {
            return Err(TimestampFault::Form { at });
        }
    }
    Ok((millis, at))
}

/// How far the local time is ahead of UTC, in milliseconds.
const fn offset(bytes: &[u8], at: usize) -> Result<i64, TimestampFault> {
    if at == bytes.len() {
        return Err(TimestampFault::NoZone);
    }
    let sign = match bytes[at] {
        b'Z' | b'z' if at + 1 == bytes.len() => return Ok(0),
        b'Z' | b'z' => return Err(TimestampFault::Form { at: at + 1 }),
        b'+' => 1,
        b'-' => -1,
        _ => return Err(TimestampFault::Form { at }),
    };
    if let Some(at) = shape(bytes, at + 1, b"00:00") {
        return Err(TimestampFault::Form { at });
    }
    if at + 6 != bytes.len() {
        return Err(TimestampFault::Form { at: at + 6 });
    }
    let (hour, minute) = (number(bytes, at + 1, 2), number(bytes, at + 4, 2));
    if hour > 23 || minute > 59 {
        return Err(TimestampFault::Offset);
    }
    Ok(sign * (hour * HOUR + minute * MINUTE))
}

/// The first byte at or after `from` that does not fit the pattern, in which `0` stands for any digit.
const fn shape(bytes: &[u8], from: usize, pattern: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < pattern.len() {
        let fits = from + at < bytes.len()
            && if pattern[at] == b'0' {
                bytes[from + at].is_ascii_digit()
            } else {
                bytes[from + at] == pattern[at]
            };
        if !fits {
            return Some(from + at);
        }
        at += 1;
    }
    None
}

const fn number(bytes: &[u8], from: usize, digits: usize) -> i64 {
    let mut value = 0;
    let mut at = from;
    while at < from + digits {
        value = value * 10 + (bytes[at] - b'0') as i64;
        at += 1;
    }
    value
}

const fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar. The year is made to begin in March, so that the
/// leap day is its last; an era is the 400 years after which the calendar repeats.
const fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The inverse of [`timestamp`]: milliseconds since 1970 as RFC 3339 text in UTC, for years 0000 to 9999.
pub fn rfc3339(millis: i64) -> Option<String> {
    let days = millis.div_euclid(DAY) + 719_468;
    let time = millis.rem_euclid(DAY);
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    if !(0..=9999).contains(&year) {
        return None;
    }
    let (hour, minute, second) = (time / HOUR, time % HOUR / MINUTE, time % MINUTE / SECOND);
    let fraction = match time % SECOND {
        0 => String::new(),
        millis => format!(".{millis:03}"),
    };
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z"
    ))
}

in_value!(TimestampFault);

impl TimestampFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "timestamp is empty; write RFC 3339, such as `2026-01-31T00:00:00Z`",
            Self::Seconds => "timestamp: write RFC 3339, not seconds",
            Self::Millis => "timestamp: write RFC 3339, not milliseconds",
            Self::Form { .. } => "timestamp: write RFC 3339, such as `2026-01-31T00:00:00Z`",
            Self::Month { .. } => "timestamp: a month is 01 to 12",
            Self::Day { .. } => "timestamp: the month does not have that day",
            Self::Time => "timestamp: a time is 00:00:00 to 23:59:59",
            Self::NoTime => "timestamp: has no time",
            Self::NoSeconds => "timestamp: has no seconds",
            Self::NoZone => "timestamp: has no time zone",
            Self::Offset => "timestamp: an offset is -23:59 to +23:59",
        }
    }

    /// The timestamp that `value` probably means, in the form that passes.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let guess = match self {
            Self::Seconds => rfc3339(value.parse::<i64>().ok()?.checked_mul(SECOND)?)?,
            Self::Millis => rfc3339(value.parse().ok()?)?,
            Self::NoTime => format!("{value}T00:00:00Z"),
            Self::NoZone if value.len() == "2026-01-31T00:00".len() => {
                format!("{}:00Z", value.replace(' ', "T"))
            }
            Self::NoZone => format!("{}Z", value.replace(' ', "T")),
            Self::NoSeconds => {
                let (minute, zone) = value.split_at_checked("2026-01-31T00:00".len())?;
                format!("{minute}:00{zone}")
            }
            Self::Form { .. } => value.trim().to_owned(),
            Self::Empty | Self::Month { .. } | Self::Day { .. } | Self::Time | Self::Offset => {
                return None;
            }
        };
        timestamp(&guess).is_ok().then_some(guess)
    }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl fmt::Display for Violation<'_, TimestampFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, value } = self;
        if matches!(fault, TimestampFault::Empty) {
            return f.write_str(fault.rule());
        }
        write!(f, "timestamp `{value}`: ")?;
        match *fault {
            TimestampFault::Form { at } if value.len() > at => write!(
                f,
                "{} at byte {at} is not RFC 3339, such as `2026-01-31T00:00:00Z`",
                text::name_char(value, at),
            ),
            TimestampFault::Month { month } => write!(f, "month {month:02} is not 01 to 12"),
            TimestampFault::Day { year, month } => {
                let at = usize::try_from(month - 1).unwrap_or(usize::MAX);
                let name = MONTHS.get(at).unwrap_or(&"the month");
                let days = days_in(year, month);
                write!(f, "{name} {year:04} has {days} days")
            }
            fault => f.write_str(fault.rule().trim_start_matches("timestamp: ")),
        }
    }
}
