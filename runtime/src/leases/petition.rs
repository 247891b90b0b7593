//! What becomes of a request for a lease that is held here.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, Ordering},
};

use super::row::Wanted;

/// The word of who balances, carried out by the reader and by the row's writer.
#[derive(Debug, Default)]
pub(crate) struct Petition {
    granted: OnceLock<Wanted>,
    refused: AtomicBool,
}

impl Petition {
    /// The tenure ends with a grant. Only the first word counts.
    pub(crate) fn grant(&self, to: Wanted) {
        let _ = self.granted.set(to);
    }

    /// To whom the lease goes, if it does.
    pub(crate) fn granted(&self) -> Option<&Wanted> {
        self.granted.get()
    }

    /// The next heartbeat takes the request away.
    pub(crate) fn refuse(&self) {
        self.refused.store(true, Ordering::Release);
    }

    pub(super) fn take_refusal(&self) -> bool {
        self.refused.swap(false, Ordering::AcqRel)
    }
}
