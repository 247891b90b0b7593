//! A stream as the service has it: its shards, and their records in order.

use std::collections::{BTreeMap, BTreeSet};

use super::progress::Progress;

#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) created_millis: i64,
    pub(super) parents: BTreeMap<String, Vec<String>>,
    pub(super) children: BTreeMap<String, Vec<String>>,
    /// Another stream has its name.
    pub(super) is_deleted: bool,
    /// Closed shards that are kept no more, and their records.
    trimmed: BTreeMap<String, Vec<u64>>,
    shards: BTreeMap<String, Line>,
    keys: BTreeMap<String, Key>,
}

/// The records of a shard, in order.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) records: Vec<u64>,
    places: BTreeMap<String, usize>,
}

/// The records of a key, and which of them keep no other waiting.
#[derive(Debug, Default)]
struct Key {
    records: Vec<u64>,
    passed: Progress,
}

impl Stream {
    pub(super) fn created_at(created_millis: i64) -> Self {
        Self {
            created_millis,
            ..Self::default()
        }
    }

    /// Where a record stands in its shard and in its key.
    pub(super) fn put(
        &mut self,
        record: u64,
        key: &str,
        shard_id: &str,
        sequence: &str,
    ) -> (usize, usize) {
        let line = self.shards.entry(shard_id.to_owned()).or_default();
        line.places.insert(sequence.to_owned(), line.records.len());
        line.records.push(record);
        let key = self.keys.entry(key.to_owned()).or_default();
        key.records.push(record);
        (line.records.len() - 1, key.records.len() - 1)
    }

    pub(super) fn reshard(&mut self, parents: &[String], children: &[String]) {
        for child in children {
            self.parents.insert(child.clone(), parents.to_vec());
        }
        for parent in parents {
            self.children.insert(parent.clone(), children.to_vec());
        }
    }

    pub(super) fn trim(&mut self, shard_id: &str, records: &[u64]) {
        self.trimmed.insert(shard_id.to_owned(), records.to_vec());
    }

    /// Whether the service knows the shard no more.
    pub(super) fn has_lost(&self, shard_id: &str) -> bool {
        self.is_deleted || self.trimmed.contains_key(shard_id)
    }

    /// What the service forgot.
    pub(super) fn trimmed(&self) -> BTreeSet<u64> {
        self.trimmed.values().flatten().copied().collect()
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = (&String, &Line)> {
        self.shards.iter()
    }

    pub(super) fn line(&self, shard_id: &str) -> Option<&Line> {
        self.shards.get(shard_id)
    }

    pub(super) fn let_pass(&mut self, key: &str, in_key: usize) {
        if let Some(key) = self.keys.get_mut(key) {
            key.passed.settle(in_key);
        }
    }

    /// The first earlier record of the key that keeps others waiting, but for some.
    pub(super) fn overtaken(
        &self,
        key: &str,
        in_key: usize,
        but: impl Fn(u64) -> bool,
    ) -> Option<u64> {
        let key = self.keys.get(key)?;
        let mut waiting = key.passed.all_unsettled_before(in_key);
        waiting.find_map(|place| key.records.get(place).copied().filter(|it| !but(*it)))
    }
}

impl Line {
    /// The place of a sequence number.
    pub(super) fn place(&self, sequence: &str) -> Option<usize> {
        self.places.get(sequence).copied()
    }
}
