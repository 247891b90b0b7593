//! Every key that takes a text takes it from a variable as well: read at start, judged by the key's rule, all of them at once.

use kinesis_app::{Description, Setup, prelude::*};

#[kinesis_app(
    name(env = "NAME", default = "billing"),
    region(env = "REGION", optional),
    endpoint(env = "ENDPOINT", optional),
    owner_id(env = "OWNER", optional),
    leases(memory, duration(env = "LEASE", default = "10s")),
    shutdown_timeout(env = "STOP", default = "30s"),
    prefetch(env = "PREFETCH", optional)
)]
mod shop {
    use super::*;

    #[stream(
        name(env = "ORDERS", default = "orders"),
        start(timestamp(env = "SINCE", default = "2026-01-01T00:00:00Z")),
        poll_interval(env = "POLL", default = "1s"),
        partition_key(env = "KEY", optional),
        codec(Raw)
    )]
    struct Orders;

    #[stream(arn(env = "VIEWS"), codec(Raw))]
    struct Views;

    #[on_record(
        Orders,
        label(env = "LABEL", default = "book-orders"),
        timeout(env = "TIMEOUT", optional),
        retry(backoff(env = "FIRST"), max_backoff(env = "LONGEST", optional))
    )]
    async fn book(_bytes: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_batch(Views, max_wait(env = "WAIT", default = "2s"))]
    async fn count(views: Batch<Bytes>) -> BatchOutcome {
        views.done()
    }
}

const VIEWS: &str = "arn:aws:kinesis:eu-west-1:123456789012:stream/views";

fn described(variables: &[(&str, &str)]) -> Result<Description, kinesis_app::Error> {
    let setup = variables
        .iter()
        .fold(Setup::empty(), |setup, (variable, value)| {
            setup.with_env(variable, value)
        });
    kinesis_app::launch(shop::App).setup(setup).describe()
}

#[test]
fn a_variable_that_is_not_set_leaves_the_default() {
    let shop = described(&[("VIEWS", VIEWS), ("FIRST", "1s")]).expect("what is required is set");
    let text = shop.to_string();
    assert_eq!(shop.streams[0].start, "2026-01-01T00:00:00Z", "{text}");
    let book = shop.streams[0].handler.as_ref().expect("a handler");
    assert_eq!((book.label, &book.timeout), ("book-orders", &None));
    assert!(
        book.retry.contains("1s") && book.retry.contains("30s"),
        "{text}"
    );
    let count = shop.streams[1].handler.as_ref().expect("a handler");
    assert_eq!(count.max_wait.as_deref(), Some("2s"));
}

#[test]
fn a_variable_has_the_word_before_the_default() {
    let shop = described(&[
        ("NAME", "shop"),
        ("VIEWS", VIEWS),
        ("SINCE", "2026-02-01T00:00:00Z"),
        ("LABEL", "book"),
        ("TIMEOUT", "5s"),
        ("FIRST", "100ms"),
        ("LONGEST", "2s"),
        ("WAIT", "0s"),
    ])
    .expect("everything is in range");
    let text = shop.to_string();
    assert_eq!(shop.app, "shop");
    assert_eq!(shop.streams[0].start, "2026-02-01T00:00:00Z", "{text}");
    let book = shop.streams[0].handler.as_ref().expect("a handler");
    assert_eq!(book.label, "book");
    assert_eq!(book.timeout.as_deref(), Some("5s"));
    assert!(
        book.retry.contains("100ms") && book.retry.contains("2s"),
        "{text}"
    );
    let count = shop.streams[1].handler.as_ref().expect("a handler");
    assert_eq!(count.max_wait.as_deref(), Some("0ns"));
}

#[test]
fn all_variables_that_are_out_of_range_are_named_at_once_with_their_values() {
    let error = described(&[
        ("NAME", "a b"),
        ("REGION", "eu_west_1"),
        ("ENDPOINT", "localhost"),
        ("OWNER", ""),
        ("LEASE", "1s"),
        ("STOP", "2h"),
        ("PREFETCH", "1KiB"),
        ("ORDERS", "a/b"),
        ("SINCE", "yesterday"),
        ("POLL", "100ms"),
        ("KEY", ""),
        ("LABEL", "a b"),
        ("TIMEOUT", "5"),
        ("LONGEST", "48h"),
        ("WAIT", "2h"),
    ])
    .expect_err("nothing is in range");
    let text = error.to_string();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    assert_eq!(lines[0], "the application: 17 settings are out of range");
    for (line, expected) in lines[1..].iter().zip([
        "name from `NAME`: app name `a b` has a space at byte 1",
        "region from `REGION`: region `eu_west_1` does not look like an AWS region",
        "endpoint from `ENDPOINT`: endpoint `localhost` has no scheme",
        "owner id from `OWNER`: owner id is empty",
        "prefetch from `PREFETCH`: prefetch is 1024 bytes",
        "lease duration from `LEASE`: lease duration is 1s",
        "shutdown timeout from `STOP`: shutdown timeout is 2h",
        "stream `Orders`: name from `ORDERS`: stream name `a/b` has `/` at byte 1",
        "stream `Orders`: partition key from `KEY`: partition key is empty",
        "stream `Orders`: start from `SINCE`: timestamp `yesterday`",
        "stream `Orders`: poll interval from `POLL`: poll interval is 100ms",
        "stream `Orders`: label from `LABEL`: handler label `a b` has a space at byte 1",
        "stream `Orders`: backoff from `FIRST`: the variable is not set",
        "stream `Orders`: max backoff from `LONGEST`: max backoff is 48h",
        "stream `Orders`: timeout from `TIMEOUT`: duration `5` has no unit",
        "stream `Views`: arn from `VIEWS`: the variable is not set",
        "stream `Views`: max wait from `WAIT`: max wait is 2h",
    ]) {
        assert!(line.starts_with(expected), "{line}\n{expected}");
    }
    assert_eq!(lines.len(), 18);
}

#[test]
fn pauses_that_shrink_are_refused_when_a_variable_makes_them() {
    let error = described(&[("VIEWS", VIEWS), ("FIRST", "1m")]).expect_err("shrinks");
    assert_eq!(
        error.to_string(),
        "billing: 1 setting is out of range\n  stream `Orders`: retry: the longest backoff, 30s, is shorter than the first, 1m"
    );
}
