//! What is held in memory for some records, in bytes: each share ends with the record that holds it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The shares that are held.
#[derive(Debug, Default)]
pub(super) struct Weights(Arc<AtomicUsize>);

/// One of them.
#[derive(Debug)]
pub(super) struct Weight {
    bytes: usize,
    all: Arc<AtomicUsize>,
}

impl Weights {
    pub(super) fn sum(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn hold(&self, bytes: usize) -> Weight {
        self.0.fetch_add(bytes, Ordering::Relaxed);
        Weight {
            bytes,
            all: Arc::clone(&self.0),
        }
    }
}

impl Drop for Weight {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
