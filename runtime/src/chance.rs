//! The process's one source of randomness: jitter and session names. Seeded in tests, so that a run can be had again.

use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub(crate) struct Chance(Mutex<fastrand::Rng>);

impl Chance {
    pub(crate) fn new(seed: Option<u64>) -> Self {
        Self(Mutex::new(
            seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed),
        ))
    }

    /// A part of a whole, in `0.0..1.0`.
    pub(crate) fn part(&self) -> f64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).f64()
    }

    /// A name that no other process start has.
    pub(crate) fn session(&self) -> String {
        format!(
            "{:032x}",
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .u128(..)
        )
    }
}
