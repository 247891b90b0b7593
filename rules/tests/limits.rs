//! Every limit at -1, 0 and +1, and characters that are more than one byte.

use std::time::Duration;

use kinesis_app_rules::backoffs::backoffs;
use kinesis_app_rules::count::{Count, CountFault};
use kinesis_app_rules::hash_key::{HashKeyFault, hash_key};
use kinesis_app_rules::header::{HeaderNameFault, header_name};
use kinesis_app_rules::interval::poll_interval_spends_budget;
use kinesis_app_rules::length::{Length, LengthFault};
use kinesis_app_rules::name::{NameCause, app_name, consumer_name, owner_id, stream_name};
use kinesis_app_rules::partition_key::{PartitionKeyFault, partition_key};
use kinesis_app_rules::size::{SizeFault, put_records, record_size};
use kinesis_app_rules::table::{TableFault, lease_table, table_region};
use kinesis_app_rules::{defaults, limits};

const MS: Duration = Duration::from_millis(1);

#[test]
fn names_have_1_to_128_characters() {
    for check in [app_name, owner_id, stream_name, consumer_name] {
        assert_eq!(check("").unwrap_err().cause, NameCause::Empty);
        assert_eq!(check("a"), Ok("a"));
        let longest = "n".repeat(128);
        assert_eq!(check(&longest), Ok(longest.as_str()));
        let chars = 129;
        assert_eq!(
            check(&"n".repeat(chars)).unwrap_err().cause,
            NameCause::TooLong { chars }
        );
        // The limit counts characters: 65 umlauts are 130 bytes, and the first of them is the fault.
        assert_eq!(
            check(&"ü".repeat(65)).unwrap_err().cause,
            NameCause::Character { at: 0 }
        );
    }
}

#[test]
fn a_name_may_hold_no_colon_for_lease_keys_are_split_at_it() {
    for check in [app_name, owner_id, stream_name, consumer_name] {
        assert_eq!(
            check("a:b").unwrap_err().cause,
            NameCause::Character { at: 1 }
        );
    }
}

#[test]
fn a_count_is_1_to_its_most() {
    for &of in Count::ALL {
        let most = u64::from(of.most());
        for number in [1, most - 1, most] {
            assert_eq!(of.check(number).map(u64::from), Ok(number), "{of:?}");
        }
        for number in [0, most + 1, u64::MAX] {
            assert_eq!(of.check(number), Err(CountFault { of, number }));
        }
    }
}

#[test]
fn a_length_is_its_least_to_its_most() {
    let (ns, hour, day) = (
        Duration::from_nanos(1),
        Duration::from_hours(1),
        Duration::from_hours(24),
    );
    let bounds = |of| match of {
        Length::PollInterval => (Duration::from_millis(200), Duration::from_mins(4)),
        Length::ShutdownTimeout | Length::MaxWait => (Duration::ZERO, hour),
        Length::LeaseDuration => (Duration::from_secs(3), hour),
        Length::Backoff | Length::MaxBackoff | Length::Timeout => (MS, day),
    };
    for &of in Length::ALL {
        let (least, most) = bounds(of);
        for length in [least, least + ns, most.saturating_sub(ns), most] {
            assert_eq!(of.check(length), Ok(length), "{of:?}");
        }
        let short = [least.checked_sub(ns), least.checked_sub(MS)];
        for length in short.into_iter().flatten() {
            let fault = LengthFault { of, length };
            assert_eq!(of.check(length), Err(fault));
            assert!(fault.is_short(), "{of:?}");
        }
        for length in [most + ns, most + MS, Duration::MAX] {
            let fault = LengthFault { of, length };
            assert_eq!(of.check(length), Err(fault));
            assert!(!fault.is_short(), "{of:?}");
        }
    }
    assert!(
        bounds(Length::PollInterval).1 < limits::ITERATOR_LIFETIME,
        "an iterator must outlive the pause"
    );
}

#[test]
fn pauses_do_not_shrink() {
    assert_eq!(backoffs(MS, MS), Ok(()));
    assert!(backoffs(MS, 2 * MS).is_ok());
    assert!(backoffs(2 * MS, MS).is_err());
    assert!(backoffs(defaults::BACKOFF_FIRST, defaults::BACKOFF_MAX).is_ok());
}

#[test]
fn exactly_200ms_leaves_no_read_to_others() {
    let least = Duration::from_millis(200);
    assert!(poll_interval_spends_budget(least));
    assert!(!poll_interval_spends_budget(least + MS));
}

#[test]
fn lease_tables_have_3_to_255_characters_by_name_and_in_an_arn() {
    for front in ["", "arn:aws-cn:dynamodb:cn-north-1:123456789012:table/"] {
        let named = |chars| format!("{front}{}", "t".repeat(chars));
        for chars in [3, 255] {
            assert_eq!(lease_table(&named(chars)), Ok(&*named(chars)));
        }
        assert_eq!(
            lease_table(&named(2)),
            Err(TableFault::TooShort { chars: 2 })
        );
        assert_eq!(
            lease_table(&named(256)),
            Err(TableFault::TooLong { chars: 256 })
        );
    }
    let arn = "arn:aws-cn:dynamodb:cn-north-1:123456789012:table/leases";
    assert_eq!(table_region(arn), Some("cn-north-1"));
    assert_eq!(table_region("leases"), None);
    assert_eq!(lease_table(""), Err(TableFault::Empty));
    assert_eq!(lease_table("ta:ble"), Err(TableFault::Character { at: 2 }));
    for arn in [
        "arn:aws:dynamodb",
        "arn:x:dynamodb:eu-west-1:123456789012:table/leases",
        "arn:aws:kinesis:eu-west-1:123456789012:table/leases",
        "arn:aws:dynamodb::123456789012:table/leases",
        "arn:aws:dynamodb:eu-west-1:12345678901:table/leases",
        "arn:aws:dynamodb:eu-west-1:12345678901x:table/leases",
        "arn:aws:dynamodb:eu-west-1:123456789012:leases",
    ] {
        assert_eq!(lease_table(arn), Err(TableFault::Arn), "{arn}");
    }
}

