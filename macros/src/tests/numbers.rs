//! Numbers in the documentation of keys, in pages and in advice cannot be made from the constants, so they are compared with them.

use std::time::Duration;

use kinesis_app_rules::count::Count;
use kinesis_app_rules::duration::Short;
use kinesis_app_rules::{defaults, limits};

use crate::advice::elsewhere;
use crate::keys::{Key, tables};
use crate::tests::pages;

#[test]
fn the_documentation_of_a_key_names_the_numbers_of_the_rules_and_no_others() {
    for table in tables() {
        for key in table.keys {
            let mut found = numbers(&without_examples(key.doc));
            // What stands in backticks there is a default, no example.
            found.extend(numbers(key.left_out));
            assert_eq!(found, expected(table.of, key), "{}", key.doc);
        }
    }
}

/// The numbers of a key: those that bound it, the reasons for these, and what holds without it.
fn expected(of: &str, key: &Key) -> Vec<String> {
    let count = |of: Count| vec!["1".to_owned(), of.most().to_string()];
    let name = || vec!["1".to_owned(), limits::NAME_CHARS.to_string()];
    let span = |least, most| vec![short(least), short(most)];
    let zero = Duration::ZERO;
    let (instant, day) = (defaults::RETRY_LEAST, defaults::ATTEMPT_MOST);
    let least = || "1".to_owned();
    let mebibytes = |bytes: usize| format!("{}MiB", bytes / limits::MIB);
    match (of, key.name) {
        ("kinesis_app" | "stream", "name") | ("kinesis_app", "owner_id") | (_, "label") => name(),
        ("kinesis_app", "shutdown_timeout") => [
            span(zero, defaults::SHUTDOWN_TIMEOUT_MOST),
            vec![short(defaults::SHUTDOWN_TIMEOUT)],
        ]
        .concat(),
        ("kinesis_app", "prefetch") => vec![
            mebibytes(defaults::PREFETCH_SHARE_LEAST),
            mebibytes(defaults::PREFETCH_BYTES),
        ],
        ("leases", "dynamodb") => vec![
            limits::TABLE_NAME_CHARS_LEAST.to_string(),
            limits::TABLE_NAME_CHARS.to_string(),
        ],
        ("leases", "duration") => [
            span(
                defaults::LEASE_DURATION_LEAST,
                defaults::LEASE_DURATION_MOST,
            ),
            vec![short(defaults::LEASE_DURATION)],
        ]
        .concat(),
        ("stream", "batch_size") => count(Count::BatchSize),
        ("stream", "poll_interval") => vec![
            short(limits::GET_RECORDS_INTERVAL),
            limits::GET_RECORDS_PER_SECOND.to_string(),
            short(defaults::POLL_INTERVAL_MOST),
            (limits::ITERATOR_LIFETIME.as_secs() / 60).to_string(),
            short(defaults::POLL_INTERVAL),
        ],
        ("stream", "partition_key") => {
            vec![least(), limits::PARTITION_KEY_CHARS.to_string()]
        }
        // RFC 3339.
        ("start", "timestamp") => vec!["3339".to_owned()],
        ("on_record", "concurrency") | ("concurrency", "shard") => [
            count(Count::Concurrency),
            vec![defaults::CONCURRENCY.to_string()],
        ]
        .concat(),
        ("on_batch", "max_records") => [
            count(Count::MaxRecords),
            vec![defaults::MAX_RECORDS.to_string()],
        ]
        .concat(),
        ("on_batch", "max_wait") => [
            span(zero, defaults::MAX_WAIT_MOST),
            vec![short(defaults::MAX_WAIT)],
        ]
        .concat(),
        ("concurrency", "total") | ("retry", "attempts") => vec![least()],
        (_, "retry") => [
            vec![least()],
            span(instant, day),
            span(defaults::BACKOFF_FIRST, defaults::BACKOFF_MAX),
        ]
        .concat(),
        ("retry", "backoff") => [span(instant, day), vec![short(defaults::BACKOFF_FIRST)]].concat(),
        ("retry", "max_backoff") => {
            [span(instant, day), vec![short(defaults::BACKOFF_MAX)]].concat()
        }
        (_, "timeout") => span(instant, day),
        _ => vec![],
    }
}

#[test]
fn advice_names_the_numbers_of_the_rules_and_no_others() {
    let heartbeat = [
        short(defaults::HEARTBEAT),
        defaults::HEARTBEAT_PERCENT.to_string(),
    ];
    let mut named = 0;
    for advice in elsewhere::texts() {
        let found = numbers(&without_examples(advice));
        if !found.is_empty() {
            named += 1;
            assert_eq!(found, heartbeat, "{advice}");
        }
    }
    assert_eq!(named, 2);
}

#[test]
fn pages_name_the_numbers_of_the_rules_and_no_others() {
    for name in pages::names() {
        let prose = pages::prose(&pages::page(&name));
        let seconds = |length: Duration| length.as_secs().to_string();
        let backoff = || {
            let first = defaults::BACKOFF_FIRST.as_millis().to_string();
            vec![first, seconds(defaults::BACKOFF_MAX)]
        };
        let expected = match &*name {
            "kinesis_app" => vec![
                limits::TABLE_NAME_CHARS_LEAST.to_string(),
                limits::TABLE_NAME_CHARS.to_string(),
            ],
            "leases" => vec![seconds(defaults::LEASE_DURATION)],
            "on_shard_end" => backoff(),
            "on_shard_start" => [backoff(), vec![seconds(defaults::HANDOVER)]].concat(),
            "stream" => vec![
                seconds(defaults::BACKOFF_REFUSED_FIRST),
                (defaults::BACKOFF_REFUSED_MAX.as_secs() / 60).to_string(),
            ],
            _ => vec![],
        };
        assert_eq!(numbers(&without_examples(&prose)), expected, "{name}");
    }
}

fn short(length: Duration) -> String {
    Short(length).to_string()
}

/// A text without what stands in its backticks.
fn without_examples(text: &str) -> String {
    text.split('`').step_by(2).collect()
}

/// What stands between punctuation and begins with a digit.
fn numbers(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let numbers = words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    numbers.map(str::to_owned).collect()
}
