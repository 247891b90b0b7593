//! Shards that this instance tried to read and could not, which others may be able to read.

use std::{collections::BTreeMap, time::Duration};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::balance::{Asks, AtOnce};

/// When each was given up. It is not asked for, for a while: whoever has it would hand it over for nothing.
#[derive(Debug, Default)]
pub(crate) struct GivenUp(BTreeMap<String, Instant>);

impl GivenUp {
    pub(crate) fn add(&mut self, shard_id: &str, now: Instant) {
        self.0.insert(shard_id.into(), now);
    }

    /// What was given up long enough ago is asked for again.
    pub(crate) fn forget(&mut self, now: Instant) {
        self.0
            .retain(|_, since| now.duration_since(*since) < defaults::GIVEN_UP_FOR);
    }

    /// Which leases to ask others for. Who has read nothing for a lease duration may not be able to read anything, and would have his whole
    /// share handed to him for nothing: he asks for one.
    pub(crate) fn asks(
        &self,
        reads_since: Option<Instant>,
        now: Instant,
        lease_duration: Duration,
    ) -> Asks {
        let reads = reads_since.is_some_and(|since| now.duration_since(since) >= lease_duration);
        let at_once = match self.0.values().max() {
            Some(last) if !reads => {
                if now.duration_since(*last) < defaults::BACKOFF_REFUSED_MAX {
                    AtOnce::None
                } else {
                    AtOnce::One
                }
            }
            _ => AtOnce::All,
        };
        Asks {
            but_for: self.0.keys().cloned().collect(),
            at_once,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(10);
    const TRIAL: Duration = defaults::BACKOFF_REFUSED_MAX;

    fn at_once(given_up: &GivenUp, reads_since: Option<Instant>, now: Instant) -> AtOnce {
        given_up.asks(reads_since, now, LEASE).at_once
    }

    #[test]
    fn who_never_gave_up_asks_for_its_whole_share() {
        let now = Instant::now();
        assert_eq!(GivenUp::default().asks(None, now, LEASE), Asks::default());
    }

    #[test]
    fn who_reads_others_asks_for_all_but_what_it_gave_up() {
        let mut given_up = GivenUp::default();
        let now = Instant::now();
        given_up.add("s", now);
        let asks = given_up.asks(Some(now), now + LEASE, LEASE);
        assert_eq!(asks.at_once, AtOnce::All);
        assert_eq!(asks.but_for, ["s".to_owned()].into());
        let yet = now + LEASE - Duration::from_millis(1);
        assert_eq!(at_once(&given_up, Some(now), yet), AtOnce::None);
    }

    #[test]
    fn who_reads_nothing_asks_for_one_at_a_time_and_each_failure_makes_it_wait() {
        let mut given_up = GivenUp::default();
        let now = Instant::now();
        given_up.add("s", now);
        let yet = now + TRIAL - Duration::from_millis(1);
        assert_eq!(at_once(&given_up, None, yet), AtOnce::None);
        let later = now + TRIAL;
        given_up.forget(later);
        assert_eq!(at_once(&given_up, None, later), AtOnce::One);
        given_up.add("t", later);
        assert_eq!(at_once(&given_up, None, later), AtOnce::None);
    }

    #[test]
    fn what_was_given_up_long_ago_is_asked_for_again() {
        let mut given_up = GivenUp::default();
        let now = Instant::now();
        given_up.add("s", now);
        given_up.forget(now + defaults::GIVEN_UP_FOR - Duration::from_millis(1));
        assert!(!given_up.asks(None, now, LEASE).but_for.is_empty());
        given_up.forget(now + defaults::GIVEN_UP_FOR);
        assert!(given_up.asks(None, now, LEASE).but_for.is_empty());
    }
}
