//! Bodies as the AWS SDK for Java 2.33.0 sent them, byte for byte.

use crate::Operation as O;
use crate::service::Moment;
use crate::service::request::{Listing, Request, ShardFilter, Start};
use crate::wire::{Protocol, decode};

fn recorded(operation: O, hex: &str) -> Request {
    let digits: Vec<u8> = hex
        .bytes()
        .map(|digit| u8::try_from(char::from(digit).to_digit(16).unwrap()).unwrap())
        .collect();
    let body: Vec<u8> = digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect();
    decode(Protocol::Cbor, operation, &body).unwrap()
}

#[test]
fn a_put_of_three_bytes() {
    let request = recorded(
        O::PutRecord,
        "bf6a53747265616d4e616d65617364446174614300ff7f6c506172746974696f6e4b6579616bff",
    );
    let Request::PutRecord { stream, entry, .. } = request else {
        panic!("{request:?}");
    };
    assert_eq!(stream.name.as_deref(), Some("s"));
    assert_eq!(entry.partition_key.as_deref(), Some("k"));
    assert_eq!(&entry.data[..], [0x00, 0xff, 0x7f]);
}

#[test]
fn a_batch_with_an_empty_record_and_an_explicit_hash_key() {
    let request = recorded(
        O::PutRecords,
        "bf675265636f7264739fbf64446174614374776f6c506172746974696f6e4b6579616bffbf6444617461406f4578706c6963697448\
         6173684b657961306c506172746974696f6e4b6579616cffff6a53747265616d4e616d656173ff",
    );
    let Request::PutRecords { entries, .. } = request else {
        panic!("{request:?}");
    };
    let data: Vec<&[u8]> = entries.iter().map(|entry| &entry.data[..]).collect();
    assert_eq!(data, [&b"two"[..], b""]);
    assert_eq!(entries[1].hash_key, Some(0));
}

#[test]
fn an_iterator_at_a_time() {
    let request = recorded(
        O::GetShardIterator,
        "bf6a53747265616d4e616d656173675368617264496474736861726449642d3030303030303030303030307153686172644974657261\
         746f72547970656c41545f54494d455354414d506954696d657374616d70c11b000001a228e14607ff",
    );
    let Request::GetShardIterator { shard, start, .. } = request else {
        panic!("{request:?}");
    };
    assert_eq!(shard, "shardId-000000000000");
    assert_eq!(
        start,
        Start::AtTimestamp(Moment::from_millis(0x01a2_28e1_4607))
    );
}

#[test]
fn a_listing_with_a_filter_by_time() {
    let request = recorded(
        O::ListShards,
        "bf6a53747265616d4e616d6561736b536861726446696c746572bf64547970656e46524f4d5f54494d455354414d506954696d657374\
         616d70c11b000001a228e1327fffff",
    );
    let Request::ListShards {
        listing: Listing::First { filter, .. },
        ..
    } = request
    else {
        panic!("{request:?}");
    };
    let time = Moment::from_millis(0x01a2_28e1_327f);
    assert_eq!(filter, Some(ShardFilter::FromTimestamp(time)));
}

#[test]
fn nothing_at_all() {
    assert!(matches!(
        recorded(O::DescribeLimits, "bfff"),
        Request::DescribeLimits
    ));
}
