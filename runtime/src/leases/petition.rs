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

    /// A grant voids a refusal that is not written yet: the request would go, and others would ask for a lease that is promised.
    pub(super) fn take_refusal(&self) -> bool {
        self.refused.swap(false, Ordering::AcqRel) && self.granted().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_voids_a_refusal_that_is_not_written_yet() {
        let wanted = |session: &str| Wanted {
            owner_id: "b".into(),
            session: session.into(),
        };
        let petition = Petition::default();
        petition.refuse();
        petition.grant(wanted("b"));
        assert!(!petition.take_refusal());
        petition.grant(wanted("c"));
        petition.refuse();
        assert!(!petition.take_refusal());
        assert_eq!(petition.granted(), Some(&wanted("b")));
    }

    #[test]
    fn a_refusal_is_written_once() {
        let petition = Petition::default();
        petition.refuse();
        assert!(petition.take_refusal());
        assert!(!petition.take_refusal());
    }
}
