//! The parameters of a batch handler: the batch, and what it wants to know about its shard and its application.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use super::{
    batch::{Batch, BatchItem},
    outcome::{LeftOut, NotGiven},
    queue::Entry,
};
use crate::{
    app::directory::Directory,
    cause::{Chain, HandlerError},
    codec::Payload,
    dispatch::{
        desk::Job,
        extract::{Lag, Lease, Provides, ShardId, State},
        outcome::Undecodable,
        shutdown::Shutdown,
    },
    record::{RecordRef, aggregation, text::SharedText},
};

/// One attempt at one batch, as generated code and extractors see it; `S` is the application's state.
#[derive(Debug)]
pub struct BatchContext<'r, S> {
    pub(in crate::dispatch) entries: &'r [Entry<Job>],
    pub(crate) shard_id: &'r SharedText,
    pub(crate) token: u64,
    pub(crate) shutdown: &'r Shutdown,
    pub(crate) state: &'r S,
    pub(crate) directory: &'r Arc<Directory>,
    /// Outlives the handler's future, which may panic or be dropped.
    pub(in crate::dispatch) left_out: &'r Mutex<Vec<LeftOut>>,
}

impl<'r, S> BatchContext<'r, S> {
    /// The records, decodable or not, in the order of the shard.
    pub fn records(&self) -> impl ExactSizeIterator<Item = RecordRef<'r>> {
        let shard_id = self.shard_id;
        let entries = self.entries.iter();
        entries.map(move |entry| RecordRef::new(&entry.item.page, entry.item.index, shard_id))
    }

    /// The shard that holds the records.
    pub fn shard_id(&self) -> &'r str {
        self.shard_id
    }

    /// The application's state.
    pub fn state(&self) -> &'r S {
        self.state
    }

    /// The lease under which the records are handled.
    pub fn lease(&self) -> Lease {
        Lease::with(self.token)
    }

    /// How far behind the tip of the shard the reader was after the page of the last record.
    pub fn behind(&self) -> Duration {
        let last = self.entries.last();
        last.map_or(Duration::ZERO, |entry| entry.item.page.behind())
    }
}

/// The first parameter of a batch handler: [`Batch<T>`](Batch), where the codec `C` decodes a record into a `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a batch",
    label = "not a batch",
    note = "the first parameter of an `#[on_batch(..)]` handler is `Batch<T>`; a handler of one record at a time is marked `#[on_record(..)]`"
)]
pub trait FromRecords<'r, C>: Sized {
    /// Decodes the records, and leaves out those that do not decode.
    ///
    /// # Errors
    ///
    /// [`NotGiven::Nothing`] if none does.
    fn from_records<S>(cx: &BatchContext<'r, S>) -> Result<Self, NotGiven>;
}

impl<'r, C, T: Payload<'r, C>> FromRecords<'r, C> for Batch<T> {
    fn from_records<S>(cx: &BatchContext<'r, S>) -> Result<Self, NotGiven> {
        let mut items = Vec::with_capacity(cx.entries.len());
        let mut left_out = Vec::new();
        for (index, (entry, record)) in cx.entries.iter().zip(cx.records()).enumerate() {
            let decoded = if aggregation::is_aggregate(record.blob()) {
                Err(Undecodable::KplAggregate)
            } else {
                T::decode(record)
            };
            match decoded {
                Ok(value) => {
                    let job = &entry.item;
                    items.push(BatchItem::new(
                        value,
                        &job.page,
                        job.index,
                        cx.shard_id,
                        job.attempt,
                    ));
                }
                Err(error) => left_out.push(LeftOut {
                    index,
                    why: Chain(&error).to_string(),
                }),
            }
        }
        *cx.left_out.lock().unwrap_or_else(PoisonError::into_inner) = left_out;
        if items.is_empty() {
            return Err(NotGiven::Nothing);
        }
        Ok(Batch::new(cx.shard_id.clone(), items))
    }
}

/// A type that a batch handler may take after its batch; `S` is the application's state.
///
/// ```
/// use kinesis_app::{BatchContext, FromBatch, HandlerError};
///
/// /// How many bytes the records have.
/// struct Bytes(usize);
///
/// impl<S> FromBatch<S> for Bytes {
///     fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
///         Ok(Bytes(cx.records().map(|record| record.data().len()).sum()))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a batch handler",
    label = "not an extractor of batches",
    note = "what belongs to one record, `Batch::keys` and `Batch::iter` have for each; a later argument implements `FromBatch`: `ShardId`, `Lag`, `State<T>`, .."
)]
pub trait FromBatch<S>: Sized {
    /// Takes the argument from the batch, its shard or the state.
    ///
    /// # Errors
    ///
    /// Whatever keeps the handler from being called: the batch has failed as if the handler had said so.
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError>;
}

impl<S: Provides<T>, T> FromBatch<S> for State<T> {
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
        Ok(Self(cx.state.provide()))
    }
}

impl<S> FromBatch<S> for ShardId {
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
        Ok(Self::of(cx.shard_id))
    }
}

impl<S> FromBatch<S> for Lag {
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
        Ok(Self(cx.behind()))
    }
}

impl<S> FromBatch<S> for Lease {
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
        Ok(cx.lease())
    }
}

impl<S> FromBatch<S> for Shutdown {
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
        Ok(cx.shutdown.clone())
    }
}
