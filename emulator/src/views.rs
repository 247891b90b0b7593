//! What is shown of the service's inside.

use crate::service::HashRange;
use bytes::Bytes;
use std::sync::Arc;
use std::time::SystemTime;

/// Where a record was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The shard.
    pub shard_id: String,
    /// The record's sequence number: 56 digits.
    pub sequence_number: String,
}

/// A shard as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShardView {
    /// `shardId-` and 12 digits.
    pub shard_id: String,
    /// The shard that was split, or the first of the two that were merged.
    pub parent: Option<String>,
    /// The second of the two that were merged.
    pub adjacent_parent: Option<String>,
    /// Whether records are still put there.
    pub open: bool,
    /// The hash keys that it takes.
    pub hash_range: HashRange,
    /// How many records it keeps.
    pub records: usize,
}

/// A record as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredRecord {
    /// 56 digits.
    pub sequence_number: String,
    /// Absent for a record that was put without one.
    pub partition_key: Option<Arc<str>>,
    /// The payload.
    pub data: Bytes,
    /// `ApproximateArrivalTimestamp`, to the millisecond.
    pub arrival: SystemTime,
}

/// A record to be put directly, past the wire.
///
/// ```
/// use kinesis_app_emulator::Put;
/// let put = Put::new("customer-7", "an order").hash_key(u128::MAX);
/// # drop(put);
/// ```
#[derive(Clone, Debug)]
pub struct Put {
    pub(crate) partition_key: Option<Arc<str>>,
    pub(crate) hash_key: Option<u128>,
    pub(crate) data: Bytes,
    pub(crate) metered: bool,
}

impl Put {
    /// A record with a partition key.
    pub fn new(partition_key: &str, data: impl Into<Bytes>) -> Self {
        Self {
            partition_key: Some(partition_key.into()),
            ..Self::keyless(data)
        }
    }

    /// A record without a partition key, as streams that distribute by themselves hold them. It
    /// goes to a shard by chance, unless it has a [`hash_key`](Self::hash_key).
    pub fn keyless(data: impl Into<Bytes>) -> Self {
        Self {
            partition_key: None,
            hash_key: None,
            data: data.into(),
            metered: false,
        }
    }

    /// An `ExplicitHashKey`: it decides about the shard instead of the partition key.
    pub fn hash_key(mut self, hash_key: u128) -> Self {
        self.hash_key = Some(hash_key);
        self
    }

    /// Count it against the shard's write limits.
    pub fn metered(mut self) -> Self {
        self.metered = true;
        self
    }
}

/// Which records of a shard are forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trim {
    /// This many of the oldest.
    Oldest(usize),
    /// Those that arrived before.
    Before(SystemTime),
    /// All of them.
    All,
}
