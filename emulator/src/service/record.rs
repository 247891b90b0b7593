//! One stored record.

use super::sequence::Decimal;
use super::{Encryption, Moment};
use bytes::Bytes;
use std::sync::Arc;

/// Cheap to clone, so that a page leaves the service's lock without copying payloads; small, so that
/// ten million of them fit in memory.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The place in the shard, as in the sequence number.
    pub(crate) ordinal: u64,
    arrival_millis: u64,
    pub(crate) number: Decimal,
    pub(crate) partition_key: Option<Arc<str>>,
    pub(crate) data: Bytes,
    pub(crate) encryption: Encryption,
}

impl Record {
    pub(crate) fn new(
        ordinal: u64,
        number: Decimal,
        arrival: Moment,
        partition_key: Option<Arc<str>>,
        data: Bytes,
        encryption: Encryption,
    ) -> Self {
        Self {
            ordinal,
            arrival_millis: arrival.millis(),
            number,
            partition_key,
            data,
            encryption,
        }
    }

    pub(crate) const fn arrival(&self) -> Moment {
        Moment::from_millis(self.arrival_millis)
    }

    /// What the service's limits count: payload and partition key.
    pub(crate) fn size(&self) -> usize {
        size(self.partition_key.as_deref(), &self.data)
    }
}

pub(crate) fn size(partition_key: Option<&str>, data: &[u8]) -> usize {
    partition_key.map_or(0, str::len) + data.len()
}
