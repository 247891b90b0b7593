use std::time::SystemTime;

use bytes::Bytes;

use super::{page::Page, text::SharedText};

/// A record as it lies in its page: borrowed, and free to copy.
#[derive(Debug, Clone, Copy)]
pub struct RecordRef<'r> {
    page: &'r Page,
    index: usize,
    shard_id: &'r str,
}

impl<'r> RecordRef<'r> {
    pub(crate) fn new(page: &'r Page, index: usize, shard_id: &'r str) -> Self {
        Self {
            page,
            index,
            shard_id,
        }
    }

    /// The payload, borrowed from the page.
    pub fn data(self) -> &'r [u8] {
        self.page.data(self.index)
    }

    /// The payload, sharing the page's buffer.
    ///
    /// It keeps the whole page (up to 10 MiB) in memory for as long as it lives; copy what you keep for long.
    pub fn bytes(self) -> Bytes {
        self.page.bytes(self.index)
    }

    /// The partition key; `None` on a stream that distributes its records automatically.
    pub fn partition_key(self) -> Option<&'r str> {
        self.page.names().key(self.index)
    }

    /// The sequence number, which is opaque: compare it for equality only.
    pub fn sequence_number(self) -> &'r str {
        self.page.names().sequence(self.index)
    }

    /// The shard that holds the record.
    pub fn shard_id(self) -> &'r str {
        self.shard_id
    }

    /// When the service took the record in, to the millisecond.
    pub fn arrival(self) -> SystemTime {
        self.page.names().arrival(self.index)
    }

    pub(crate) fn shared_key(self) -> Option<SharedText> {
        self.page.names().shared_key(self.index)
    }

    pub(crate) fn shared_sequence(self) -> SharedText {
        self.page.names().shared_sequence(self.index)
    }
}

/// A record undecoded: its bytes and everything that the service says about it.
///
/// As the first parameter of a handler it works with every codec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRecord {
    /// The payload.
    pub data: Bytes,
    /// The partition key; `None` on a stream that distributes its records automatically.
    pub partition_key: Option<String>,
    /// The sequence number, opaque.
    pub sequence_number: String,
    /// The shard that holds the record.
    pub shard_id: String,
    /// When the service took it in.
    pub arrival: SystemTime,
}

impl From<RecordRef<'_>> for RawRecord {
    fn from(record: RecordRef<'_>) -> Self {
        Self {
            data: record.bytes(),
            partition_key: record.partition_key().map(Into::into),
            sequence_number: record.sequence_number().into(),
            shard_id: record.shard_id().into(),
            arrival: record.arrival(),
        }
    }
}
