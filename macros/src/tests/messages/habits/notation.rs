//! Another notation than ours: JSON, properties files, shells, other brackets.

use super::{app, messages, record, stream, with_known};
use crate::keys::{APP, RETRY, TEXT};

messages! {
    a_key_in_quotes: app(r#""name" = "billing""#) => [(
        "a key stands without quotes\nhelp: `name = \"billing\"`", "\"name\""
    )];
    a_key_in_quotes_before_a_colon: record(r#"Orders, "ordered": shard"#) => [(
        "a key stands without quotes\nhelp: `ordered(shard)`", "\"ordered\""
    )];
    a_setting_in_quotes: app(r#"name("env" = "NAME")"#) => [(
        "a setting stands without quotes\nhelp: `env = \"NAME\"`", "\"env\""
    )];
    an_unknown_key_in_quotes: app(r#"name = "b", "zebra": 1"#) => [(
        &with_known("a key stands without quotes", &APP), "\"zebra\""
    )];
    a_key_in_capitals: app(r#"NAME = "billing""#) => [(
        &with_known("unknown key `NAME` in `#[kinesis_app]`\nhelp: a key with a similar name exists: `name`", &APP), "NAME"
    )];
    keys_in_braces: app(r#"{ name: "billing", region: "eu-west-1" }"#) => [(
        &with_known("`#[kinesis_app]` takes no brackets around what it takes", &APP), "{ name: \"billing\", region: \"eu-west-1\" }"
    )];
    settings_in_parentheses_of_their_own: record("Orders, retry((attempts = 5))") => [(
        &with_known("`retry(..)` takes no brackets around what it takes", &RETRY), "(attempts = 5)"
    )];
    settings_in_braces: record("Orders, retry { attempts: 5 }, timeout = \"1s\"") => [(
        "`retry` takes its value in parentheses\nhelp: `retry(attempts = 5, backoff = \"200ms\", max_backoff = \"30s\")`", "{ attempts: 5 }"
    )];
    a_choice_in_brackets: app(r#"name = "b", leases[memory]"#) => [(
        "`leases` takes its value in parentheses\nhelp: `leases(memory)`", "[memory]"
    )];
    a_value_in_brackets: stream(r#"name["orders"]"#) => [(
        "`name` takes its value after `=`\nhelp: `name = \"orders\"`", "[\"orders\"]"
    )];
    a_placeholder: stream(r#"name = "${ORDERS_STREAM}""#) => [(
        "`name` takes a variable in parentheses\nhelp: `name(env = \"ORDERS_STREAM\")`", "\"${ORDERS_STREAM}\""
    )];
    a_placeholder_with_a_default: stream(r#"name = "${ORDERS_STREAM:-orders}""#) => [(
        "`name` takes a variable in parentheses\nhelp: `name(env = \"ORDERS_STREAM\", default = \"orders\")`", "\"${ORDERS_STREAM:-orders}\""
    )];
    a_placeholder_of_a_property: app(r#"name = "${spring.application.name}""#) => [(
        "`name` takes a variable in parentheses\nhelp: `name(env = \"SPRING_APPLICATION_NAME\")`", "\"${spring.application.name}\""
    )];
    a_placeholder_without_braces: app(r#"name = "b", endpoint = "$ENDPOINT""#) => [(
        "`endpoint` takes a variable in parentheses\nhelp: `endpoint(env = \"ENDPOINT\")`", "\"$ENDPOINT\""
    )];
    a_text_that_may_hold_a_dollar_sign: stream(r#"name = "orders", partition_key = "$all""#) => [];
    a_variable_by_a_function: app(r#"name = "b", region = env("AWS_REGION")"#) => [(
        "`region` is read by the runtime, not while the crate is compiled\nhelp: `region(env = \"AWS_REGION\")`", "env(\"AWS_REGION\")"
    )];
    texts_that_are_added: app(r#"name = "bill" + "ing""#) => [(
        "`name` takes a string\nhelp: `name = \"billing\"`", "\"bill\" + \"ing\""
    )];
    a_text_that_is_added_to_a_constant: app(r#"name = "b-" + STAGE"#) => [(
        "`name` takes a string\nhelp: `name = \"..\"`", "\"b-\" + STAGE"
    )];
    a_number_of_a_variable: stream(r#"name = "orders", batch_size(env = "BATCH", default = 500)"#) => [(
        "`batch_size` is known while the crate is compiled\nhelp: what is known only at run time is set in `#[configure]`", "(env = \"BATCH\", default = 500)"
    )];
    a_number_that_is_read_at_once: record(r#"Orders, concurrency = std::env::var("WORKERS").unwrap().parse().unwrap()"#) => [(
        "`concurrency` is known while the crate is compiled\nhelp: what is known only at run time is set in `#[configure]`", "std::env::var(\"WORKERS\").unwrap().parse().unwrap()"
    )];
    a_number_with_commas: stream(r#"name = "orders", batch_size = 1,000,000, poll_interval = "1s""#) => [(
        "the digits of a number are grouped by `_`\nhelp: `batch_size = 1_000_000`", "1,000,000"
    )];
    a_function_of_the_users_own: app(r#"name = "b", region = settings::env("REGION")"#) => [];
    a_constant_that_is_behind_a_reference: app(r#"name = "b", region = *REGION"#) => [];
    a_number_with_a_comma: stream(r#"name = "orders", batch_size = 1,000"#) => [(
        "the digits of a number are grouped by `_`\nhelp: `batch_size = 1_000`", "1,000"
    )];
    a_number_in_quotes_that_is_out_of_range: stream(r#"name = "orders", batch_size = "20000""#) => [(
        "`batch_size` takes a whole number, not a string\nhelp: `batch_size = 500`", "\"20000\""
    )];
    a_count_of_attempts_in_quotes: record(r#"Orders, retry = "3""#) => [(
        "`retry` takes its settings in parentheses\nhelp: `retry(attempts = 3)`", "\"3\""
    )];
    a_name_for_an_arn: stream(r#"arn = "orders""#) => [(
        "`arn` holds a name\nhelp: `name = \"orders\"`", "arn"
    )];
    milliseconds_in_the_key: stream(r#"name = "orders", poll_interval_ms = 500"#) => [(
        &with_known("unknown key `poll_interval_ms` in `#[stream]`\nhelp: `poll_interval = \"500ms\"`", &crate::keys::STREAM), "poll_interval_ms"
    )];
    seconds_in_the_key: record("Orders, timeout_secs = 30") => [(
        &with_known("unknown key `timeout_secs` in `#[on_record]`\nhelp: `timeout = \"30s\"`", &crate::keys::ON_RECORD), "timeout_secs"
    )];
    milliseconds_in_a_setting: record("Orders, retry(attempts = 5, backoff_ms = 200)") => [(
        &with_known("unknown setting `backoff_ms`\nhelp: `backoff = \"200ms\"`", &RETRY), "backoff_ms"
    )];
    a_variable_in_brackets_of_its_own: app(r#"name((env = "NAME"))"#) => [(
        &with_known("`name(..)` takes no brackets around what it takes", &TEXT), "(env = \"NAME\")"
    )];
}
