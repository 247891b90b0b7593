//! What holds for any input: one verdict, an independent calendar, round trips, and no panic.

use std::time::Duration;

use kinesis_app_rules::arn::stream_arn;
use kinesis_app_rules::duration::{Short, duration};
use kinesis_app_rules::endpoint::endpoint;
use kinesis_app_rules::env::env_name;
use kinesis_app_rules::hash_key::hash_key;
use kinesis_app_rules::limits;
use kinesis_app_rules::name::{app_name, consumer_name, owner_id, stream_name};
use kinesis_app_rules::region::region;
use kinesis_app_rules::table::lease_table;
use kinesis_app_rules::timestamp::{rfc3339, timestamp};
use proptest::prelude::*;

/// The compiler's verdict: the same functions, run by const evaluation.
mod in_const {
    use super::{Duration, duration, stream_arn, stream_name, timestamp};
    use kinesis_app_rules::length::Length;

    pub(crate) const NAME: bool = stream_name("orders").is_ok();
    pub(crate) const BAD_NAME: bool = stream_name("orders/eu").is_err();
    pub(crate) const ARN: bool =
        stream_arn("arn:aws:kinesis:eu-west-1:123456789012:stream/orders").is_ok();
    pub(crate) const INTERVAL: Duration = match duration("500ms") {
        Ok(interval) => match Length::PollInterval.check(interval) {
            Ok(interval) => interval,
            Err(fault) => panic!("{}", fault.rule()),
        },
        Err(fault) => panic!("{}", fault.rule()),
    };
    pub(crate) const NEW_YEAR: i64 = match timestamp("2026-01-01T00:00:00Z") {
        Ok(millis) => millis,
        Err(fault) => panic!("{}", fault.rule()),
    };
}

#[test]
fn const_evaluation_has_the_same_verdict() {
    assert_eq!(in_const::NAME, stream_name("orders").is_ok());
    assert_eq!(in_const::BAD_NAME, stream_name("orders/eu").is_err());
    assert_eq!(
        in_const::ARN,
        stream_arn("arn:aws:kinesis:eu-west-1:123456789012:stream/orders").is_ok()
    );
    assert_eq!(in_const::INTERVAL, Duration::from_millis(500));
    assert_eq!(in_const::NEW_YEAR, 1_767_225_600_000);
}

/// The documented pattern of names, written the other way round.
fn looks_like_a_name(text: &str) -> bool {
    let only = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    (1..=limits::NAME_CHARS).contains(&text.chars().count()) && text.chars().all(only)
}

