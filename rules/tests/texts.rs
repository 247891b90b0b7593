//! The words of every fault: with the value, without it, and the edit that helps.

use std::time::Duration;

use kinesis_app_rules::arn::{STREAM_ARN_FORM, stream_arn};
use kinesis_app_rules::attempt::{attempts, backoff, backoffs, max_backoff, timeout};
use kinesis_app_rules::batch::{max_records, max_wait};
use kinesis_app_rules::batch_size::batch_size;
use kinesis_app_rules::concurrency::{InWords, below_total, concurrency, one_at_a_time, total};
use kinesis_app_rules::duration::{Short, duration};
use kinesis_app_rules::endpoint::endpoint;
use kinesis_app_rules::env::env_name;
use kinesis_app_rules::hash_key::hash_key;
use kinesis_app_rules::header::header_name;
use kinesis_app_rules::interval::{
    POLL_INTERVAL_SPENDS_BUDGET, lease_duration, poll_interval, shutdown_timeout,
};
use kinesis_app_rules::name::{app_name, consumer_name, handler_label, owner_id, stream_name};
use kinesis_app_rules::partition_key::partition_key;
use kinesis_app_rules::region::region;
use kinesis_app_rules::shard_count::shard_count;
use kinesis_app_rules::size::{put_records, record_size};
use kinesis_app_rules::table::lease_table;
use kinesis_app_rules::timestamp::timestamp;
use kinesis_app_rules::{defaults, limits};

/// `rule(value)` fails; its displayed text, fixed text and suggestion.
macro_rules! refused {
    ($rule:ident($value:expr), $text:expr, $fixed:expr, $suggestion:expr) => {{
        let value = $value;
        let fault = $rule(value).unwrap_err();
        assert_eq!(fault.with(value).to_string(), $text);
        assert_eq!(fault.rule(), $fixed);
        let suggestion: Option<&str> = $suggestion;
        assert_eq!(fault.suggestion(value).as_deref(), suggestion);
        if let Some(suggestion) = suggestion {
            assert!(
                $rule(suggestion).is_ok(),
                "a suggestion passes its own rule"
            );
        }
    }};
}

#[test]
fn names() {
    let fixed = "stream name has a foreign character; names use letters, digits, `_`, `.` and `-`";
    refused!(
        stream_name("orders/eu"),
        "stream name `orders/eu` has `/` at byte 6; names use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("orders-eu")
    );
    refused!(
        stream_name("a b"),
        "stream name `a b` has a space at byte 1; names use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("a-b")
    );
    refused!(
        stream_name("käse\tbrot"),
        "stream name `käse\tbrot` has `ä` at byte 1; names use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("k-se-brot")
    );
    refused!(
        stream_name("注文"),
        "stream name `注文` has `注` at byte 0; names use letters, digits, `_`, `.` and `-`",
        fixed,
        None
    );
    refused!(
        app_name("billing service"),
        "app name `billing service` has a space at byte 7; names use letters, digits, `_`, `.` and `-`",
        "app name has a foreign character; names use letters, digits, `_`, `.` and `-`",
        Some("billing-service")
    );
    refused!(
        stream_name(""),
        "stream name is empty; Kinesis names have 1 to 128 characters",
        "stream name is empty; Kinesis names have 1 to 128 characters",
        None
    );
    refused!(
        stream_name(&"n".repeat(129)),
        "stream name has 129 characters; the most is 128",
        "stream name has more than 128 characters; the most is 128",
        None
    );
    refused!(
        stream_name("arn:aws:kinesis:eu-west-1:123456789012:stream/orders"),
        "stream name `arn:aws:kinesis:eu-west-1:123456789012:stream/orders` is an ARN; `arn` takes it",
        "stream name is an ARN; `arn` takes it",
        None
    );
    refused!(
        consumer_name("arn:x"),
        "consumer name `arn:x` is an ARN",
        "consumer name is an ARN",
        None
    );
}

