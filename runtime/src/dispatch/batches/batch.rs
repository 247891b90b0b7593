use std::{num::NonZeroU32, sync::Arc, time::SystemTime};

use super::outcome::BatchOutcome;
use crate::{
    Outcome,
    dispatch::extract::Attempt,
    record::{Headers, Position, RecordRef, page::Page, text::SharedText},
};

/// Decoded records of one shard, in its order: the first parameter of an `#[on_batch(..)]` handler.
///
/// It holds 1 to `max_records` records. Records of one partition key may stand in it one behind the other; a record that does not
/// decode is not in it.
///
/// ```
/// use kinesis_app::prelude::*;
/// # use serde::Deserialize;
/// # #[derive(Deserialize)]
/// # pub struct PageView { url: String }
///
/// async fn count(views: Batch<PageView>) -> BatchOutcome {
///     for view in &views {
///         println!("{}: {}", view.position(), view.value().url);
///     }
///     views.settle(|view| match view.value().url.as_str() {
///         "" => Outcome::Skip,
///         _ => Outcome::Done,
///     })
/// }
/// # let _ = count;
/// ```
#[derive(Debug)]
pub struct Batch<T> {
    shard_id: SharedText,
    items: Vec<BatchItem<T>>,
}

/// One record of a [`Batch`]: its value, and what the service says about it.
#[derive(Debug)]
pub struct BatchItem<T> {
    value: T,
    page: Arc<Page>,
    index: usize,
    shard_id: SharedText,
    attempt: NonZeroU32,
}

impl<T> Batch<T> {
    pub(super) fn new(shard_id: SharedText, items: Vec<BatchItem<T>>) -> Self {
        Self { shard_id, items }
    }

    /// How many records there are, at least 1.
    #[expect(
        clippy::len_without_is_empty,
        reason = "no handler is given an empty batch"
    )]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The records, in the order of the shard.
    pub fn iter(&self) -> std::slice::Iter<'_, BatchItem<T>> {
        self.items.iter()
    }

    /// The decoded values, in the order of the shard.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.items.iter().map(BatchItem::value)
    }

    /// The partition key of each record, in the order of the shard; `None` on a stream that distributes its records automatically.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = Option<&str>> {
        self.items.iter().map(BatchItem::partition_key)
    }

    /// The shard that holds the records.
    pub fn shard_id(&self) -> &str {
        &self.shard_id
    }

    /// All of them are handled.
    pub fn done(&self) -> BatchOutcome {
        BatchOutcome::done()
    }

    /// Says of each record what becomes of it, as a record handler would.
    ///
    /// A record that is to be handled again comes in a later batch, and so do all later ones of its key that are not in this one.
    pub fn settle(&self, outcome: impl FnMut(&BatchItem<T>) -> Outcome) -> BatchOutcome {
        BatchOutcome::each(self.items.iter().map(outcome).collect())
    }
}

impl<T> IntoIterator for Batch<T> {
    type Item = BatchItem<T>;
    type IntoIter = std::vec::IntoIter<BatchItem<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'b, T> IntoIterator for &'b Batch<T> {
    type Item = &'b BatchItem<T>;
    type IntoIter = std::slice::Iter<'b, BatchItem<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> BatchItem<T> {
    pub(super) fn new(
        value: T,
        page: &Arc<Page>,
        index: usize,
        shard_id: &SharedText,
        attempt: NonZeroU32,
    ) -> Self {
        Self {
            value,
            page: Arc::clone(page),
            index,
            shard_id: shard_id.clone(),
            attempt,
        }
    }

    /// The decoded record.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// The decoded record, by itself. What is kept of the rest would keep the record's whole page (up to 10 MiB) in memory.
    pub fn into_value(self) -> T {
        self.value
    }

    /// The partition key; `None` on a stream that distributes its records automatically.
    pub fn partition_key(&self) -> Option<&str> {
        self.page.names().key(self.index)
    }

    /// The sequence number, which is opaque: compare it for equality only.
    pub fn sequence_number(&self) -> &str {
        self.page.names().sequence(self.index)
    }

    /// Where the record lies: its shard and its sequence number.
    pub fn position(&self) -> Position {
        let sequence = self.page.names().shared_sequence(self.index);
        Position::of_record(self.shard_id.clone(), sequence)
    }

    /// When the service took the record in, to the millisecond.
    pub fn arrival(&self) -> SystemTime {
        self.page.names().arrival(self.index)
    }

    /// What the record was published with, and the headers that stand on every delivery.
    pub fn headers(&self) -> Headers {
        RecordRef::new(&self.page, self.index, &self.shard_id).headers()
    }

    /// Which attempt at the record this is. Every batch that it is in counts.
    pub fn attempt(&self) -> Attempt {
        Attempt(self.attempt)
    }
}
