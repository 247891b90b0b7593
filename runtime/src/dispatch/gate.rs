use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::desk::NotBegun;
use crate::{
    leases::{generation::Known, tenure::Tenure},
    planted::{Bug, planted},
};

/// Whether an attempt may begin, asked in the poll that begins it: between the choice of a record and its first poll other handlers
/// may have taken their time.
#[derive(Debug)]
pub(super) struct Gate {
    tenure: Arc<Tenure>,
    known: Arc<Known>,
    open: AtomicBool,
}

impl Gate {
    pub(super) fn new(tenure: &Arc<Tenure>, known: &Arc<Known>) -> Arc<Self> {
        Arc::new(Self {
            tenure: Arc::clone(tenure),
            known: Arc::clone(known),
            open: AtomicBool::new(true),
        })
    }

    pub(super) fn open_if(&self, begins: bool) {
        self.open.store(begins, Ordering::Relaxed);
    }

    pub(super) fn token(&self) -> u64 {
        self.tenure.token()
    }

    pub(super) fn lets_begin(&self, reading: u64) -> Result<(), NotBegun> {
        if !self.open.load(Ordering::Relaxed) || !self.is_current(reading) {
            return Err(NotBegun::Closed);
        }
        if self.tenure.is_over() && !planted(Bug::NoDeadline) {
            return Err(NotBegun::Late);
        }
        Ok(())
    }

    /// Once a seek is known of, nothing of a reading before it begins, also before the next reading does.
    pub(super) fn is_current(&self, reading: u64) -> bool {
        let readings = self.tenure.readings();
        readings.current() == reading && readings.generation() == self.known.generation()
    }
}
