//! Fixed texts cannot be made from the constants, so they are compared with them.

use std::time::Duration;

use kinesis_app_rules::arn::stream_arn;
use kinesis_app_rules::count::Count;
use kinesis_app_rules::duration::Short;
use kinesis_app_rules::interval::POLL_INTERVAL_SPENDS_BUDGET;
use kinesis_app_rules::length::Length;
use kinesis_app_rules::name::{app_name, consumer_name, handler_label, owner_id, stream_name};
use kinesis_app_rules::partition_key::partition_key;
use kinesis_app_rules::prefetch::prefetch;
use kinesis_app_rules::size::put_records;
use kinesis_app_rules::table::lease_table;
use kinesis_app_rules::{defaults, limits};

/// What stands between punctuation and begins with a digit.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

fn names(text: &str, number: &impl ToString) {
    let number = number.to_string();
    let named = numbers(text).any(|word| word == number);
    assert!(named, "`{text}` does not name {number}");
}

#[test]
fn fixed_texts_name_the_numbers_of_the_limits() {
    let long = "n".repeat(5000);
    for rule in [
        app_name,
        owner_id,
        stream_name,
        consumer_name,
        handler_label,
    ] {
        for refused in ["", &long] {
            names(rule(refused).unwrap_err().rule(), &limits::NAME_CHARS);
        }
    }
    for refused in ["", &long] {
        let text = partition_key(refused).unwrap_err().rule();
        names(text, &limits::PARTITION_KEY_CHARS);
        let text = lease_table(refused).unwrap_err().rule();
        names(text, &limits::TABLE_NAME_CHARS_LEAST);
        names(text, &limits::TABLE_NAME_CHARS);
    }
    names(stream_arn(&long).unwrap_err().rule(), &limits::ARN_CHARS);
    let account = stream_arn("arn:aws:kinesis:eu-west-1:1:stream/orders");
    names(account.unwrap_err().rule(), &limits::ACCOUNT_DIGITS);
    let mebibytes = defaults::PREFETCH_SHARE_LEAST / limits::MIB;
    names(prefetch(0).unwrap_err().rule(), &mebibytes);
    names(
        POLL_INTERVAL_SPENDS_BUDGET,
        &Short(limits::GET_RECORDS_INTERVAL),
    );
    for refused in [0, 501] {
        let text = put_records(refused, 0).unwrap_err().rule();
        names(text, &limits::PUT_RECORDS_RECORDS);
    }
    let text = put_records(1, usize::MAX).unwrap_err().rule();
    names(text, &limits::PUT_RECORDS_BYTES);
}

#[test]
fn reasons_of_counts_name_no_other_number_than_the_most() {
    for of in Count::ALL {
        let most = of.most().to_string();
        for refused in [0, u64::MAX] {
            let rule = of.check(refused).unwrap_err().rule();
            for number in numbers(rule) {
                assert!(["0", "1", &most].contains(&number), "{rule}");
            }
        }
    }
}

/// Both texts of a length name its bound, and what that is founded on.
#[test]
fn reasons_of_lengths_name_the_numbers_of_the_limits() {
    let (none, ever) = (Duration::ZERO, Duration::MAX);
    let (an_instant, a_day) = (defaults::RETRY_LEAST, defaults::ATTEMPT_MOST);
    for (of, refused, bound) in [
        (Length::PollInterval, none, limits::GET_RECORDS_INTERVAL),
        (Length::PollInterval, ever, defaults::POLL_INTERVAL_MOST),
        (Length::PollInterval, ever, limits::ITERATOR_LIFETIME),
        (
            Length::ShutdownTimeout,
            ever,
            defaults::SHUTDOWN_TIMEOUT_MOST,
        ),
        (Length::LeaseDuration, none, defaults::LEASE_DURATION_LEAST),
        (Length::LeaseDuration, ever, defaults::LEASE_DURATION_MOST),
        (Length::MaxWait, ever, defaults::MAX_WAIT_MOST),
        (Length::Backoff, none, an_instant),
        (Length::Backoff, ever, a_day),
        (Length::MaxBackoff, none, an_instant),
        (Length::MaxBackoff, ever, a_day),
        (Length::Timeout, ever, a_day),
    ] {
        let fault = of.check(refused).unwrap_err();
        let shown = fault.to_string();
        let (_, reason) = shown.split_once("; ").expect("a reason");
        names(reason, &Short(bound));
        names(fault.rule(), &Short(bound));
    }
    let often = Length::PollInterval.check(none).unwrap_err();
    names(often.rule(), &limits::GET_RECORDS_PER_SECOND);
}
