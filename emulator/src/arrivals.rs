//! What is stored, told to whoever watches.

use crate::views::StoredRecord;
use std::fmt;

/// A record that a stream has taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrival {
    /// The link that it came over; empty for one that was put past the wire.
    pub link: String,
    /// The name of the stream.
    pub stream: String,
    /// The shard that keeps it.
    pub shard_id: String,
    /// The record as it is kept.
    pub record: StoredRecord,
}

/// Who is told of every arrival, if anybody.
#[derive(Default)]
pub(crate) struct Watcher(pub(crate) Option<Box<dyn FnMut(Arrival) + Send>>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watcher").field(&self.0.is_some()).finish()
    }
}
