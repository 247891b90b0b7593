//! Records in an answer, written straight into one buffer that never moves.

use super::writer::{Object, document};
use super::{Protocol, encode};
use crate::service::Page;
use crate::service::record::Record;

/// More than the members of a record need besides its payload and partition key, in both protocols.
const RECORD_OVERHEAD: usize = 192;

pub(super) fn write(protocol: Protocol, page: &Page) -> Vec<u8> {
    document(protocol, |body| {
        body.integer("MillisBehindLatest", page.millis_behind);
        // Absent, not null, at the end of a closed shard.
        body.text_if("NextShardIterator", page.next.as_deref());
        if !page.children.is_empty() {
            body.objects("ChildShards", &page.children, encode::child);
        }
        records(body, &page.records);
    })
}

pub(super) fn records(body: &mut Object<'_>, records: &[Record]) {
    body.reserve(records.iter().map(length).sum());
    body.objects("Records", records, record);
}

fn record(body: &mut Object<'_>, record: &Record) {
    let digits = record.number.digits();
    let number = std::str::from_utf8(&digits).expect("digits are text");
    body.text("SequenceNumber", number);
    body.time("ApproximateArrivalTimestamp", record.arrival());
    body.text_if("PartitionKey", record.partition_key.as_deref());
    body.blob("Data", &record.data);
    body.text_if("EncryptionType", record.encryption.shown());
}

fn length(record: &Record) -> usize {
    // Four characters of base64 for three bytes; a key may need an escape for every byte.
    let key = record.partition_key.as_deref().map_or(0, str::len);
    RECORD_OVERHEAD + key * 2 + record.data.len() / 3 * 4
}
