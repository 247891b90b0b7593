//! The shards that are read here, and the tenure of each.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    tenure::Tenure,
    writer::{RowHandle, RowLine},
};

/// A tenure, and the way to the writer of its row.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub(crate) tenure: Arc<Tenure>,
    pub(crate) row: RowLine,
}

/// The tenures of one stream's readers, by shard: who has to tell them something finds them here.
#[derive(Debug, Default)]
pub(crate) struct Tenures(Mutex<BTreeMap<String, Held>>);

/// A reader's place among them, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    tenures: &'a Tenures,
    shard_id: &'a str,
}

impl Tenures {
    pub(crate) fn enter<'a>(
        &'a self,
        shard_id: &'a str,
        tenure: &Arc<Tenure>,
        handle: &RowHandle,
    ) -> Place<'a> {
        let held = Held {
            tenure: Arc::clone(tenure),
            row: handle.line(),
        };
        self.locked().insert(shard_id.to_owned(), held);
        Place {
            tenures: self,
            shard_id,
        }
    }

    pub(crate) fn find(&self, shard_id: &str) -> Option<Held> {
        self.locked().get(shard_id).cloned()
    }

    /// In the order of shard ids.
    pub(crate) fn all(&self) -> Vec<(String, Arc<Tenure>)> {
        let tenures = self.locked();
        tenures
            .iter()
            .map(|(shard_id, held)| (shard_id.clone(), Arc::clone(&held.tenure)))
            .collect()
    }

    fn locked(&self) -> MutexGuard<'_, BTreeMap<String, Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.tenures.locked().remove(self.shard_id);
    }
}
