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

    /// Epoch seconds with three decimals: how the protocol writes a timestamp.
    pub(crate) fn wire(self) -> String {
        let millis = self.millis();
        format!("{}.{:03}", millis / 1_000, millis % 1_000)
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
