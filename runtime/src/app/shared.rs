use std::sync::Arc;

use tokio::sync::watch;

use super::directory::Directory;
use crate::{
    dispatch::retry::Backoff,
    leases::{
        clock::Clock,
        row::{Holder, Wanted},
        shares::Shares,
        store::LeaseStore,
        tenure::Timing,
    },
    source::budget::Budget,
    telemetry::board::Board,
};

/// One start of one application: what all its streams share.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) app: String,
    pub(crate) owner_id: String,
    /// Random per start: two processes with one owner id are two owners.
    pub(crate) session: String,
    pub(crate) store: Arc<dyn LeaseStore>,
    pub(crate) timing: Timing,
    pub(crate) clock: Clock,
    pub(crate) backoff: Backoff,
    pub(crate) budget: Arc<Budget>,
    pub(crate) board: Board,
    pub(crate) directory: Arc<Directory>,
    pub(crate) shares: Shares,
    /// Whether `#[on_ready]` is through.
    pub(crate) ready: watch::Sender<bool>,
}

impl Instance {
    pub(crate) fn holder(&self) -> Holder {
        Holder {
            owner_id: self.owner_id.clone(),
            session: self.session.clone(),
            lease_duration: self.timing.lease_duration,
        }
    }

    pub(crate) fn wanted(&self) -> Wanted {
        Wanted {
            owner_id: self.owner_id.clone(),
            session: self.session.clone(),
        }
    }
}
