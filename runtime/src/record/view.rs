use std::time::SystemTime;

use bytes::Bytes;

use super::{
    envelope,
    headers::{Headers, PARTITION_KEY_HEADER, SEQUENCE_NUMBER_HEADER, SHARD_ID_HEADER},
    page::Page,
    text::SharedText,
};

/// A record as it lies in its page: borrowed, and free to copy.
#[derive(Debug, Clone, Copy)]
pub struct RecordRef<'r> {
    page: &'r Page,
    index: usize,
    shard_id: &'r str,
    headers: envelope::Block<'r>,
    /// Where the payload begins, behind the headers.
    payload: usize,
}

impl<'r> RecordRef<'r> {
    pub(crate) fn new(page: &'r Page, index: usize, shard_id: &'r str) -> Self {
        let (headers, payload) = envelope::open(page.data(index));
        Self {
            page,
            index,
            shard_id,
            headers,
            payload,
        }
    }

    /// The payload, borrowed from the page.
    pub fn data(self) -> &'r [u8] {
        &self.blob()[self.payload..]
    }

    /// Everything that lies in the stream: the payload, and the envelope of the headers in front of it, if there is one.
    pub fn blob(self) -> &'r [u8] {
        self.page.data(self.index)
    }

    /// The payload, sharing the page's buffer.
    ///
    /// It keeps the whole page (up to 10 MiB) in memory for as long as it lives; copy what you keep for long.
    pub fn bytes(self) -> Bytes {
        self.page.bytes(self.index).split_off(self.payload)
    }

    /// What the record was published with, and beside it the headers that stand on every delivery: [`PARTITION_KEY_HEADER`] if the
    /// record has a key, [`SEQUENCE_NUMBER_HEADER`] and [`SHARD_ID_HEADER`].
    pub fn headers(self) -> Headers {
        let mut headers: Headers = self.headers.entries().collect();
        headers.remove(PARTITION_KEY_HEADER);
        if let Some(key) = self.partition_key() {
            headers.insert(PARTITION_KEY_HEADER, key);
        }
        headers.insert(SEQUENCE_NUMBER_HEADER, self.sequence_number());
        headers.insert(SHARD_ID_HEADER, self.shard_id);
        headers
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
    /// What it was published with, and the headers that stand on every delivery.
    pub headers: Headers,
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
            headers: record.headers(),
            partition_key: record.partition_key().map(Into::into),
            sequence_number: record.sequence_number().into(),
            shard_id: record.shard_id().into(),
            arrival: record.arrival(),
        }
    }
}
