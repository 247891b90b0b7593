//! A token bucket in the service's time.

use super::Moment;
use serde::{Deserialize, Serialize};
use std::time::Duration;

const NANOS: i128 = 1_000_000_000;

/// Refills by `rate` a second up to one second's worth; may go into debt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Bucket {
    /// Tokens times a billion, so that a refill of any span is exact.
    level: i128,
    rate: i128,
    seen: Moment,
}

impl Bucket {
    pub(crate) fn full(rate: usize, now: Moment) -> Self {
        let rate = rate as i128;
        Self {
            level: rate * NANOS,
            rate,
            seen: now,
        }
    }

    fn refill(&mut self, now: Moment) {
        let span = i128::try_from(now.since(self.seen).as_nanos()).unwrap_or(i128::MAX / self.rate);
        self.level = self
            .level
            .saturating_add(span.saturating_mul(self.rate))
            .min(self.rate * NANOS);
        self.seen = self.seen.max(now);
    }

    /// Whether `cost` could be taken. A cost above a full bucket needs a full one and leaves a
    /// debt: how a 10 MiB record passes a shard of 1 MiB a second.
    pub(crate) fn covers(&mut self, cost: usize, now: Moment) -> bool {
        self.refill(now);
        self.level >= (cost as i128).min(self.rate) * NANOS
    }

    pub(crate) fn take(&mut self, cost: usize, now: Moment) -> bool {
        let covered = self.covers(cost, now);
        if covered {
            self.level -= cost as i128 * NANOS;
        }
        covered
    }

    /// Whether no debt is left: for costs that are known only afterwards.
    pub(crate) fn is_clear(&mut self, now: Moment) -> bool {
        self.refill(now);
        self.level >= 0
    }

    /// When no debt will be left, if nothing more is taken.
    pub(crate) fn clear_at(&mut self, now: Moment) -> Moment {
        self.refill(now);
        let debt = self.level.min(0).unsigned_abs();
        let nanos = debt.div_ceil(self.rate.unsigned_abs());
        now.plus(Duration::from_nanos(
            u64::try_from(nanos).unwrap_or(u64::MAX),
        ))
    }

    /// Takes a cost that is known only afterwards. One above a second's worth also forfeits what
    /// was saved, so that 10 MiB at 2 MiB a second close the shard for the documented 5 seconds.
    pub(crate) fn charge(&mut self, cost: usize, now: Moment) {
        self.refill(now);
        let cost = cost as i128;
        if cost > self.rate {
            self.level = self.level.min(0);
        }
        self.level -= cost * NANOS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(millis: u64) -> Moment {
        Moment::from_millis(millis)
    }

    #[test]
    fn five_calls_then_one_every_fifth_of_a_second() {
        let mut calls = Bucket::full(5, at(0));
        assert!((0..5).all(|_| calls.take(1, at(0))));
        assert!(!calls.take(1, at(199)));
        assert!(calls.take(1, at(200)));
        assert!(!calls.take(1, at(399)));
        assert!(calls.take(1, at(400)));
    }

    #[test]
    fn savings_end_at_one_second() {
        let mut calls = Bucket::full(5, at(0));
        assert!((0..5).all(|_| calls.take(1, at(3_600_000))));
        assert!(!calls.take(1, at(3_600_000)));
    }

    #[test]
    fn a_cost_above_a_second_needs_a_full_bucket_and_leaves_a_debt() {
        let mut bytes = Bucket::full(100, at(0));
        assert!(bytes.take(1, at(0)));
        assert!(!bytes.take(1_000, at(0)));
        assert!(bytes.take(1_000, at(10)));
        assert!(!bytes.take(1, at(9_010)));
        assert!(bytes.take(1, at(9_020)));
    }

    #[test]
    fn a_full_answer_closes_a_shard_for_the_documented_penalty() {
        use crate::limits::{GET_RECORDS_BYTES, GET_RECORDS_PENALTY, SHARD_READ_BYTES_PER_SECOND};
        let penalty = u64::try_from(GET_RECORDS_PENALTY.as_millis()).unwrap();
        let mut bytes = Bucket::full(SHARD_READ_BYTES_PER_SECOND, at(0));
        assert!(bytes.is_clear(at(0)));
        bytes.charge(GET_RECORDS_BYTES, at(0));
        assert!(!bytes.is_clear(at(penalty - 1)));
        assert_eq!(bytes.clear_at(at(penalty - 1)), at(penalty));
        assert!(bytes.is_clear(at(penalty)));
    }

    proptest! {
        #[test]
        fn no_span_gives_more_than_its_rate_and_one_seconds_savings(
            rate in 1..2_000_usize,
            calls in prop::collection::vec((0..400_u64, 1..500_usize), 1..60),
        ) {
            let mut bucket = Bucket::full(rate, at(0));
            let (mut now, mut taken, mut largest) = (0, 0, 0);
            for (pause, cost) in calls {
                now += pause;
                if bucket.take(cost, at(now)) {
                    taken += cost;
                    largest = largest.max(cost);
                }
                let earned = rate + rate * usize::try_from(now).unwrap() / 1_000;
                // One that is above a second's worth may run ahead by what it is above.
                prop_assert!(taken <= earned + largest.saturating_sub(rate));
            }
        }
    }

    #[test]
    fn a_clock_that_stands_or_steps_back_fills_nothing() {
        let mut calls = Bucket::full(1, at(5_000));
        assert!(calls.take(1, at(5_000)));
        assert!(!calls.take(1, at(1_000)));
        assert!(!calls.take(1, at(5_500)));
        assert!(calls.take(1, at(6_000)));
    }
}
