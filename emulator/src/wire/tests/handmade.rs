//! Bytes put together by the tables of RFC 8949, and what they mean in this protocol.

use super::cbor_value::to_json;
use crate::error::{ErrorCode, ServiceError};
use crate::service::request::{Listing, Request, ShardFilter, Start};
use crate::wire::{Protocol, decode, encode_error};
use crate::{Operation, Operation as O};
use serde_json::json;

fn read(operation: Operation, body: &[u8]) -> Result<Request, ServiceError> {
    decode(Protocol::Cbor, operation, body)
}

#[track_caller]
fn refused(operation: Operation, body: &[u8]) {
    let error = read(operation, body).expect_err("it is refused");
    assert_eq!(error.code(), ErrorCode::Serialization, "{error}");
}

/// A text of less than 24 bytes, or less than 256.
fn text(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    let mut bytes = if length < 24 {
        vec![0x60 + length]
    } else {
        vec![0x78, length]
    };
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

/// `{"StreamName": "s", "ShardId": .., "ShardIteratorType": "AT_TIMESTAMP", "Timestamp": ..}`
fn at_timestamp(time: &[u8]) -> Vec<u8> {
    join(&[
        &[0xa4],
        &text("StreamName"),
        &text("s"),
        &text("ShardId"),
        &text("shardId-000000000000"),
        &text("ShardIteratorType"),
        &text("AT_TIMESTAMP"),
        &text("Timestamp"),
        time,
    ])
}

#[test]
fn a_time_is_milliseconds_under_tag_one_whole_or_not() {
    // 1_787_036_486_712 is 0x01_A013_ACCC_38: what the Java SDK was seen to send for a time in 2026.
    let whole = [0xc1, 0x1b, 0, 0, 0x01, 0xa0, 0x13, 0xac, 0xcc, 0x38];
    let float = join(&[&[0xc1, 0xfb], &1_787_036_486_712_f64.to_be_bytes()]);
    let untagged = &whole[1..];
    for time in [&whole[..], &float, untagged] {
        let Ok(Request::GetShardIterator { start, .. }) =
            read(O::GetShardIterator, &at_timestamp(time))
        else {
            panic!("{time:x?} is a time");
        };
        let Start::AtTimestamp(moment) = start else {
            panic!("{start:?}");
        };
        assert_eq!(moment.millis(), 1_787_036_486_712);
    }
    // A negative one, and one beyond the year 9999, are told from a body that cannot be read.
    for time in [&[0xc1, 0x20][..], &[0xc1, 0x1b, 0xff, 0, 0, 0, 0, 0, 0, 0]] {
        let error = read(O::GetShardIterator, &at_timestamp(time)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidArgument);
    }
    refused(
        O::GetShardIterator,
        &at_timestamp(&join(&[&[0xc1], &text("now")])),
    );
}

#[test]
fn a_payload_is_bytes_in_one_piece_or_several() {
    let put = |data: &[u8]| {
        join(&[
            &[0xa3],
            &text("StreamName"),
            &text("s"),
            &text("PartitionKey"),
            &text("k"),
            &text("Data"),
            data,
        ])
    };
    for data in [
        &[0x43, 0x00, 0xff, 0x7f][..],
        &[0x5f, 0x42, 0x00, 0xff, 0x41, 0x7f, 0xff],
    ] {
        let Ok(Request::PutRecord { entry, .. }) = read(O::PutRecord, &put(data)) else {
            panic!("{data:x?} is a payload");
        };
        assert_eq!(&entry.data[..], [0x00, 0xff, 0x7f]);
    }
    // Base64 is of the other protocol; a list of numbers is of neither.
    refused(O::PutRecord, &put(&text("AP9/")));
    refused(O::PutRecord, &put(&[0x83, 0x00, 0x01, 0x02]));
    // A missing payload is missing, whatever stands for it.
    for none in [[0xf6], [0xf7]] {
        let error = read(O::PutRecord, &put(&none)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::Validation);
    }
}

#[test]
fn containers_and_texts_may_end_with_a_break() {
    // {_ "StreamName": (_ "ord", "ers"), "MaxResults": 7, "ShardFilter": {_ "Type": "AT_LATEST"}}
    let body = join(&[
        &[0xbf],
        &text("StreamName"),
        &[0x7f],
        &text("ord"),
        &text("ers"),
        &[0xff],
        &text("MaxResults"),
        &[0x19, 0x00, 0x07],
        &text("ShardFilter"),
        &[0xbf],
        &text("Type"),
        &text("AT_LATEST"),
        &[0xff, 0xff],
    ]);
    let Ok(Request::ListShards { listing, limit }) = read(O::ListShards, &body) else {
        panic!("a listing");
    };
    let Listing::First { stream, filter, .. } = listing else {
        panic!("the first page");
    };
    assert_eq!(stream.name.as_deref(), Some("orders"));
    assert_eq!((limit, filter), (7, Some(ShardFilter::AtLatest)));
}

#[test]
fn a_member_that_nobody_knows_is_passed_over_if_it_is_sound() {
    // {_ (_ "Stream", "Name"): "s", "Unknown": [_ {key: 2}, 1(1.0), null, undefined]}
    let body = |key: &[u8]| {
        join(&[
            &[0xbf, 0x7f],
            &text("Stream"),
            &text("Name"),
            &[0xff],
            &text("s"),
            &text("Unknown"),
            &[0x9f, 0xa1],
            key,
            &[0x02, 0xc1, 0xf9, 0x3c, 0x00, 0xf6, 0xf7, 0xff, 0xff],
        ])
    };
    assert!(read(O::DescribeStreamSummary, &body(&text("k"))).is_ok());
    // A name that is a number is none, also where nobody looks.
    refused(O::DescribeStreamSummary, &body(&[0x01]));
}

#[test]
fn what_is_no_body_is_told_from_one_that_breaks_a_rule() {
    let stream = join(&[&[0xa1], &text("StreamName"), &text("s")]);
    assert!(read(O::DescribeStreamSummary, &stream).is_ok());
    refused(O::DescribeStreamSummary, &[]);
    refused(O::DescribeStreamSummary, &[0xff]);
    refused(O::DescribeStreamSummary, &stream[..stream.len() - 1]);
    refused(O::DescribeStreamSummary, &join(&[&stream, &[0x00]]));
    refused(
        O::DescribeStreamSummary,
        &join(&[&[0xa2], &stream[1..], &stream[1..]]),
    );
    refused(O::DescribeStreamSummary, b"{\"StreamName\":\"s\"}");
    // No text: bytes that are not UTF-8. No length: 2^64 - 1 members.
    refused(
        O::DescribeStreamSummary,
        &join(&[&[0xa1], &text("StreamName"), &[0x61, 0xff]]),
    );
    refused(
        O::DescribeStreamSummary,
        &[0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    );
    refused(
        O::PutRecords,
        &join(&[&[0xa1], &text("Records"), &[0x9b], &[0xff; 8]]),
    );
    // Deeper than any body: the thread's stack must outlive it.
    for open in [0x81, 0x9f, 0xc1] {
        let nest = vec![open; 1_000_000];
        refused(O::DescribeStreamSummary, &nest);
        refused(
            O::DescribeStreamSummary,
            &join(&[&[0xa1], &text("Unknown"), &nest]),
        );
    }
}

#[test]
fn a_refusal_is_in_the_protocol_of_the_request() {
    let error = ServiceError::new(ErrorCode::ExpiredIterator, "Iterator expired.");
    let body = encode_error(Protocol::Cbor, &error);
    let by_hand = join(&[
        &[0xbf],
        &text("__type"),
        &text("ExpiredIteratorException"),
        &text("message"),
        &text("Iterator expired."),
        &[0xff],
    ]);
    assert_eq!(body, by_hand);
    let shown = json!({"__type": "ExpiredIteratorException", "message": "Iterator expired."});
    assert_eq!(to_json(&body), shown);
}
