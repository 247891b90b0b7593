//! How the leases of all streams of an application are spread.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use super::balance::Plan;

/// How many leases of each stream everybody holds, as this instance saw and planned it last.
#[derive(Debug, Default)]
pub(crate) struct Shares(Mutex<BTreeMap<String, BTreeMap<String, usize>>>);

impl Shares {
    /// Decides for one stream, knowing what is decided for the others: two streams must not even out one difference twice.
    pub(crate) fn decide(
        &self,
        stream: &str,
        decide: impl FnOnce(&BTreeMap<String, usize>) -> Plan,
    ) -> Plan {
        let mut shares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut elsewhere = BTreeMap::new();
        for (other, share) in &*shares {
            if other != stream {
                for (who, held) in share {
                    *elsewhere.entry(who.clone()).or_default() += held;
                }
            }
        }
        let plan = decide(&elsewhere);
        shares.insert(stream.to_owned(), plan.then.clone());
        plan
    }

    /// A stream whose rounds fail knows who held its leases, not who does: the others must not count with the dead for ever.
    pub(crate) fn forget(&self, stream: &str) {
        let mut shares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shares.remove(stream);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_knows_what_is_decided_for_the_others() {
        let shares = Shares::default();
        let decide = |stream: &str, then: usize| {
            let mut seen = 0;
            shares.decide(stream, |elsewhere| {
                seen = elsewhere.get("a").copied().unwrap_or(0);
                Plan {
                    then: [("a".to_owned(), then)].into(),
                    ..Plan::default()
                }
            });
            seen
        };
        assert_eq!(decide("one", 2), 0);
        assert_eq!(decide("two", 3), 2);
        assert_eq!(decide("three", 1), 5);
        assert_eq!(decide("one", 4), 4, "its own last word is no part of it");
        assert_eq!(decide("two", 0), 5);
        shares.forget("one");
        assert_eq!(decide("two", 0), 1, "of the third alone");
    }
}
