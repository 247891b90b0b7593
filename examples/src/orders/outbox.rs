//! Which records may travel in one `PutRecords` request, so that a refused one does not lose its place.

use std::collections::{HashSet, VecDeque};

/// A record on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outgoing {
    pub(crate) key: String,
    pub(crate) id: u64,
    pub(crate) data: Vec<u8>,
}

/// Records in the order in which they were produced.
///
/// The service may take some entries of a request and refuse others. Were two records of one key in a request, the first
/// could be refused and the second taken, and the first would come after it. So a request holds one record per key.
#[derive(Debug, Default)]
pub(crate) struct Outbox(VecDeque<Outgoing>);

impl Outbox {
    pub(crate) fn push(&mut self, record: Outgoing) {
        self.0.push_back(record);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes the first record of each key, `most` records in all.
    pub(crate) fn take(&mut self, most: usize) -> Vec<Outgoing> {
        let mut keys = HashSet::new();
        let mut taken = Vec::new();
        let mut left = VecDeque::with_capacity(self.0.len());
        for record in self.0.drain(..) {
            if taken.len() < most && keys.insert(record.key.clone()) {
                taken.push(record);
            } else {
                left.push_back(record);
            }
        }
        self.0 = left;
        taken
    }

    /// Puts refused records back in front of everything else, in the order in which they were taken.
    pub(crate) fn give_back(&mut self, refused: Vec<Outgoing>) {
        for record in refused.into_iter().rev() {
            self.0.push_front(record);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn record((id, key): (u64, u8)) -> Outgoing {
        Outgoing {
            key: format!("customer-{key}"),
            id,
            data: Vec::new(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn each_key_arrives_in_order_and_whole_whatever_is_refused(
            keys in prop::collection::vec(0_u8..5, 0..60),
            refusals in prop::collection::vec(any::<bool>(), 200),
            most in 1_usize..8,
        ) {
            let mut outbox = Outbox::default();
            let produced = keys.len();
            for numbered in (0_u64..).zip(keys) {
                outbox.push(record(numbered));
            }
            let mut refusals = refusals.into_iter();
            let mut arrived: Vec<Outgoing> = Vec::new();
            while outbox.len() > 0 {
                let taken = outbox.take(most);
                prop_assert!(!taken.is_empty() && taken.len() <= most);
                let mut refused = Vec::new();
                for record in taken {
                    if refusals.next().unwrap_or(false) {
                        refused.push(record);
                    } else {
                        arrived.push(record);
                    }
                }
                outbox.give_back(refused);
            }
            prop_assert_eq!(arrived.len(), produced);
            let mut last: HashMap<&str, u64> = HashMap::new();
            for record in &arrived {
                let before = last.insert(&record.key, record.id);
                prop_assert!(before.is_none_or(|before| before < record.id));
            }
        }
    }
}
