use std::{fmt, marker::PhantomData, time::Duration};

use aws_sdk_kinesis::{
    primitives::{Blob, DateTime},
    types::Record as SdkRecord,
};
use kinesis_app_emulator::StoredRecord;

use super::text;
use crate::{
    RawRecord, RecordRef, Stream, cause::Chain, codec::Payload, record::page::Page,
    source::budget::Held,
};

/// The records that lie in the stream `S`, in the order of their arrival.
pub struct Records<S> {
    shards: Vec<(String, StoredRecord)>,
    stream: PhantomData<fn() -> S>,
}

impl<S: Stream> Records<S> {
    /// Records with the shards that they lie in.
    pub(super) fn new(mut records: Vec<(String, StoredRecord)>) -> Self {
        // Stable: what arrived in one millisecond stays in the order of its shard.
        records.sort_by_key(|(_, record)| record.arrival);
        Self {
            shards: records,
            stream: PhantomData,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.shards.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.shards.is_empty()
    }

    /// Their partition keys; `None` for a record that was put without one.
    pub fn keys(&self) -> Vec<Option<String>> {
        let keys = self.shards.iter();
        keys.map(|(_, record)| record.partition_key.as_deref().map(Into::into))
            .collect()
    }

    /// The records undecoded, with the headers that they were published with.
    pub fn raw(&self) -> Vec<RawRecord> {
        self.map(|record| record.into())
    }

    /// The payloads, decoded with the stream's codec.
    ///
    /// # Panics
    ///
    /// One of them does not decode.
    #[track_caller]
    pub fn decoded<T: for<'r> Payload<'r, S::Codec>>(&self) -> Vec<T> {
        let decoded = self.map(|record| {
            T::decode(record)
                .map_err(|error| format!("{}: {}", text::preview(record.data()), Chain(&error)))
        });
        let decoded: Result<Vec<_>, _> = decoded.into_iter().collect();
        decoded.unwrap_or_else(|error| panic!("`{}`: {error}", S::SPEC.label))
    }

    /// Asserts the partition keys, in the order of the records' arrival.
    ///
    /// # Panics
    ///
    /// They are others.
    #[track_caller]
    pub fn assert_keys<K: AsRef<str>>(&self, expected: impl IntoIterator<Item = K>) -> &Self {
        let keys = self.keys();
        let expected = expected
            .into_iter()
            .map(|key| Some(key.as_ref().to_owned()));
        let expected: Vec<_> = expected.collect();
        assert!(
            keys == expected,
            "`{}` holds records of the keys {} and not {}\n{self}",
            S::SPEC.label,
            text::keys(&keys),
            text::keys(&expected),
        );
        self
    }

    /// Asserts how many records there are.
    ///
    /// # Panics
    ///
    /// There are more or less.
    #[track_caller]
    pub fn assert_len(&self, expected: usize) -> &Self {
        assert!(
            self.len() == expected,
            "`{}` holds {} records and not {expected}\n{self}",
            S::SPEC.label,
            self.len(),
        );
        self
    }

    fn map<T>(&self, read: impl Fn(RecordRef<'_>) -> T) -> Vec<T> {
        let read = self.shards.iter().map(|(shard_id, record)| {
            let page = Page::new(vec![as_read(record)], Duration::ZERO, Held::nothing());
            read(RecordRef::new(&page, 0, shard_id))
        });
        read.collect()
    }
}

/// The record as the service answers with it.
fn as_read(record: &StoredRecord) -> SdkRecord {
    let read = SdkRecord::builder()
        .sequence_number(&record.sequence_number)
        .data(Blob::new(record.data.to_vec()))
        .approximate_arrival_timestamp(DateTime::from(record.arrival))
        .set_partition_key(record.partition_key.as_deref().map(Into::into))
        // Only asks that a key is set, which not every record has.
        .build();
    read.expect("everything that is required is set")
}

impl<S: Stream> fmt::Display for Records<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for record in self.raw() {
            let key = record.partition_key.as_deref();
            writeln!(f, "  {}: {}", text::key(key), text::preview(&record.data))?;
        }
        Ok(())
    }
}

impl<S: Stream> fmt::Debug for Records<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.raw()).finish()
    }
}