/// Texts near to what passes, so that both verdicts come up.
fn nearly(pattern: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![
        pattern,
        (pattern, any::<char>(), any::<prop::sample::Index>()).prop_map(|(mut text, c, at)| {
            let boundaries: Vec<usize> = text
                .char_indices()
                .map(|(at, _)| at)
                .chain([text.len()])
                .collect();
            text.insert(*at.get(&boundaries), c);
            text
        })
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn names_follow_the_documented_pattern(name in nearly("[a-zA-Z0-9_.-]{0,140}")) {
        prop_assert_eq!(stream_name(&name).is_ok(), looks_like_a_name(&name));
        prop_assert_eq!(app_name(&name).is_ok(), looks_like_a_name(&name));
        prop_assert_eq!(owner_id(&name).is_ok(), looks_like_a_name(&name));
        prop_assert_eq!(consumer_name(&name).is_ok(), looks_like_a_name(&name));
    }

    #[test]
    fn an_arn_is_put_together_from_its_parts(
        arn in nearly("arn:aws(-cn)?:kinesis:eu-west-[1-3]:[0-9]{12}:stream/[a-z.]{1,9}")
    ) {
        if let Ok(parts) = stream_arn(&arn) {
            let (partition, region, account) = (parts.partition, parts.region, parts.account);
            let name = parts.name;
            prop_assert_eq!(
                format!("arn:{partition}:kinesis:{region}:{account}:stream/{name}"),
                arn
            );
        }
    }

    #[test]
    fn a_duration_shown_is_a_duration_read(millis in any::<u64>()) {
        let interval = Duration::from_millis(millis);
        prop_assert_eq!(duration(&Short(interval).to_string()), Ok(interval));
    }

    #[test]
    fn a_duration_read_is_number_times_unit(number in any::<u32>(), unit in "ms|s|m|h|d|us|") {
        let millis = match unit.as_str() { "ms" => 1, "s" => 1000, "m" => 60_000, "h" => 3_600_000, _ => 0 };
        let read = duration(&format!("{number}{unit}"));
        prop_assert_eq!(read.ok(), (millis != 0).then(|| Duration::from_millis(u64::from(number) * millis)));
    }

    #[test]
    fn a_timestamp_means_what_another_calendar_says(
        // Milliseconds of the years 0001 to 9998, so that offsets stay within what jiff has.
        millis in -62_135_596_800_000_i64..253_370_764_800_000,
        minutes in -23 * 60..=23 * 60,
    ) {
        let instant = jiff::Timestamp::from_millisecond(millis).unwrap();
        let offset = jiff::tz::Offset::from_seconds(minutes * 60).unwrap();
        prop_assert_eq!(timestamp(&instant.display_with_offset(offset).to_string()), Ok(millis));
        prop_assert_eq!(timestamp(&instant.to_string()), Ok(millis));
        let text = rfc3339(millis).unwrap();
        prop_assert_eq!(text.parse::<jiff::Timestamp>().unwrap(), instant);
    }

    #[test]
    fn a_day_exists_when_another_calendar_has_it(
        year in 1_i16..9999, month in 1_i8..=12, day in 0_i8..=32,
    ) {
        let exists = jiff::civil::Date::new(year, month, day).is_ok();
        let text = format!("{year:04}-{month:02}-{day:02}T12:00:00Z");
        prop_assert_eq!(timestamp(&text).is_ok(), exists);
    }

    #[test]
    fn parts_of_a_millisecond_are_cut_towards_the_past(fraction in "[0-9]{1,12}", second in -9_i64..9) {
        let Some(text) = rfc3339(second * 1000) else { unreachable!("near 1970") };
        let text = text.replace('Z', &format!(".{fraction}Z"));
        let millis: i64 = format!("{fraction:0<3}")[..3].parse().unwrap();
        prop_assert_eq!(timestamp(&text), Ok(second * 1000 + millis));
    }

    #[test]
    fn hash_keys_are_what_the_standard_library_reads(text in "[0-9+-]{0,42}") {
        let canonical = |number: &u128| number.to_string() == text;
        prop_assert_eq!(hash_key(&text).ok(), text.parse::<u128>().ok().filter(canonical));
    }

    /// Every text of every fault of any string can be asked for, and a suggestion always passes.
    #[test]
    fn no_text_breaks_a_rule(text in prop_oneof![
        any::<String>(),
        nearly("[0-9]{0,21}(ms|s| hours)?"),
        nearly("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{0,4})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?"),
        nearly("arn:aws:(kinesis|sqs):(eu-west-1)?:[0-9]{0,13}:(stream/)?[a-z]{0,3}(/consumer/b:1)?"),
        nearly("(arn:aws:dynamodb:eu-west-1:[0-9]{12}:table/)?[a-z.]{0,5}"),
        nearly("(http|https|ftp)?(://)?[a-z]{0,3}(\\[::1\\])?(:[0-9]{0,6})?(/p)?"),
    ]) {
        macro_rules! ask { ($($rule:ident),*) => { $(
            if let Err(fault) = $rule(&text) {
                prop_assert!(!fault.rule().is_empty());
                prop_assert!(!fault.with(&text).to_string().is_empty());
                if let Some(suggestion) = fault.suggestion(&text) {
                    prop_assert!($rule(&suggestion).is_ok(), "{}", suggestion);
                }
            }
        )* } }
        ask!(app_name, stream_name, consumer_name, duration, timestamp, stream_arn, region, endpoint, lease_table);
        if let Err(fault) = env_name(&text) {
            prop_assert!(!fault.with(&text).to_string().is_empty());
        }
    }
}
