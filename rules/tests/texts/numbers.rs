//! Fixed texts cannot be made from the constants, so they are compared with them.

use std::time::Duration;

use kinesis_app_rules::arn::stream_arn;
use kinesis_app_rules::duration::Short;
use kinesis_app_rules::interval::POLL_INTERVAL_SPENDS_BUDGET;
use kinesis_app_rules::length::Length;
use kinesis_app_rules::name::{app_name, consumer_name, stream_name};
use kinesis_app_rules::partition_key::partition_key;
use kinesis_app_rules::size::put_records;
use kinesis_app_rules::table::lease_table;
use kinesis_app_rules::{defaults, limits};

/// Fixed texts cannot be formatted from the constants, so they are compared with them.
#[test]
fn fixed_texts_name_the_numbers_of_the_limits() {
    let long = "n".repeat(5000);
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
            POLL_INTERVAL_SPENDS_BUDGET,
            Short(limits::GET_RECORDS_INTERVAL).to_string(),
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

/// Of each length, both texts name its bound; so they do with other numbers that they are founded on.
#[test]
fn reasons_of_lengths_name_the_numbers_of_the_limits() {
    let (none, ever) = (Duration::ZERO, Duration::MAX);
    let short = |length| Short(length).to_string();
    let a_day = short(defaults::ATTEMPT_MOST);
    for (of, refused, numbers) in [
        (
            Length::PollInterval,
            none,
            vec![
                short(limits::GET_RECORDS_INTERVAL),
                format!("{} reads a second", limits::GET_RECORDS_PER_SECOND),
            ],
        ),
        (
            Length::PollInterval,
            ever,
            vec![
                short(defaults::POLL_INTERVAL_MOST),
                short(limits::ITERATOR_LIFETIME),
            ],
        ),
        (
            Length::ShutdownTimeout,
            ever,
            vec![short(defaults::SHUTDOWN_TIMEOUT_MOST)],
        ),
        (
            Length::LeaseDuration,
            none,
            vec![short(defaults::LEASE_DURATION_LEAST)],
        ),
        (
            Length::LeaseDuration,
            ever,
            vec![short(defaults::LEASE_DURATION_MOST)],
        ),
        (Length::MaxWait, ever, vec![short(defaults::MAX_WAIT_MOST)]),
        (Length::Backoff, none, vec![short(defaults::RETRY_LEAST)]),
        (Length::Backoff, ever, vec![a_day.clone()]),
        (Length::MaxBackoff, none, vec![short(defaults::RETRY_LEAST)]),
        (Length::MaxBackoff, ever, vec![a_day.clone()]),
        (Length::Timeout, ever, vec![a_day]),
    ] {
        let fault = of.check(refused).unwrap_err();
        let shown = fault.to_string();
        let (_, reason) = shown.split_once("; ").expect("a reason");
        for number in numbers {
            for text in [reason, fault.rule()] {
                assert!(text.contains(&number), "`{text}` does not name {number}");
            }
        }
    }
}

#[test]
fn fixed_texts_of_tables_name_the_numbers_of_the_limits() {
    for limit in [limits::TABLE_NAME_CHARS_LEAST, limits::TABLE_NAME_CHARS] {
        let text = lease_table("").unwrap_err().rule();
        assert!(text.contains(&limit.to_string()), "{text}");
    }
}