#[test]
fn owner_ids() {
    let fixed = "owner id has a foreign character; ids use letters, digits, `_`, `.` and `-`";
    refused!(
        owner_id("billing 0"),
        "owner id `billing 0` has a space at byte 7; ids use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("billing-0")
    );
    refused!(
        owner_id("arn:task/1"),
        "owner id `arn:task/1` has `:` at byte 3; ids use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("arn-task-1")
    );
    refused!(
        owner_id(""),
        "owner id is empty; ids have 1 to 128 characters",
        "owner id is empty; ids have 1 to 128 characters",
        None
    );
    refused!(
        owner_id(&"n".repeat(129)),
        "owner id has 129 characters; the most is 128",
        "owner id has more than 128 characters; the most is 128",
        None
    );
}

#[test]
fn numbers() {
    let text = |fault: &dyn std::fmt::Display| fault.to_string();

    let zero = batch_size(0).unwrap_err();
    assert_eq!(
        text(&zero),
        "batch size is 0; a read asks for 1 to 10000 records"
    );
    assert_eq!(zero.rule(), text(&zero));
    let large = batch_size(20_000).unwrap_err();
    assert_eq!(
        text(&large),
        "batch size is 20000; one GetRecords call returns at most 10000"
    );
    assert_eq!(
        large.rule(),
        "batch size is above 10000; one GetRecords call returns at most 10000"
    );

    let none = max_records(0).unwrap_err();
    assert_eq!(none.to_string(), "max records is 0; a batch has at least 1");
    let large = max_records(200_000).unwrap_err();
    assert_eq!(
        large.to_string(),
        "max records is 200000; a shard has at most 100000 records at hand"
    );
    assert_eq!(
        large.rule(),
        "max records is above 100000; a shard has at most 100000 records at hand"
    );
    let long = max_wait(Duration::from_hours(2)).unwrap_err();
    assert_eq!(
        long.to_string(),
        "max wait is 2h; a batch waits for at most 1h"
    );
    assert_eq!(
        long.rule(),
        "max wait is above 1h; a batch waits for at most 1h"
    );
    let zero = concurrency(0).unwrap_err();
    assert_eq!(
        text(&zero),
        "concurrency is 0; 1 handles one record of a shard at a time"
    );
    assert_eq!(zero.rule(), text(&zero));
    let large = concurrency(200_000).unwrap_err();
    assert_eq!(
        text(&large),
        "concurrency is 200000; a shard has at most 100000 records at hand"
    );
    assert_eq!(
        large.rule(),
        "concurrency is above 100000; a shard has at most 100000 records at hand"
    );

    let zero = shard_count(0).unwrap_err();
    assert_eq!(
        text(&zero),
        "shard count is 0; a stream has at least 1 shard"
    );
    assert_eq!(zero.rule(), text(&zero));
    let large = shard_count(u64::from(u32::MAX)).unwrap_err();
    assert_eq!(
        text(&large),
        "shard count is 4294967295; the most the service can express is 2147483647"
    );
    assert_eq!(
        large.rule(),
        "shard count is above 2147483647; the most the service can express is 2147483647"
    );
}

