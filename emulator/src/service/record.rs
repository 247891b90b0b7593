//! One stored record.

use super::{Moment, SequenceNumber};
use bytes::Bytes;
use std::fmt::Write as _;
use std::sync::Arc;

/// Cheap to clone, so that a page leaves the service's lock without copying payloads.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) sequence: SequenceNumber,
    pub(crate) arrival: Moment,
    pub(crate) partition_key: Option<Arc<str>>,
    pub(crate) data: Bytes,
    /// The record's JSON up to the payload, written once at the put: a page of 10,000 records is
    /// then copies and base64, without formatting a number of 188 bits per record and read.
    pub(crate) head: Bytes,
}

impl Record {
    /// `number` is the sequence number's text, which the caller needs too.
    pub(crate) fn new(
        sequence: SequenceNumber,
        number: &str,
        arrival: Moment,
        partition_key: Option<Arc<str>>,
        data: Bytes,
    ) -> Self {
        let mut head = format!(
            r#"{{"SequenceNumber":"{number}","ApproximateArrivalTimestamp":{}"#,
            arrival.wire()
        );
        if let Some(key) = &partition_key {
            let quoted = serde_json::Value::from(&**key);
            // Writing to a String cannot fail.
            let _ = write!(head, r#","PartitionKey":{quoted}"#);
        }
        head.push_str(r#","Data":""#);
        Self {
            sequence,
            arrival,
            partition_key,
            data,
            head: head.into(),
        }
    }

    /// What the service's limits count: payload and partition key.
    pub(crate) fn size(&self) -> usize {
        size(self.partition_key.as_deref(), &self.data)
    }
}

pub(crate) fn size(partition_key: Option<&str>, data: &[u8]) -> usize {
    partition_key.map_or(0, str::len) + data.len()
}
