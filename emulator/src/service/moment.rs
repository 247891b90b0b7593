//! A point in time of the service: the span since the Unix epoch.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Nanoseconds for the meters, milliseconds for everything that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    pub(crate) fn wire(self) -> String {
        let millis = self.millis();
        let seconds = millis / 1_000;
        let Some(exponent) = seconds.checked_ilog10() else {
            return format!("0.{millis:03}");
        };
        let digits = format!("{seconds}{:03}", millis % 1_000);
        let (first, rest) = digits.split_at(1);
        let rest = match rest.trim_end_matches('0') {
            "" => "0",
            rest => rest,
        };
        format!("{first}.{rest}E{exponent}")
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
