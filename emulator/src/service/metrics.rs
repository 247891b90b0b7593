//! The shard-level metrics of enhanced monitoring: accepted and shown, never measured.

use serde::{Deserialize, Serialize};

/// In the order of the API model.
const NAMES: [&str; 7] = [
    "IncomingBytes",
    "IncomingRecords",
    "OutgoingBytes",
    "OutgoingRecords",
    "WriteProvisionedThroughputExceeded",
    "ReadProvisionedThroughputExceeded",
    "IteratorAgeMilliseconds",
];

/// A set of metrics, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Metrics(u8);

impl Metrics {
    pub(crate) const ALL: Self = Self((1 << NAMES.len()) - 1);

    /// `ALL` is all seven.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        if name == "ALL" {
            return Some(Self::ALL);
        }
        let place = NAMES.iter().position(|known| *known == name)?;
        Some(Self(1 << place))
    }

    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        (0..NAMES.len())
            .filter(move |place| self.0 >> place & 1 == 1)
            .map(|place| NAMES[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_seven_and_go_one_by_one() {
        let all = Metrics::of_name("ALL").unwrap();
        assert_eq!(all.names().collect::<Vec<_>>(), NAMES);
        let one = Metrics::of_name("OutgoingBytes").unwrap();
        assert_eq!(all.without(one).names().count(), 6);
        assert_eq!(all.without(one).with(one), all);
        assert_eq!(Metrics::of_name("outgoingbytes"), None);
        assert_eq!(Metrics::default().names().count(), 0);
    }
}
