//! What the shop sells and how it is told apart: the payloads, and which of the two streams they travel on.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An order placed by a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Order {
    /// Unique among orders, growing.
    pub(crate) id: u64,
    /// What it costs.
    pub(crate) amount_cents: u64,
}

/// Money that a customer paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Payment {
    /// Unique among payments, growing.
    pub(crate) id: u64,
    /// How much.
    pub(crate) amount_cents: u64,
}

/// The two streams, whatever their names are today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Topic {
    Orders,
    Payments,
}

impl Topic {
    pub(crate) const ALL: [Self; 2] = [Self::Orders, Self::Payments];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::Payments => "payments",
        }
    }

    /// This topic's part of a number of records: three orders to one payment.
    pub(crate) const fn share(self, total: u64) -> u64 {
        let payments = total / 4;
        match self {
            Self::Orders => total - payments,
            Self::Payments => payments,
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One value for each topic.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PerTopic<T> {
    pub(crate) orders: T,
    pub(crate) payments: T,
}

impl<T> PerTopic<T> {
    pub(crate) fn each(mut make: impl FnMut(Topic) -> T) -> Self {
        Self {
            orders: make(Topic::Orders),
            payments: make(Topic::Payments),
        }
    }

    pub(crate) fn get(&self, topic: Topic) -> &T {
        match topic {
            Topic::Orders => &self.orders,
            Topic::Payments => &self.payments,
        }
    }

    pub(crate) fn get_mut(&mut self, topic: Topic) -> &mut T {
        match topic {
            Topic::Orders => &mut self.orders,
            Topic::Payments => &mut self.payments,
        }
    }
}

/// A record that lies in a stream: where, under which key, and the id of what it carries.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) topic: Topic,
    pub(crate) key: String,
    pub(crate) shard: String,
    pub(crate) sequence: String,
    pub(crate) id: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_the_topics_add_up() {
        for total in [1, 2, 3, 4, 1500, 30_001] {
            let shares: u64 = Topic::ALL.iter().map(|topic| topic.share(total)).sum();
            assert_eq!(shares, total);
        }
    }
}
