//! How long to wait before the next attempt, at a record or at a call.

use std::time::Duration;

/// Doubling waits with full jitter: attempt `n` waits a random part of `first * 2^(n-1)`, at most of `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Backoff {
    pub(crate) first: Duration,
    pub(crate) max: Duration,
}

impl Backoff {
    /// The wait after `failures` failures in a row; `chance` in `0.0..1.0` is the part of it that is taken.
    pub(crate) fn wait(self, failures: u32, chance: f64) -> Duration {
        self.ceiling(failures).mul_f64(chance)
    }

    fn ceiling(self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(31);
        self.first.saturating_mul(1 << doublings).min(self.max)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BACKOFF: Backoff = Backoff {
        first: Duration::from_millis(200),
        max: Duration::from_secs(30),
    };

    #[test]
    fn waits_double_up_to_the_longest() {
        let ceilings: Vec<_> = (1..=9)
            .map(|failures| BACKOFF.ceiling(failures).as_millis())
            .collect();
        assert_eq!(
            ceilings,
            [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000]
        );
        assert_eq!(BACKOFF.ceiling(u32::MAX), BACKOFF.max);
    }

    proptest! {
        #[test]
        fn a_wait_is_never_longer_than_its_ceiling(failures in any::<u32>(), chance in 0.0..1.0_f64) {
            prop_assert!(BACKOFF.wait(failures, chance) <= BACKOFF.ceiling(failures));
        }
    }
}
