use std::{
    future::ready,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

use super::{
    row::LeaseRow,
    rows::Rows,
    store::{LeaseStore, StoreError, StoreFuture},
    stream_row::{StreamRow, StreamWrite},
    write::{LeaseWrite, Refused},
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
    rows: Rows,
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
        self.tables().rows.leases.values().cloned().collect()
    }

    /// Deletes a row without a condition, as somebody with a console could.
    pub fn delete(&self, key: &str) {
        let rows = &mut self.tables().rows;
        rows.leases.remove(key);
        rows.streams.remove(key);
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn apply(&self, write: &LeaseWrite) -> Result<Option<LeaseRow>, StoreError> {
        let Tables { rows, counts } = &mut *self.tables();
        let reached = |row: Option<&LeaseRow>| row.and_then(|row| row.checkpoint.clone());
        let before = reached(rows.leases.get(write.key()));
        let after = counts.written(rows.apply(write))?;
        if reached(after.as_ref()) != before {
            counts.checkpoints += 1;
        }
        Ok(after)
    }

    /// The row of a stream whose bell stands elsewhere.
    fn heard(&self, key: &str, heard: u64) -> Option<StreamRow> {
        let Tables { rows, counts } = &mut *self.tables();
        let row = rows.streams.get(key).filter(|row| row.bell != heard)?;
        counts.reads += 1;
        Some(row.clone())
    }

    fn apply_to_stream(&self, write: &StreamWrite) -> Result<StreamRow, StoreError> {
        let Tables { rows, counts } = &mut *self.tables();
        let after = counts.written(rows.apply_to_stream(write))?;
        self.0.rung.notify_waiters();
        Ok(after)
    }

    /// Looks at the rows once.
    fn read<T>(&self, look: impl FnOnce(&Rows) -> T) -> T {
        let Tables { rows, counts } = &mut *self.tables();
        counts.reads += 1;
        look(rows)
    }
}

impl Counts {
    fn written<T>(&mut self, answer: Result<T, Refused>) -> Result<T, StoreError> {
        match answer {
            Ok(_) => self.writes += 1,
            Err(Refused) => self.refused += 1,
        }
        answer.map_err(StoreError::from)
    }
}

impl LeaseStore for MemoryLeases {
    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<StreamRow>> {
        let row = self.read(|rows| rows.streams.get(key).cloned());
        Box::pin(ready(Ok(row)))
    }

    fn meet_stream<'a>(&'a self, row: &'a StreamRow) -> StoreFuture<'a, StreamRow> {
        let Tables { rows, counts } = &mut *self.tables();
        counts.writes += 1;
        Box::pin(ready(Ok(rows.meet(row))))
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
        let rows = self.read(|rows| rows.of_stream(stream_key));
        Box::pin(ready(Ok(rows)))
    }

    fn lease<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<LeaseRow>> {
        let row = self.read(|rows| rows.leases.get(key).cloned());
        Box::pin(ready(Ok(row)))
    }

    fn write<'a>(&'a self, write: &'a LeaseWrite) -> StoreFuture<'a, Option<LeaseRow>> {
        Box::pin(ready(self.apply(write)))
    }
}
