//! Fixed texts cannot be made from the constants, so they are compared with them.

use std::time::Duration;

use kinesis_app_rules::arn::stream_arn;
use kinesis_app_rules::duration::Short;
use kinesis_app_rules::interval::{
    POLL_INTERVAL_SPENDS_BUDGET, lease_duration, poll_interval, shutdown_timeout,
};
use kinesis_app_rules::name::{app_name, consumer_name, stream_name};
use kinesis_app_rules::partition_key::partition_key;
use kinesis_app_rules::size::put_records;
use kinesis_app_rules::table::lease_table;
use kinesis_app_rules::{defaults, limits};

/// Fixed texts cannot be formatted from the constants, so they are compared with them.
#[test]
fn fixed_texts_name_the_numbers_of_the_limits() {
    let long = "n".repeat(5000);
    let day = Duration::from_hours(24);
    for (rule, number) in [
        (
            app_name(&long).unwrap_err().rule(),
            limits::NAME_CHARS.to_string(),
        ),
        (
            app_name("").unwrap_err().rule(),
            limits::NAME_CHARS.to_string(),
        ),
        (
            stream_name(&long).unwrap_err().rule(),
            limits::NAME_CHARS.to_string(),
        ),
        (
            stream_name("").unwrap_err().rule(),
            limits::NAME_CHARS.to_string(),
        ),
        (
            consumer_name(&long).unwrap_err().rule(),
            limits::NAME_CHARS.to_string(),
        ),
        (
            consumer_name("").unwrap_err().rule(),
            limits::NAME_CHARS.to_string(),
        ),
        (
            stream_arn(&long).unwrap_err().rule(),
            limits::ARN_CHARS.to_string(),
        ),
        (
            partition_key(&long).unwrap_err().rule(),
            limits::PARTITION_KEY_CHARS.to_string(),
        ),
        (
            partition_key("").unwrap_err().rule(),
            limits::PARTITION_KEY_CHARS.to_string(),
        ),
        (
            poll_interval(Duration::ZERO).unwrap_err().rule(),
            Short(limits::GET_RECORDS_INTERVAL).to_string(),
        ),
        (
            poll_interval(day).unwrap_err().rule(),
            Short(limits::ITERATOR_LIFETIME).to_string(),
        ),
        (
            poll_interval(day).unwrap_err().rule(),
            Short(defaults::POLL_INTERVAL_MOST).to_string(),
        ),
        (
            POLL_INTERVAL_SPENDS_BUDGET,
            Short(limits::GET_RECORDS_INTERVAL).to_string(),
        ),
        (
            shutdown_timeout(day).unwrap_err().rule(),
            Short(defaults::SHUTDOWN_TIMEOUT_MOST).to_string(),
        ),
        (
            put_records(0, 0).unwrap_err().rule(),
            limits::PUT_RECORDS_RECORDS.to_string(),
        ),
        (
            put_records(501, 0).unwrap_err().rule(),
            limits::PUT_RECORDS_RECORDS.to_string(),
        ),
        (
            put_records(1, usize::MAX).unwrap_err().rule(),
            limits::PUT_RECORDS_BYTES.to_string(),
        ),
    ] {
        let named = rule
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| word == number);
        assert!(named, "`{rule}` does not name {number}");
    }
}

#[test]
fn fixed_texts_of_leases_name_the_numbers_of_the_limits() {
    let durations = [
        (Duration::ZERO, defaults::LEASE_DURATION_LEAST),
        (Duration::MAX, defaults::LEASE_DURATION_MOST),
    ];
    for (refused, limit) in durations {
        let text = lease_duration(refused).unwrap_err().rule();
        assert!(text.contains(&Short(limit).to_string()), "{text}");
    }
    for limit in [limits::TABLE_NAME_CHARS_LEAST, limits::TABLE_NAME_CHARS] {
        let text = lease_table("").unwrap_err().rule();
        assert!(text.contains(&limit.to_string()), "{text}");
    }
}
