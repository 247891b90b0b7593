//! What an application repositions a stream with.

use std::{any::TypeId, fmt, marker::PhantomData, sync::Arc};

use super::{error::SeekError, one_shard, stream_wide};
use crate::{
    app::{
        directory::{Directory, Entry},
        hooks::{FromApp, HookContext},
        shard_hooks::{FromShard, ShardContext},
    },
    cause::HandlerError,
    dispatch::{
        batches::extract::{BatchContext, FromBatch},
        extract::{FromRecord, RecordContext},
        handler::Stream,
        outcome::Undecodable,
    },
    reader::StreamContext,
    record::{Position, Scope},
};

/// Repositions the stream `S`: handlers and hooks take one as a parameter, and [`Running::seeker`](crate::Running::seeker) gives one to the
/// program around the application. Clones do the same.
///
/// ```
/// use kinesis_app::prelude::*;
///
/// #[kinesis_app(name = "jobs", leases(memory))]
/// pub mod jobs {
///     use super::*;
///
///     #[stream(name = "jobs", start(trim_horizon), codec(Raw))]
///     pub struct Jobs;
///
///     /// Replays what the stream keeps; at the marker it leaves the rest out and goes on at the tip.
///     #[on_record(Jobs)]
///     async fn replay(job: Bytes, seeker: Seeker<Jobs>) -> Result<(), SeekError> {
///         if job == "marker" {
///             seeker.seek(Position::latest()).await?;
///         }
///         Ok(())
///     }
/// }
/// # fn main() {}
/// ```
pub struct Seeker<S> {
    directory: Arc<Directory>,
    stream: PhantomData<fn() -> S>,
}

impl<S: Stream> Seeker<S> {
    pub(crate) fn new(directory: &Arc<Directory>) -> Self {
        Self {
            directory: Arc::clone(directory),
            stream: PhantomData,
        }
    }

    /// Begins every shard of the stream anew at a position: on this instance and on every other, shards that are found later among them.
    /// [`Position::sequence`] moves one shard.
    ///
    /// * [`Position::horizon`], [`Position::timestamp_millis`] and [`Position::timestamp`] are what they say; of a closed shard that is
    ///   still listed they read what lies behind the position again, and its children wait for it as ever.
    /// * [`Position::latest`] is the tip. It is stored as the service's time less 5 s, as `start(latest)` is. The shards that this
    ///   instance reads begin exactly behind the newest record at the time of the call; elsewhere, and after a crash before the first
    ///   record has settled, records of the 5 s before it may be delivered.
    ///
    /// * [`Position::sequence`], which a handler takes of its record as a [`Position`], is that very record: it is delivered again, and
    ///   everything behind it in its shard. The shard must be read by this instance.
    ///
    /// When it returns, the position is stored: it outlasts this process, and a start uses it before its own. Nothing that was read
    /// before begins here any more; other instances follow within about a second. What has begun goes on, settles nothing, and holds its
    /// partition key until it ends. Everything behind the position is delivered again: at least once, as ever.
    ///
    /// It waits for the service and the lease store, and for no handler, record or hand-over: a handler may await it.
    ///
    /// # Errors
    ///
    /// [`SeekError`]. Unless it [is unknown](SeekError::is_unknown) whether the position was stored, everything is as it was.
    pub async fn seek(&self, position: Position) -> Result<(), SeekError> {
        let stream = self.stream()?;
        match position.scope() {
            Scope::Stream(start) => stream_wide::seek(&stream, start).await,
            Scope::Shard { shard, sequence } => one_shard::seek(&stream, shard, sequence).await,
        }
    }

    fn stream(&self) -> Result<Arc<StreamContext>, SeekError> {
        let label = S::SPEC.label;
        match self.directory.consumed(TypeId::of::<S>()) {
            Entry::Unknown => Err(SeekError::NotConsumed { stream: label }),
            Entry::Open(stream) if !stream.stop.is_asked() => Ok(stream),
            Entry::Open(_) | Entry::Closed => Err(SeekError::NotRunning { stream: label }),
        }
    }
}

impl<S> Clone for Seeker<S> {
    fn clone(&self) -> Self {
        Self {
            directory: Arc::clone(&self.directory),
            stream: PhantomData,
        }
    }
}

impl<S> fmt::Debug for Seeker<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seeker")
    }
}

impl<S, T: Stream> FromRecord<S> for Seeker<T> {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(Self::new(cx.directory))
    }
}

impl<S, T: Stream> FromBatch<S> for Seeker<T> {
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
        Ok(Self::new(cx.directory))
    }
}

impl<S, T: Stream> FromApp<S> for Seeker<T> {
    fn from_app(cx: &HookContext<'_, S>) -> Self {
        Self::new(cx.directory)
    }
}

impl<S, T: Stream> FromShard<S> for Seeker<T> {
    fn from_shard(cx: &ShardContext<'_, S>) -> Self {
        Self::new(&cx.shard.directory)
    }
}
