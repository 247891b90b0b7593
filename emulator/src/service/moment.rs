//! A point in time of the service: the span since the Unix epoch.

use super::sequence::write_digits;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Nanoseconds for the meters, milliseconds for everything that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Moment(Duration);

impl Moment {
    pub(crate) const fn from_millis(millis: u64) -> Self {
        Self(Duration::from_millis(millis))
    }

    pub(crate) fn millis(self) -> u64 {
        u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX)
    }

    pub(crate) const fn seconds(self) -> u64 {
        self.0.as_secs()
    }

    /// Cut to the millisecond, the precision of every time that the service stores.
    pub(crate) fn to_millis(self) -> Self {
        Self::from_millis(self.millis())
    }

    pub(crate) fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(span))
    }

    pub(crate) fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(span))
    }

    /// Zero when `earlier` is later.
    pub(crate) fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// Epoch seconds as the service writes them, by the sample answers of its API reference:
    /// `1.441215410867E9`. A reader that knows no exponents fails here as it would there.
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        const DIGITS: usize = 20;
        let millis = self.millis();
        let mut digits = [b'0'; DIGITS];
        write_digits(millis, &mut digits);
        let Some(exponent) = (millis / 1_000).checked_ilog10() else {
            out.extend_from_slice(b"0.");
            out.extend_from_slice(&digits[DIGITS - 3..]);
            return;
        };
        // The digits of the milliseconds are those of the seconds, and three more.
        let first = DIGITS - 4 - exponent as usize;
        out.extend_from_slice(&[digits[first], b'.']);
        let last = digits.iter().rposition(|digit| *digit != b'0');
        let end = last.map_or(0, |last| last + 1).max(first + 2);
        out.extend_from_slice(&digits[first + 1..end]);
        out.extend_from_slice(format!("E{exponent}").as_bytes());
    }

    pub(crate) fn wire(self) -> String {
        let mut out = Vec::new();
        self.write(&mut out);
        String::from_utf8(out).expect("digits are text")
    }
}

impl From<SystemTime> for Moment {
    /// Times before 1970 become the epoch: the service knows none.
    fn from(time: SystemTime) -> Self {
        Self(time.duration_since(UNIX_EPOCH).unwrap_or_default())
    }
}

impl From<Moment> for SystemTime {
    fn from(moment: Moment) -> Self {
        UNIX_EPOCH + moment.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_are_written_as_in_the_api_reference() {
        let wire = |millis| Moment::from_millis(millis).wire();
        assert_eq!(wire(1_441_215_410_867), "1.441215410867E9");
        assert_eq!(wire(1_767_225_600_000), "1.7672256E9");
        assert_eq!(wire(1_000_000_000_000), "1.0E9");
        assert_eq!(wire(7), "0.007");
        assert_eq!(wire(0), "0.000");
        assert_eq!(wire(1_000), "1.0E0");
        assert_eq!(wire(20_050), "2.005E1");
        assert_eq!(wire(253_402_300_799_999), "2.53402300799999E11");
    }

    proptest! {
        #[test]
        fn what_is_written_is_what_was_meant(millis in 0..253_402_300_800_000_u64) {
            let seconds: f64 = Moment::from_millis(millis).wire().parse().unwrap();
            let nearest = std::time::Duration::from_millis(millis).as_secs_f64();
            prop_assert!((seconds - nearest).abs() < 0.000_1);
        }
    }
}