#[test]
fn header_names_are_ascii_and_not_empty() {
    for name in ["trace-id", "Trace-Id", "a b", ":", "\r\n"] {
        assert_eq!(header_name(name), Ok(name));
    }
    assert_eq!(header_name(""), Err(HeaderNameFault::Empty));
    assert_eq!(header_name("größe"), Err(HeaderNameFault::NotAscii));
}

#[test]
fn partition_keys_have_1_to_256_characters_of_any_width() {
    for unit in ["a", "ü", "鍵", "🔑"] {
        let longest = unit.repeat(256);
        assert_eq!(partition_key(unit), Ok(unit));
        assert_eq!(partition_key(&longest), Ok(longest.as_str()));
        let fault = PartitionKeyFault::TooLong { chars: 257 };
        assert_eq!(partition_key(&unit.repeat(257)), Err(fault));
    }
    assert_eq!(partition_key(""), Err(PartitionKeyFault::Empty));
}

#[test]
fn hash_keys_are_below_2_to_the_128() {
    assert_eq!(hash_key("0"), Ok(0));
    assert_eq!(
        hash_key("340282366920938463463374607431768211455"),
        Ok(u128::MAX)
    );
    let next = "340282366920938463463374607431768211456";
    assert_eq!(hash_key(next), Err(HashKeyFault::TooLarge));
    assert_eq!(hash_key(&"9".repeat(40)), Err(HashKeyFault::TooLarge));
    for text in ["", "00", "01", "-1", "+1", "1 ", "0x1", "１"] {
        assert_eq!(hash_key(text), Err(HashKeyFault::Form), "{text}");
    }
}

#[test]
fn a_records_key_counts_towards_its_size() {
    let limit = limits::RECORD_BYTES;
    assert_eq!(record_size(limit - 3, 3, limit), Ok(limit));
    let fault = SizeFault::Record {
        bytes: limit + 1,
        limit,
    };
    assert_eq!(record_size(limit - 3, 4, limit), Err(fault));
    let most = limits::RECORD_BYTES_MOST;
    assert_eq!(record_size(most, 0, usize::MAX), Ok(most));
    let fault = SizeFault::Record {
        bytes: most + 1,
        limit: most,
    };
    assert_eq!(record_size(most, 1, usize::MAX), Err(fault));
    let fault = SizeFault::Record {
        bytes: usize::MAX,
        limit,
    };
    assert_eq!(record_size(usize::MAX, 1, limit), Err(fault));
}

#[test]
fn put_records_takes_1_to_500_records_and_10_mib() {
    let most = limits::PUT_RECORDS_BYTES;
    assert_eq!(put_records(0, 0), Err(SizeFault::NoRecords));
    assert_eq!(put_records(1, 0), Ok(()));
    assert_eq!(put_records(500, most), Ok(()));
    assert_eq!(
        put_records(501, 0),
        Err(SizeFault::Records { records: 501 })
    );
    assert_eq!(
        put_records(1, most + 1),
        Err(SizeFault::Request { bytes: most + 1 })
    );
}

#[test]
fn the_numbers_fit_each_other() {
    assert!(defaults::HEARTBEAT * 2 < defaults::LEASE_DURATION);
    assert_eq!(
        defaults::HEARTBEAT,
        defaults::LEASE_DURATION * defaults::HEARTBEAT_PERCENT / 100
    );
    const { assert!(defaults::DEADLINE_PERCENT < 100) };
    // A heartbeat that gets no answer is tried a second time before the deadline.
    const {
        assert!(
            defaults::HEARTBEAT_PERCENT + 2 * defaults::ATTEMPT_PERCENT_DYNAMODB
                < defaults::DEADLINE_PERCENT
        );
    };
    // One that a blocked thread delays is in time.
    const {
        assert!(
            defaults::HEARTBEAT_PERCENT
                + defaults::NUDGE_PERCENT
                + defaults::ATTEMPT_PERCENT_DYNAMODB
                < defaults::DEADLINE_PERCENT
        );
    };
    assert_eq!(
        defaults::ATTEMPT_TIMEOUT_DYNAMODB,
        defaults::LEASE_DURATION * defaults::ATTEMPT_PERCENT_DYNAMODB / 100
    );
    for (of, default) in [
        (Length::LeaseDuration, defaults::LEASE_DURATION),
        (Length::PollInterval, defaults::POLL_INTERVAL),
        (Length::ShutdownTimeout, defaults::SHUTDOWN_TIMEOUT),
        (Length::MaxWait, defaults::MAX_WAIT),
        (Length::Backoff, defaults::BACKOFF_FIRST),
        (Length::MaxBackoff, defaults::BACKOFF_MAX),
    ] {
        assert_eq!(of.check(default), Ok(default));
    }
    for (of, default) in [
        (Count::Concurrency, defaults::CONCURRENCY),
        (Count::MaxRecords, defaults::MAX_RECORDS),
    ] {
        assert_eq!(of.check(default.into()), Ok(default));
    }
    assert!(defaults::BACKOFF_FIRST < defaults::BACKOFF_MAX);
    const { assert!(defaults::PREFETCH_SHARE_LEAST <= defaults::PREFETCH_BYTES) };
    assert_eq!(limits::GET_RECORDS_INTERVAL, Duration::from_millis(200));
}
