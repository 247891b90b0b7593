//! How long to wait before the next attempt, at a record or at a call.

use std::{sync::Arc, time::Duration};

use crate::chance::Chance;

/// Doubling waits with full jitter: attempt `n` waits a random part of `first * 2^(n-1)`, at most of `max`.
#[derive(Debug, Clone)]
pub(crate) struct Backoff {
    pub(crate) first: Duration,
    pub(crate) max: Duration,
    pub(crate) chance: Arc<Chance>,
}

impl Backoff {
    /// The wait after `failures` failures in a row.
    pub(crate) fn wait(&self, failures: u32) -> Duration {
        ceiling(self.first, self.max, failures).mul_f64(self.chance.part())
    }
}

fn ceiling(first: Duration, max: Duration, failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(31);
    first.saturating_mul(1 << doublings).min(max)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FIRST: Duration = Duration::from_millis(200);
    const MAX: Duration = Duration::from_secs(30);

    #[test]
    fn waits_double_up_to_the_longest() {
        let ceilings: Vec<_> = (1..=9)
            .map(|failures| ceiling(FIRST, MAX, failures).as_millis())
            .collect();
        assert_eq!(
            ceilings,
            [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000]
        );
        assert_eq!(ceiling(FIRST, MAX, u32::MAX), MAX);
    }

    proptest! {
        #[test]
        fn a_wait_is_never_longer_than_its_ceiling(failures in any::<u32>(), seed in any::<u64>()) {
            let backoff = Backoff { first: FIRST, max: MAX, chance: Arc::new(Chance::new(Some(seed))) };
            prop_assert!(backoff.wait(failures) <= ceiling(FIRST, MAX, failures));
        }
    }
}