#[test]
fn failures() {
    let most = u64::from(u32::MAX);
    let zero = attempts(0).unwrap_err();
    assert_eq!(zero.to_string(), "attempts is 0; the first delivery is one");
    assert_eq!(zero.rule(), zero.to_string());
    let large = attempts(most + 1).unwrap_err();
    assert_eq!(
        large.to_string(),
        "attempts is 4294967296; `forever` has no end"
    );
    assert_eq!(
        large.rule(),
        "attempts is above 4294967295; `forever` has no end"
    );
    let zero = total(0).unwrap_err();
    assert_eq!(
        zero.to_string(),
        "total is 0; 1 handles one record of all shards at a time"
    );
    assert_eq!(zero.rule(), zero.to_string());
    let large = total(most + 1).unwrap_err();
    assert_eq!(
        large.to_string(),
        "total is 4294967296; leave it out to set no limit"
    );
    assert_eq!(
        large.rule(),
        "total is above 4294967295; leave it out to set no limit"
    );
    let (none, long) = (Duration::ZERO, Duration::from_hours(25));
    for (fault, text, rule, suggestion) in [
        (
            backoff(none),
            "backoff is 0s; a pause takes 1ms at least",
            "backoff is below 1ms; a pause takes 1ms at least",
            "1ms",
        ),
        (
            max_backoff(none),
            "max backoff is 0s; a pause takes 1ms at least",
            "max backoff is below 1ms; a pause takes 1ms at least",
            "1ms",
        ),
        (
            timeout(none),
            "timeout is 0s; leave it out to set no limit",
            "timeout is below 1ms; leave it out to set no limit",
            "30s",
        ),
        (
            backoff(long),
            "backoff is 25h; a stream may keep a record for no longer than 24h",
            "backoff is above 24h; a stream may keep a record for no longer",
            "24h",
        ),
        (
            max_backoff(long),
            "max backoff is 25h; a stream may keep a record for no longer than 24h",
            "max backoff is above 24h; a stream may keep a record for no longer",
            "24h",
        ),
        (
            timeout(long),
            "timeout is 25h; a stream may keep a record for no longer than 24h",
            "timeout is above 24h; a stream may keep a record for no longer",
            "24h",
        ),
    ] {
        let fault = fault.unwrap_err();
        assert_eq!((fault.to_string().as_str(), fault.rule()), (text, rule));
        assert_eq!(fault.suggestion(), suggestion);
    }
    let shrinking = backoffs(Duration::from_mins(1), Duration::from_secs(30)).unwrap_err();
    assert_eq!(
        shrinking.to_string(),
        "the longest backoff, 30s, is shorter than the first, 1m"
    );
    assert_eq!(
        shrinking.rule(),
        "the longest backoff is shorter than the first"
    );
    refused!(
        handler_label("book orders"),
        "handler label `book orders` has a space at byte 4; labels use letters, digits, `_`, `.` and `-`",
        "handler label has a foreign character; labels use letters, digits, `_`, `.` and `-`",
        Some("book-orders")
    );
    refused!(
        handler_label(""),
        "handler label is empty; labels have 1 to 128 characters",
        "handler label is empty; labels have 1 to 128 characters",
        None
    );
}

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
            batch_size(0).unwrap_err().rule(),
            limits::GET_RECORDS_RECORDS.to_string(),
        ),
        (
            batch_size(u64::MAX).unwrap_err().rule(),
            limits::GET_RECORDS_RECORDS.to_string(),
        ),
        (
            concurrency(u64::MAX).unwrap_err().rule(),
            defaults::WINDOW_RECORDS.to_string(),
        ),
        (
            shard_count(u64::MAX).unwrap_err().rule(),
            limits::SHARD_COUNT.to_string(),
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
fn intervals() {
    let short = poll_interval(Duration::from_millis(100)).unwrap_err();
    assert_eq!(
        short.to_string(),
        "poll interval is 100ms; a shard serves 5 reads a second, one per 200ms"
    );
    assert_eq!(
        short.rule(),
        "poll interval is below 200ms; a shard serves 5 reads a second, one per 200ms"
    );
    let long = poll_interval(Duration::from_mins(5)).unwrap_err();
    assert_eq!(
        long.to_string(),
        "poll interval is 5m; an iterator expires after 5m, so the longest is 4m"
    );
    assert_eq!(
        long.rule(),
        "poll interval is above 4m; an iterator expires after 5m, so the longest is 4m"
    );
    for fault in [short, long] {
        let suggestion = duration(fault.suggestion()).unwrap();
        assert!(
            poll_interval(suggestion).is_ok(),
            "a suggestion passes its own rule"
        );
    }
    let long = shutdown_timeout(Duration::from_hours(2)).unwrap_err();
    assert_eq!(
        long.to_string(),
        "shutdown timeout is 2h; a stop takes at most 1h"
    );
    assert_eq!(
        long.rule(),
        "shutdown timeout is above 1h; a stop takes at most 1h"
    );
}

#[test]
fn durations() {
    let form = "it is a whole number and `ms`, `s`, `m` or `h`";
    refused!(
        duration("5 minutes"),
        format!("duration `5 minutes` has a space at byte 1; {form}"),
        format!("duration has another unit; {form}"),
        Some("5m")
    );
    refused!(
        duration("500"),
        format!("duration `500` has no unit; {form}"),
        format!("duration has no unit; {form}"),
        Some("500ms")
    );
    refused!(
        duration("-5s"),
        format!("duration `-5s` does not start with a number; {form}"),
        format!("duration does not start with a number; {form}"),
        None
    );
    refused!(
        duration("1.5s"),
        format!("duration `1.5s` has `.` at byte 1; {form}"),
        format!("duration has another unit; {form}"),
        Some("1500ms")
    );
    for (written, meant) in [
        ("1m30s", Some("90s")),
        ("1h 30 min", Some("90m")),
        ("2 days", Some("48h")),
        ("0.5s", Some("500ms")),
        ("1.5ms", None),
        ("5us", None),
        ("5 fortnights", None),
        ("1m30", None),
        ("s", None),
    ] {
        let fault = duration(written).unwrap_err();
        assert_eq!(fault.suggestion(written).as_deref(), meant, "{written}");
    }
    refused!(
        duration(""),
        format!("duration is empty; {form}"),
        format!("duration is empty; {form}"),
        None
    );
    refused!(
        duration("18446744073709551616ms"),
        "duration `18446744073709551616ms` does not fit 64 bits of milliseconds",
        "duration does not fit 64 bits of milliseconds",
        None
    );
    assert_eq!(
        duration("18446744073709551615ms"),
        Ok(Duration::from_millis(u64::MAX))
    );
    assert!(duration("18446744073709551615s").is_err());
    assert_eq!(Short(Duration::from_micros(1500)).to_string(), "1.5ms");
}

#[test]
fn arns() {
    let arn = "arn:aws-us-gov:kinesis:us-gov-west-1:123456789012:stream/orders";
    let parts = stream_arn(arn).unwrap();
    assert_eq!(
        (
            parts.text,
            parts.partition,
            parts.region,
            parts.account,
            parts.name
        ),
        (arn, "aws-us-gov", "us-gov-west-1", "123456789012", "orders")
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:12345:stream/views"),
        "account id `12345` in the stream ARN has 5 digits; it has 12",
        "account id in the stream ARN does not have 12 digits; it has 12",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:1:stream/views"),
        "account id `1` in the stream ARN has 1 digit; it has 12",
        "account id in the stream ARN does not have 12 digits; it has 12",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:my-account:stream/views"),
        "account id `my-account` in the stream ARN is not a number; it has 12 digits",
        "account id in the stream ARN does not have 12 digits; it has 12",
        None
    );
}

#[test]
fn arns_of_something_else() {
    refused!(
        stream_arn("arn:aws:sqs:eu-west-1:123456789012:orders"),
        "stream ARN is an ARN of `sqs`, not of `kinesis`",
        "stream ARN is an ARN of another service than `kinesis`",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:123456789012:orders"),
        "stream ARN names `orders`, not a `stream/<name>`",
        "stream ARN names something else than a stream",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis::123456789012:stream/orders"),
        "stream ARN has no region",
        "stream ARN has no region",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis:Europe:123456789012:stream/orders"),
        "region `Europe` in the stream ARN does not look like an AWS region",
        "region in the stream ARN does not look like an AWS region",
        None
    );
    refused!(
        stream_arn(
            "arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/billing:1700000000"
        ),
        "stream ARN names a fan-out consumer; use its stream's ARN and `fan_out = \"billing\"`",
        "stream ARN names a fan-out consumer; use its stream's ARN",
        Some("arn:aws:kinesis:eu-west-1:123456789012:stream/orders")
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:123456789012:stream/"),
        "stream name is empty; Kinesis names have 1 to 128 characters",
        "stream name is empty; Kinesis names have 1 to 128 characters",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis:eu-west-1:123456789012:stream/a b"),
        "stream name `a b` has a space at byte 1; names use letters, digits, `_`, `.` and `-`",
        "stream name has a foreign character; names use letters, digits, `_`, `.` and `-`",
        None
    );
    refused!(
        stream_arn("orders"),
        "stream ARN `orders` does not start with `arn:aws`",
        "stream ARN does not start with `arn:aws`",
        None
    );
    refused!(
        stream_arn("arn:aws:kinesis"),
        "stream ARN `arn:aws:kinesis` has fewer than six parts",
        "stream ARN has fewer than six parts",
        None
    );
    refused!(
        stream_arn(""),
        "stream ARN is empty",
        "stream ARN is empty",
        None
    );
    refused!(
        stream_arn(&format!("arn:aws:kinesis:{}", "x".repeat(2048 - 15))),
        "stream ARN has 2049 characters; the most is 2048",
        "stream ARN has more than 2048 characters; the most is 2048",
        None
    );
    let example = STREAM_ARN_FORM
        .replace("<region>", "eu-west-1")
        .replace("<account>", "123456789012");
    assert!(stream_arn(&example.replace("<name>", "orders")).is_ok());
}

#[test]
fn regions() {
    for good in [
        "eu-west-1",
        "us-gov-east-1",
        "cn-northwest-1",
        "us-isob-east-1",
        "ap-southeast-12",
    ] {
        assert_eq!(region(good), Ok(good));
    }
    let fixed = "region does not look like an AWS region";
    for (bad, suggestion) in [
        ("eu_west_1", Some("eu-west-1")),
        ("EU-WEST-1", Some("eu-west-1")),
        (" eu west 1", Some("eu-west-1")),
        ("eu-west", None),
        ("eu-1", None),
        ("eu-west-1a", Some("eu-west-1")),
        ("eu--west-1", None),
        ("-west-1", None),
        ("eu-west-", None),
        ("eu", None),
        ("1", None),
        ("eü-west-1", None),
    ] {
        let text = format!("region `{bad}` does not look like an AWS region");
        refused!(region(bad), text, fixed, suggestion);
    }
    let empty = "region is empty; it looks like `eu-west-1`";
    refused!(region(""), empty, empty, None);
}

#[test]
fn endpoints() {
    for good in [
        "http://localhost:4566",
        "https://kinesis.eu-west-1.amazonaws.com",
        "HTTP://127.0.0.1:1/path",
        "http://[::1]:65535",
        "http://[::1]",
        "http://host/",
    ] {
        assert_eq!(endpoint(good), Ok(good));
    }
    let no_scheme = "endpoint has no scheme";
    refused!(
        endpoint("localhost:4566"),
        "endpoint `localhost:4566` has no scheme",
        no_scheme,
        Some("http://localhost:4566")
    );
    refused!(
        endpoint("//host"),
        "endpoint `//host` has no scheme",
        no_scheme,
        Some("http://host")
    );
    refused!(
        endpoint("http:/host"),
        "endpoint `http:/host` has no scheme",
        no_scheme,
        None
    );
    refused!(
        endpoint("ftp://host"),
        "endpoint `ftp://host` has the scheme `ftp`; it is `http` or `https`",
        "endpoint has another scheme than `http` and `https`",
        None
    );
    for bad in [
        "http://",
        "http:///path",
        "http://:80",
        "http://[]",
        "http://[::1",
    ] {
        let text = format!("endpoint `{bad}` has no host");
        refused!(endpoint(bad), text, "endpoint has no host", None);
    }
    for bad in [
        "http://host:",
        "http://host:0",
        "http://host:65536",
        "http://host:x",
        "http://h:1:2",
    ] {
        let text = format!("endpoint `{bad}` has a port that is not 1 to 65535");
        refused!(
            endpoint(bad),
            text,
            "endpoint has a port that is not 1 to 65535",
            None
        );
    }
    let fixed = "endpoint has a character that is not part of a scheme, a host, a port or a path";
    let form = "it has a scheme, a host, and perhaps a port and a path";
    for (bad, what, suggestion) in [
        (" http://host", "a space at byte 0", Some("http://host")),
        ("http://ho st", "a space at byte 9", None),
        ("http://host?x=1", "`?` at byte 11", None),
        ("http://user@host", "`@` at byte 11", None),
        ("http://höst", "`ö` at byte 8", None),
        ("http://[::1]x", "`x` at byte 12", None),
    ] {
        refused!(
            endpoint(bad),
            format!("endpoint `{bad}` has {what}; {form}"),
            fixed,
            suggestion
        );
    }
    let empty = "endpoint is empty; it looks like `http://localhost:4566`";
    refused!(endpoint(""), empty, empty, None);
}

#[test]
fn timestamps() {
    refused!(
        timestamp("2026-02-30T00:00:00Z"),
        "timestamp `2026-02-30T00:00:00Z`: February 2026 has 28 days",
        "timestamp: the month does not have that day",
        None
    );
    let zone = "timestamp: has no time zone";
    refused!(
        timestamp("2026-01-31 00:00"),
        "timestamp `2026-01-31 00:00`: has no time zone",
        zone,
        Some("2026-01-31T00:00:00Z")
    );
    refused!(
        timestamp("2026-01-31T12:30:00.5"),
        "timestamp `2026-01-31T12:30:00.5`: has no time zone",
        zone,
        Some("2026-01-31T12:30:00.5Z")
    );
    refused!(
        timestamp("1767225600"),
        "timestamp `1767225600`: write RFC 3339, not seconds",
        "timestamp: write RFC 3339, not seconds",
        Some("2026-01-01T00:00:00Z")
    );
    refused!(
        timestamp("1767225600123"),
        "timestamp `1767225600123`: write RFC 3339, not milliseconds",
        "timestamp: write RFC 3339, not milliseconds",
        Some("2026-01-01T00:00:00.123Z")
    );
    refused!(
        timestamp("2026-01-31"),
        "timestamp `2026-01-31`: has no time",
        "timestamp: has no time",
        Some("2026-01-31T00:00:00Z")
    );
    refused!(
        timestamp("2026-01-31T00:00+02:00"),
        "timestamp `2026-01-31T00:00+02:00`: has no seconds",
        "timestamp: has no seconds",
        Some("2026-01-31T00:00:00+02:00")
    );
    refused!(
        timestamp("2026-13-01T00:00:00Z"),
        "timestamp `2026-13-01T00:00:00Z`: month 13 is not 01 to 12",
        "timestamp: a month is 01 to 12",
        None
    );
    refused!(
        timestamp("2026-01-01T24:00:00Z"),
        "timestamp `2026-01-01T24:00:00Z`: a time is 00:00:00 to 23:59:59",
        "timestamp: a time is 00:00:00 to 23:59:59",
        None
    );
    refused!(
        timestamp("2026-01-01T00:00:00+24:00"),
        "timestamp `2026-01-01T00:00:00+24:00`: an offset is -23:59 to +23:59",
        "timestamp: an offset is -23:59 to +23:59",
        None
    );
    let form = "timestamp: write RFC 3339, such as `2026-01-31T00:00:00Z`";
    refused!(
        timestamp("yesterday"),
        "timestamp `yesterday`: `y` at byte 0 is not RFC 3339, such as `2026-01-31T00:00:00Z`",
        form,
        None
    );
    refused!(
        timestamp("2026-01-31T00:00:00Z "),
        "timestamp `2026-01-31T00:00:00Z `: a space at byte 20 is not RFC 3339, such as `2026-01-31T00:00:00Z`",
        form,
        Some("2026-01-31T00:00:00Z")
    );
    refused!(
        timestamp("2026"),
        format!("timestamp `2026`: {}", &form[11..]),
        form,
        None
    );
    let empty = "timestamp is empty; write RFC 3339, such as `2026-01-31T00:00:00Z`";
    refused!(timestamp(""), empty, empty, None);
}

#[test]
fn environment_variables() {
    assert_eq!(env_name("ORDERS_STREAM"), Ok("ORDERS_STREAM"));
    let fault = env_name("A=B").unwrap_err();
    assert_eq!(
        fault.with("A=B").to_string(),
        "`A=B` cannot name an environment variable"
    );
    assert_eq!(
        fault.rule(),
        "a text with `=` or NUL cannot name an environment variable"
    );
    let fault = env_name("A\0").unwrap_err();
    assert_eq!(
        fault.with("A\0").to_string(),
        "`A\\0` cannot name an environment variable"
    );
    let fault = env_name("AWS  REGION").unwrap_err();
    assert_eq!(
        fault.with("AWS  REGION").to_string(),
        "environment variable `AWS  REGION` has a space at byte 3"
    );
    assert_eq!(
        fault.rule(),
        "a text with a space cannot name an environment variable"
    );
    assert_eq!(
        fault.suggestion("AWS  REGION").as_deref(),
        Some("AWS_REGION")
    );
    let fault = env_name("").unwrap_err();
    assert_eq!(
        fault.with("").to_string(),
        "an empty text cannot name an environment variable"
    );
    assert_eq!(
        fault.rule(),
        "an empty text cannot name an environment variable"
    );
}

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

#[test]
fn lease_tables() {
    let fixed =
        "lease table name has a foreign character; names use letters, digits, `_`, `.` and `-`";
    refused!(
        lease_table("billing leases"),
        "lease table name `billing leases` has a space at byte 7; names use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("billing-leases")
    );
    refused!(
        lease_table("arn:aws:dynamodb:eu-west-1:123456789012:table/a/index/b"),
        "lease table name `a/index/b` has `/` at byte 1; names use letters, digits, `_`, `.` and `-`",
        fixed,
        Some("arn:aws:dynamodb:eu-west-1:123456789012:table/a-index-b")
    );
    refused!(
        lease_table(""),
        "lease table name is empty; DynamoDB names have 3 to 255 characters",
        "lease table name is empty; DynamoDB names have 3 to 255 characters",
        None
    );
    refused!(
        lease_table("ab"),
        "lease table name `ab` has 2 characters; DynamoDB names have 3 to 255",
        "lease table name has fewer than 3 characters; DynamoDB names have 3 to 255",
        None
    );
    refused!(
        lease_table("a"),
        "lease table name `a` has 1 character; DynamoDB names have 3 to 255",
        "lease table name has fewer than 3 characters; DynamoDB names have 3 to 255",
        None
    );
    refused!(
        lease_table(&"t".repeat(256)),
        "lease table name has 256 characters; DynamoDB names have 3 to 255",
        "lease table name has more than 255 characters; DynamoDB names have 3 to 255",
        None
    );
    refused!(
        lease_table("arn:aws:sqs:eu-west-1:123456789012:leases"),
        "lease table ARN `arn:aws:sqs:eu-west-1:123456789012:leases` is not of the form `arn:aws:dynamodb:<region>:<account>:table/<name>`",
        "lease table ARN is not of the form `arn:aws:dynamodb:<region>:<account>:table/<name>`",
        None
    );
}

#[test]
fn lease_durations() {
    let short = lease_duration(Duration::from_secs(1)).unwrap_err();
    assert_eq!(
        short.to_string(),
        "lease duration is 1s; a heartbeat and a second try take at least 3s"
    );
    assert_eq!(
        short.rule(),
        "lease duration is below 3s; a heartbeat and a second try take that long"
    );
    let long = lease_duration(Duration::from_hours(2)).unwrap_err();
    assert_eq!(
        long.to_string(),
        "lease duration is 2h; the shards of an instance that dies stand still for so long, at most 1h"
    );
    assert_eq!(
        long.rule(),
        "lease duration is above 1h; the shards of an instance that dies stand still for so long"
    );
    for fault in [short, long] {
        let suggestion = duration(fault.suggestion()).expect("a duration");
        assert!(lease_duration(suggestion).is_ok());
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

#[test]
fn concurrency_beside_other_settings() {
    assert_eq!(below_total(8, 8), Ok(()));
    let fault = below_total(8, 4).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "the 8 records of one shard are more than the 4 of all shards"
    );
    assert_eq!(
        fault.rule(),
        "the records of one shard are more than those of all shards"
    );
    assert_eq!(one_at_a_time(1), Ok(()));
    let fault = one_at_a_time(8).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "`ordered(shard)` handles one record at a time, `concurrency = 8` eight"
    );
    assert_eq!(
        fault.rule(),
        "`ordered(shard)` handles one record at a time, `concurrency` more"
    );
    let words = [1, 2, 12, 13].map(|number| InWords(number).to_string());
    assert_eq!(words, ["1", "two", "twelve", "13"]);
}
