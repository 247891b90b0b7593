//! A store that fails as it is told to, for the tests of what stands on it.

use std::{
    collections::VecDeque,
    future::pending,
    sync::{Arc, Mutex},
};

use super::{
    memory::MemoryLeases,
    row::LeaseRow,
    store::{LeaseStore, StoreError, StoreFuture},
    stream_row::{StreamRow, StreamWrite},
    write::LeaseWrite,
};

/// What happens to one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Fine,
    /// It did not reach the table.
    Lost,
    /// It was carried out, and its answer did not arrive.
    AnswerLost,
    /// It never ends.
    Hangs,
}

/// A [`MemoryLeases`] behind a network.
#[derive(Debug, Clone, Default)]
pub(super) struct Unreliable {
    pub(super) table: MemoryLeases,
    writes: Arc<Mutex<VecDeque<Fate>>>,
    reads: Arc<Mutex<VecDeque<Fate>>>,
}

impl Unreliable {
    /// The fates of the next writes; later ones are fine.
    pub(super) fn writes(&self, fates: impl IntoIterator<Item = Fate>) {
        self.writes
            .lock()
            .expect("no test panics with it")
            .extend(fates);
    }

    /// The fates of the next reads of one row; later ones are fine.
    pub(super) fn reads(&self, fates: impl IntoIterator<Item = Fate>) {
        self.reads
            .lock()
            .expect("no test panics with it")
            .extend(fates);
    }
}

fn next(fates: &Mutex<VecDeque<Fate>>) -> Fate {
    fates
        .lock()
        .expect("no test panics with it")
        .pop_front()
        .unwrap_or(Fate::Fine)
}

async fn suffer<'a, T>(
    fate: Fate,
    call: impl FnOnce() -> StoreFuture<'a, T>,
) -> Result<T, StoreError> {
    match fate {
        Fate::Fine => call().await,
        Fate::Lost => Err(StoreError::Unavailable("connection reset".into())),
        Fate::AnswerLost => {
            call().await?;
            Err(StoreError::Unavailable("no answer".into()))
        }
        Fate::Hangs => pending().await,
    }
}

impl LeaseStore for Unreliable {
    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<StreamRow>> {
        self.table.stream(key)
    }

    fn meet_stream<'a>(&'a self, row: &'a StreamRow) -> StoreFuture<'a, StreamRow> {
        self.table.meet_stream(row)
    }

    fn write_stream<'a>(&'a self, write: &'a StreamWrite) -> StoreFuture<'a, StreamRow> {
        self.table.write_stream(write)
    }

    fn rung<'a>(&'a self, key: &'a str, heard: u64) -> StoreFuture<'a, Option<StreamRow>> {
        self.table.rung(key, heard)
    }

    fn leases<'a>(&'a self, stream_key: &'a str) -> StoreFuture<'a, Vec<LeaseRow>> {
        self.table.leases(stream_key)
    }

    fn lease<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<LeaseRow>> {
        Box::pin(suffer(next(&self.reads), || self.table.lease(key)))
    }

    fn write<'a>(&'a self, write: &'a LeaseWrite) -> StoreFuture<'a, Option<LeaseRow>> {
        Box::pin(suffer(next(&self.writes), || self.table.write(write)))
    }
}
