//! The process's one source of randomness: jitter and session names. Seeded in tests, so that a run can be had again.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

#[derive(Debug)]
pub(crate) struct Chance(Mutex<fastrand::Rng>);

/// How many starts this process has seen.
static STARTS: AtomicU64 = AtomicU64::new(0);

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

    /// A name that no other start has, also none with the same seed: two starts with one session would be one owner.
    pub(crate) fn session(&self) -> String {
        let random = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .u128(..);
        let start = STARTS.fetch_add(1, Ordering::Relaxed);
        format!("{random:032x}-{start}")
    }
}
