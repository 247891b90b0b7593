use std::{
    collections::BTreeMap,
    future::ready,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

use super::{
    row::LeaseRow,
    store::{LeaseStore, StoreError, StoreFuture},
    stream_row::{StreamRow, StreamWrite},
    write::LeaseWrite,
};

/// Leases in this process: for tests, for one instance, and for several that share a clone of it.
///
/// Everything is forgotten with the process: the next start begins where `start(..)` says.
///
/// ```
/// use kinesis_app::MemoryLeases;
///
/// let leases = MemoryLeases::new();
/// let same = leases.clone();
/// assert_eq!(same.counts().checkpoints, 0);
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryLeases(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    tables: Mutex<Tables>,
    /// A stream's row was written.
    rung: Notify,
}

#[derive(Debug, Default)]
struct Tables {
    streams: BTreeMap<String, StreamRow>,
    leases: BTreeMap<String, LeaseRow>,
    counts: Counts,
}

/// How often a store was asked for what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reads of one row or of a stream's rows.
    pub reads: u64,
    /// Writes that were applied.
    pub writes: u64,
    /// Writes that were applied and moved a checkpoint.
    pub checkpoints: u64,
    /// Writes whose condition did not hold.
    pub refused: u64,
}

impl MemoryLeases {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// How often it was asked for what.
    pub fn counts(&self) -> Counts {
        self.tables().counts
    }

    /// All lease rows, by key.
    pub fn rows(&self) -> Vec<LeaseRow> {
        self.tables().leases.values().cloned().collect()
    }

    /// Deletes a row without a condition, as somebody with a console could.
    pub fn delete(&self, key: &str) {
        let mut tables = self.tables();
        tables.leases.remove(key);
        tables.streams.remove(key);
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn apply(&self, write: &LeaseWrite) -> Result<Option<LeaseRow>, StoreError> {
        let tables = &mut *self.tables();
        let before = tables.leases.get(write.key());
        let Ok(after) = write.apply(before) else {
            tables.counts.refused += 1;
            return Err(StoreError::Refused);
        };
        tables.counts.writes += 1;
        if after.as_ref().and_then(|row| row.checkpoint.as_ref())
            != before.and_then(|row| row.checkpoint.as_ref())
        {
            tables.counts.checkpoints += 1;
        }
        match &after {
            Some(row) => tables.leases.insert(row.key.clone(), row.clone()),
            None => tables.leases.remove(write.key()),
        };
        Ok(after)
    }

    /// The row of a stream whose bell stands elsewhere.
    fn heard(&self, key: &str, heard: u64) -> Option<StreamRow> {
        let mut tables = self.tables();
        let row = tables.streams.get(key).filter(|row| row.bell != heard)?;
        let row = row.clone();
        tables.counts.reads += 1;
        Some(row)
    }

    fn apply_to_stream(&self, write: &StreamWrite) -> Result<StreamRow, StoreError> {
        let tables = &mut *self.tables();
        let Ok(after) = write.apply(tables.streams.get(write.key())) else {
            tables.counts.refused += 1;
            return Err(StoreError::Refused);
        };
        tables.counts.writes += 1;
        tables.streams.insert(after.key.clone(), after.clone());
        self.0.rung.notify_waiters();
        Ok(after)
    }
}

impl LeaseStore for MemoryLeases {
    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<StreamRow>> {
        let mut tables = self.tables();
        tables.counts.reads += 1;
        Box::pin(ready(Ok(tables.streams.get(key).cloned())))
    }

    fn meet_stream<'a>(&'a self, row: &'a StreamRow) -> StoreFuture<'a, StreamRow> {
        let mut tables = self.tables();
        let stands = tables
            .streams
            .entry(row.key.clone())
            .or_insert_with(|| row.clone())
            .clone();
        tables.counts.writes += 1;
        Box::pin(ready(Ok(stands)))
    }

    fn write_stream<'a>(&'a self, write: &'a StreamWrite) -> StoreFuture<'a, StreamRow> {
        Box::pin(ready(self.apply_to_stream(write)))
    }

    fn rung<'a>(&'a self, key: &'a str, heard: u64) -> StoreFuture<'a, Option<StreamRow>> {
        Box::pin(async move {
            loop {
                let rung = self.0.rung.notified();
                if let Some(row) = self.heard(key, heard) {
                    return Ok(Some(row));
                }
                rung.await;
            }
        })
    }

    fn leases<'a>(&'a self, stream_key: &'a str) -> StoreFuture<'a, Vec<LeaseRow>> {
        let mut tables = self.tables();
        tables.counts.reads += 1;
        let prefix = format!("{stream_key}:");
        let rows = tables
            .leases
            .range(prefix.clone()..)
            .take_while(|(key, _)| key.starts_with(&prefix))
            .map(|(_, row)| row.clone());
        Box::pin(ready(Ok(rows.collect())))
    }

    fn lease<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<LeaseRow>> {
        let mut tables = self.tables();
        tables.counts.reads += 1;
        Box::pin(ready(Ok(tables.leases.get(key).cloned())))
    }

    fn write<'a>(&'a self, write: &'a LeaseWrite) -> StoreFuture<'a, Option<LeaseRow>> {
        Box::pin(ready(self.apply(write)))
    }
}
