//! Values in another form than theirs.

use super::{app, messages, record, stream, with_known};
use crate::keys::{CREDENTIALS, STREAM};

messages! {
    a_key_with_dashes: stream(r#"name = "orders", poll-interval = "1s""#) => [(
        &with_known("unknown key `poll-interval` in `#[stream]`\nhelp: a key with a similar name exists: `poll_interval`", &STREAM), "poll-interval"
    )];
    a_key_in_camel_case: stream(r#"name = "orders", pollInterval = "1s""#) => [(
        &with_known("unknown key `pollInterval` in `#[stream]`\nhelp: a key with a similar name exists: `poll_interval`", &STREAM), "pollInterval"
    )];
    a_key_after_two_equals_signs: record("Orders, concurrency == 8") => [(
        "`concurrency` takes its value after `=`\nhelp: `concurrency = 8`", "=="
    )];
    a_key_after_an_arrow: record(r#"Orders, timeout => "30s""#) => [(
        "`timeout` takes its value after `=`\nhelp: `timeout = \"30s\"`", "=>"
    )];
    a_key_after_a_colon_and_an_equals_sign: record("Orders, concurrency := 8") => [(
        "`concurrency` takes its value after `=`\nhelp: `concurrency = 8`", ":="
    )];
    a_name_without_quotes: stream("orders") => [(
        "`#[stream]` takes `key = value`, not a value alone\nhelp: `name = \"orders\"`", "orders"
    )];
    a_value_in_parentheses: record(r#"Orders, timeout("30s")"#) => [(
        "`timeout` takes its value after `=`\nhelp: `timeout = \"30s\"`", "(\"30s\")"
    )];
    a_number_in_parentheses: record("Orders, concurrency(8)") => [(
        "`concurrency(..)` does not take a value alone\nhelp: `concurrency = 8`", "8"
    )];
    a_number_in_quotes: record(r#"Orders, concurrency = "8""#) => [(
        "`concurrency` takes a whole number, not a string\nhelp: `concurrency = 8`", "\"8\""
    )];
    a_count_of_attempts: record("Orders, retry = 5") => [(
        "`retry` takes its settings in parentheses\nhelp: `retry(attempts = 5)`", "5"
    )];
    a_number_with_a_suffix: record("Orders, concurrency = 8u8") => [];
    a_number_with_another_suffix: record("Orders, concurrency = 8i8") => [(
        "`concurrency` takes a whole number, not one with the suffix `i8`\nhelp: `concurrency = 8`", "8i8"
    )];
    a_number_in_hexadecimal: stream(r#"name = "orders", batch_size = 0x10"#) => [];
    a_number_below_nothing: record("Orders, timeout = -5") => [(
        "`timeout` takes a duration in quotes\nhelp: `timeout = \"30s\"`\nnote: units: `ms`, `s`, `m`, `h`", "-5"
    )];
    a_region_without_quotes: app(r#"name = "b", region = eu-west-1"#) => [(
        "`region` takes a string\nhelp: `region = \"eu-west-1\"`", "eu-west-1"
    )];
    a_zone: app(r#"name = "b", region = "eu-west-1a""#) => [(
        "region `eu-west-1a` does not look like an AWS region\nhelp: `region = \"eu-west-1\"`", "\"eu-west-1a\""
    )];
    a_region_in_parentheses: app(r#"name = "b", region("eu-west-1")"#) => [(
        "`region` takes its value after `=`\nhelp: `region = \"eu-west-1\"`", "(\"eu-west-1\")"
    )];
    a_variable_that_is_read_at_once: app(r#"name = "b", region = std::env::var("AWS_REGION").unwrap()"#) => [(
        "`region` is read by the runtime, not while the crate is compiled\nhelp: `region(env = \"AWS_REGION\")`", "std::env::var(\"AWS_REGION\").unwrap()"
    )];
    a_variable_with_a_space: app(r#"name = "b", region(env = "AWS REGION")"#) => [(
        "environment variable `AWS REGION` has a space at byte 3\nhelp: `env = \"AWS_REGION\"`", "\"AWS REGION\""
    )];
    a_variable_without_quotes: app(r#"name = "b", region(env = AWS_REGION)"#) => [(
        "`env` takes a string literal\nhelp: `env = \"AWS_REGION\"`", "AWS_REGION"
    )];
    a_default_that_is_wrong_and_optional: app(r#"name = "b", region(env = "R", default = "x", optional)"#) => [
        ("region `x` does not look like an AWS region", "\"x\""),
        ("`default` and `optional` both say what holds without the variable\nhelp: remove one of the two", "optional"),
    ];
    a_duration_of_the_standard_library: record("Orders, timeout = std::time::Duration::from_secs(30)") => [(
        "`timeout` takes a duration in quotes\nhelp: `timeout = \"30s\"`\nnote: units: `ms`, `s`, `m`, `h`", "std::time::Duration::from_secs(30)"
    )];
    a_duration_in_words: record(r#"Orders, timeout = "5 seconds""#) => [(
        "duration `5 seconds` has a space at byte 1; it is a whole number and `ms`, `s`, `m` or `h`\nhelp: `timeout = \"5s\"`", "\"5 seconds\""
    )];
    a_duration_without_a_unit: record(r#"Orders, timeout = "500""#) => [(
        "duration `500` has no unit; it is a whole number and `ms`, `s`, `m` or `h`\nhelp: `timeout = \"500s\"`", "\"500\""
    )];
    a_duration_of_two_parts: record(r#"Orders, timeout = "1m30s""#) => [(
        "duration `1m30s` has `m` at byte 1; it is a whole number and `ms`, `s`, `m` or `h`\nhelp: `timeout = \"90s\"`", "\"1m30s\""
    )];
    a_duration_of_half_a_second: record(r#"Orders, timeout = "0.5s""#) => [(
        "duration `0.5s` has `.` at byte 1; it is a whole number and `ms`, `s`, `m` or `h`\nhelp: `timeout = \"500ms\"`", "\"0.5s\""
    )];
    a_duration_in_days: app(r#"name = "b", shutdown_timeout = "1d""#) => [(
        "duration `1d` has `d` at byte 1; it is a whole number and `ms`, `s`, `m` or `h`\nhelp: `shutdown_timeout = \"24h\"`", "\"1d\""
    )];
    a_duration_that_is_half_a_number: app(r#"name = "b", shutdown_timeout = 2.5"#) => [(
        "`shutdown_timeout` takes a duration in quotes\nhelp: `shutdown_timeout = \"2500ms\"`\nnote: units: `ms`, `s`, `m`, `h`", "2.5"
    )];
    a_label_that_is_a_constant: record("Orders, label = BOOK") => [];
    no_kind_of_credentials: app(r#"name = "b", credentials = "test""#) => [(
        "`credentials` takes its kind in parentheses\nhelp: `credentials(test)`", "\"test\""
    )];
    credentials_of_a_profile: app(r#"name = "b", credentials(profile = "dev")"#) => [(
        &with_known("unknown kind of credentials `profile`\nhelp: without the key, the SDK's chain; any other comes from an `#[aws] async fn config() -> SdkConfig`", &CREDENTIALS), "profile"
    )];
    a_stream_that_is_borrowed: record("&Orders") => [(
        "the stream comes first, as the name of its type alone\nhelp: `#[on_record(Orders)]`", "&"
    )];
    a_stream_in_brackets: record("[Orders, Views]") => [(
        "the stream comes first, as the name of its type alone\nhelp: `#[on_record(Orders)]`", "[Orders, Views]"
    )];
    a_stream_with_parameters: record("crate::streams::Orders<Order>") => [(
        "a stream takes no type parameters\nhelp: `#[on_record(crate::streams::Orders)]`", "<Order>"
    )];
    a_semicolon: record("Orders; concurrency = 8") => [(
        "expected `,`", ";"
    )];
}
