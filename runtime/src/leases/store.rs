use std::{fmt, future::Future, pin::Pin};

use super::{
    foreign::ForeignRow,
    row::LeaseRow,
    stream_row::{StreamRow, StreamWrite},
    write::{self, LeaseWrite},
};
use kinesis_app_rules::defaults;
use tokio::time::sleep;

use crate::cause::HandlerError;

/// The answer of a store, to be awaited.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Where leases and checkpoints are kept.
///
/// A store keeps rows and nothing else: what a write needs and does is the word of [`LeaseWrite::apply`] and [`StreamWrite::apply`], which
/// it must carry out as one atomic step. A call that gets no answer must end by itself, within two seconds or so: heartbeats wait behind
/// it. After 10 s (a listing: a minute) it is given up, and tried again. Reads of one row are consistent (they see every write that was
/// answered before they were sent); a listing may lag.
pub trait LeaseStore: fmt::Debug + Send + Sync + 'static {
    /// Makes the store usable; called once at every start, before anything else is asked of it.
    fn prepare(&self) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// The row of one stream.
    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<StreamRow>>;

    /// Creates the row of a stream, unless there is one; the answer is the row that stands then.
    fn meet_stream<'a>(&'a self, row: &'a StreamRow) -> StoreFuture<'a, StreamRow>;

    /// Carries out a write of a stream's row; the answer is the row after it.
    fn write_stream<'a>(&'a self, write: &'a StreamWrite) -> StoreFuture<'a, StreamRow>;

    /// Waits until the bell of a stream may have rung since it stood at `heard`, and reads the stream's row; the reading may lag.
    ///
    /// It is called again as soon as it has returned. A store that knows when the row is written waits for that; others look once a
    /// second.
    fn rung<'a>(&'a self, key: &'a str, _heard: u64) -> StoreFuture<'a, Option<StreamRow>> {
        Box::pin(async move {
            sleep(defaults::BELL).await;
            self.stream(key).await
        })
    }

    /// The rows of all shards of the stream with this key.
    fn leases<'a>(&'a self, stream_key: &'a str) -> StoreFuture<'a, Vec<LeaseRow>>;

    /// One row, as it stands.
    fn lease<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<LeaseRow>>;

    /// What another system that shares the store keeps of a shard: the row `<stream>:<shard>` of its table. It is asked for when a shard
    /// has no row, and copied if it stands still.
    fn foreign<'a>(
        &'a self,
        _stream: &'a str,
        _shard_id: &'a str,
    ) -> StoreFuture<'a, Option<ForeignRow>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Carries out a write; the answer is the row after it, `None` after a deletion.
    fn write<'a>(&'a self, write: &'a LeaseWrite) -> StoreFuture<'a, Option<LeaseRow>>;
}

/// A store that did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The row did not meet the write's condition: another instance was faster, or an earlier try of this write was applied.
    #[error("the lease row is not as the write needs it")]
    Refused,
    /// The write may or may not have been applied; the same call may succeed later.
    #[error("the lease store did not answer")]
    Unavailable(#[source] HandlerError),
    /// The call can never succeed.
    #[error("the lease store refused the call")]
    Fatal(#[source] HandlerError),
}

impl From<write::Refused> for StoreError {
    fn from(_: write::Refused) -> Self {
        Self::Refused
    }
}

impl StoreError {
    /// Whether the same call may succeed later.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}
