//! Moments.

use kinesis_app_rules::timestamp::timestamp;

use crate::refused;

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
