//! Lengths of time.

use std::time::Duration;

use kinesis_app_rules::backoffs::backoffs;
use kinesis_app_rules::duration::{Short, duration};
use kinesis_app_rules::length::Length;

use crate::refused;

#[test]
fn lengths() {
    let (short, long) = (Duration::ZERO, Duration::from_hours(25));
    for (of, refused, text, rule, suggestion) in [
        (
            Length::PollInterval,
            Duration::from_millis(100),
            "poll interval is 100ms; a shard serves 5 reads a second, one per 200ms",
            "poll interval is below 200ms; a shard serves 5 reads a second, one per 200ms",
            "250ms",
        ),
        (
            Length::PollInterval,
            Duration::from_mins(5),
            "poll interval is 5m; an iterator expires after 5m, so the longest is 4m",
            "poll interval is above 4m; an iterator expires after 5m, so the longest is 4m",
            "4m",
        ),
        (
            Length::ShutdownTimeout,
            long,
            "shutdown timeout is 25h; a stop takes at most 1h",
            "shutdown timeout is above 1h; a stop takes at most 1h",
            "1h",
        ),
        (
            Length::LeaseDuration,
            Duration::from_secs(1),
            "lease duration is 1s; a heartbeat and a second try take at least 3s",
            "lease duration is below 3s; a heartbeat and a second try take that long",
            "3s",
        ),
        (
            Length::LeaseDuration,
            long,
            "lease duration is 25h; the shards of an instance that dies stand still for so long, at most 1h",
            "lease duration is above 1h; the shards of an instance that dies stand still for so long",
            "1h",
        ),
        (
            Length::MaxWait,
            long,
            "max wait is 25h; a batch waits for at most 1h",
            "max wait is above 1h; a batch waits for at most 1h",
            "1h",
        ),
        (
            Length::Backoff,
            short,
            "backoff is 0s; a pause takes 1ms at least",
            "backoff is below 1ms; a pause takes 1ms at least",
            "1ms",
        ),
        (
            Length::Backoff,
            long,
            "backoff is 25h; a stream may keep a record for no longer than 24h",
            "backoff is above 24h; a stream may keep a record for no longer",
            "24h",
        ),
        (
            Length::MaxBackoff,
            short,
            "max backoff is 0s; a pause takes 1ms at least",
            "max backoff is below 1ms; a pause takes 1ms at least",
            "1ms",
        ),
        (
            Length::MaxBackoff,
            long,
            "max backoff is 25h; a stream may keep a record for no longer than 24h",
            "max backoff is above 24h; a stream may keep a record for no longer",
            "24h",
        ),
        (
            Length::Timeout,
            short,
            "timeout is 0s; leave it out to set no limit",
            "timeout is below 1ms; leave it out to set no limit",
            "30s",
        ),
        (
            Length::Timeout,
            long,
            "timeout is 25h; a stream may keep a record for no longer than 24h",
            "timeout is above 24h; a stream may keep a record for no longer",
            "24h",
        ),
    ] {
        let fault = of.check(refused).unwrap_err();
        assert_eq!((fault.to_string().as_str(), fault.rule()), (text, rule));
        assert_eq!(fault.suggestion(), suggestion);
        let suggestion = duration(suggestion).unwrap();
        assert!(
            of.check(suggestion).is_ok(),
            "a suggestion passes its own rule"
        );
    }
}

#[test]
fn pauses_that_shrink() {
    let shrinking = backoffs(Duration::from_mins(1), Duration::from_secs(30)).unwrap_err();
    assert_eq!(
        shrinking.to_string(),
        "the longest backoff, 30s, is shorter than the first, 1m"
    );
    assert_eq!(
        shrinking.rule(),
        "the longest backoff is shorter than the first"
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
