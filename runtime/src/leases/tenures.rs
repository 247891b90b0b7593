//! The shards that are read here, and the tenure of each.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::tenure::Tenure;

/// The tenures of one stream's readers, by shard: who has to tell them something finds them here.
#[derive(Debug, Default)]
pub(crate) struct Tenures(Mutex<BTreeMap<String, Arc<Tenure>>>);

/// A reader's place among them, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    tenures: &'a Tenures,
    shard_id: &'a str,
}

impl Tenures {
    pub(crate) fn enter<'a>(&'a self, shard_id: &'a str, tenure: &Arc<Tenure>) -> Place<'a> {
        self.locked()
            .insert(shard_id.to_owned(), Arc::clone(tenure));
        Place {
            tenures: self,
            shard_id,
        }
    }

    /// In the order of shard ids.
    pub(crate) fn all(&self) -> Vec<(String, Arc<Tenure>)> {
        let tenures = self.locked();
        tenures
            .iter()
            .map(|(shard_id, tenure)| (shard_id.clone(), Arc::clone(tenure)))
            .collect()
    }

    fn locked(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Tenure>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.tenures.locked().remove(self.shard_id);
    }
}
