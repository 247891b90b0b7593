//! What a record may be.

use kinesis_app_rules::hash_key::hash_key;
use kinesis_app_rules::header::header_name;
use kinesis_app_rules::partition_key::partition_key;
use kinesis_app_rules::size::{put_records, record_size};

#[test]
fn header_names() {
    let fault = header_name("").unwrap_err();
    assert_eq!(
        fault.with("").to_string(),
        "header name is empty; names have at least one ASCII character"
    );
    assert_eq!(fault.rule(), fault.with("").to_string());
    let fault = header_name("größe").unwrap_err();
    assert_eq!(
        fault.with("größe").to_string(),
        "header name `größe` has a character outside ASCII"
    );
    assert_eq!(fault.rule(), "header name has a character outside ASCII");
}

#[test]
fn keys_and_sizes() {
    let fault = partition_key("").unwrap_err();
    assert_eq!(
        fault.to_string(),
        "partition key is empty; keys have 1 to 256 characters"
    );
    assert_eq!(fault.rule(), fault.to_string());
    let fault = partition_key(&"k".repeat(300)).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "partition key has 300 characters; the most is 256"
    );
    assert_eq!(
        fault.rule(),
        "partition key has more than 256 characters; the most is 256"
    );

    let fault = hash_key("x").unwrap_err();
    let text = "hash key `x` is not a decimal number without a leading zero";
    assert_eq!(fault.with("x").to_string(), text);
    let large = "400000000000000000000000000000000000000";
    let fault = hash_key(large).unwrap_err();
    let text = format!("hash key `{large}` is above {}", u128::MAX);
    assert_eq!(fault.with(large).to_string(), text);
    assert_eq!(fault.rule(), format!("hash key is above {}", u128::MAX));

    let fault = record_size(1_048_576, 1, 1_048_576).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "record has 1048577 bytes with its partition key; the stream allows 1048576"
    );
    assert_eq!(fault.rule(), "record is larger than the stream allows");
    let fault = put_records(0, 0).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "request has no record; one PutRecords call takes 1 to 500"
    );
    let fault = put_records(501, 0).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "request has 501 records; one PutRecords call takes at most 500"
    );
    let fault = put_records(1, 10_485_761).unwrap_err();
    let text = "request has 10485761 bytes; one PutRecords call takes at most 10485760";
    assert_eq!(fault.to_string(), text);
}
