//! A store whose calls end: what stands on it waits for no answer that never comes.

use std::{sync::Arc, time::Duration};

use kinesis_app_rules::defaults;
use tokio::time::timeout;

use super::{
    foreign::ForeignRow,
    row::LeaseRow,
    store::{LeaseStore, StoreError, StoreFuture},
    stream_row::{StreamRow, StreamWrite},
    write::LeaseWrite,
};

/// Any store, with a time limit for each call that should be answered at once.
#[derive(Debug)]
pub(crate) struct Bounded(pub(crate) Arc<dyn LeaseStore>);

/// A call that did not end.
#[derive(Debug, thiserror::Error)]
#[error("`LeaseStore::{call}` gave no answer within {limit:?}")]
struct NoAnswer {
    call: &'static str,
    limit: Duration,
}

fn bounded<'a, T: Send + 'a>(
    call: &'static str,
    limit: Duration,
    answer: StoreFuture<'a, T>,
) -> StoreFuture<'a, T> {
    Box::pin(async move {
        match timeout(limit, answer).await {
            Ok(answer) => answer,
            Err(_) => Err(StoreError::Unavailable(NoAnswer { call, limit }.into())),
        }
    })
}

impl LeaseStore for Bounded {
    /// It may create a table, and knows itself how long that takes.
    fn prepare(&self) -> StoreFuture<'_, ()> {
        self.0.prepare()
    }

    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<StreamRow>> {
        bounded("stream", defaults::STORE_CALL, self.0.stream(key))
    }

    fn meet_stream<'a>(&'a self, row: &'a StreamRow) -> StoreFuture<'a, StreamRow> {
        bounded("meet_stream", defaults::STORE_CALL, self.0.meet_stream(row))
    }

    fn write_stream<'a>(&'a self, write: &'a StreamWrite) -> StoreFuture<'a, StreamRow> {
        bounded(
            "write_stream",
            defaults::STORE_CALL,
            self.0.write_stream(write),
        )
    }

    /// Waiting is what it is for.
    fn rung<'a>(&'a self, key: &'a str, heard: u64) -> StoreFuture<'a, Option<StreamRow>> {
        self.0.rung(key, heard)
    }

    fn leases<'a>(&'a self, stream_key: &'a str) -> StoreFuture<'a, Vec<LeaseRow>> {
        bounded("leases", defaults::STORE_LISTING, self.0.leases(stream_key))
    }

    fn lease<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<LeaseRow>> {
        bounded("lease", defaults::STORE_CALL, self.0.lease(key))
    }

    fn foreign<'a>(
        &'a self,
        stream: &'a str,
        shard_id: &'a str,
    ) -> StoreFuture<'a, Option<ForeignRow>> {
        bounded(
            "foreign",
            defaults::STORE_CALL,
            self.0.foreign(stream, shard_id),
        )
    }

    fn write<'a>(&'a self, write: &'a LeaseWrite) -> StoreFuture<'a, Option<LeaseRow>> {
        bounded("write", defaults::STORE_CALL, self.0.write(write))
    }
}
