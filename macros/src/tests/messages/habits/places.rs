//! Keys in another attribute than theirs, or without the key around them.

use super::{app, messages, record, stream, with_known};
use crate::keys::{APP, ON_RECORD, RETRY, STREAM};

messages! {
    a_key_of_the_stream_in_a_handler: record("Orders, batch_size = 100") => [(
        &with_known("unknown key `batch_size` in `#[on_record]`\nhelp: `batch_size = 100` belongs in `#[stream(..)]`", &ON_RECORD), "batch_size"
    )];
    a_key_of_the_stream_in_the_app: app(r#"name = "b", start(latest)"#) => [(
        &with_known("unknown key `start` in `#[kinesis_app]`\nhelp: `start(latest)` belongs in `#[stream(..)]`", &APP), "start"
    )];
    a_key_of_the_app_in_a_stream: stream(r#"name = "orders", region = "eu-west-1""#) => [(
        &with_known("unknown key `region` in `#[stream]`\nhelp: `region = \"eu-west-1\"` belongs in `#[kinesis_app(..)]`", &STREAM), "region"
    )];
    a_key_of_the_handler_in_a_stream: stream(r#"name = "orders", concurrency = 8"#) => [(
        &with_known("unknown key `concurrency` in `#[stream]`\nhelp: `concurrency = 8` belongs in `#[on_record(..)]`", &STREAM), "concurrency"
    )];
    a_setting_of_a_handler_in_a_stream: stream(r#"name = "orders", max_attempts = 5"#) => [(
        &with_known("unknown key `max_attempts` in `#[stream]`\nhelp: `retry(attempts = 5)` belongs in `#[on_record(..)]`", &STREAM), "max_attempts"
    )];
    a_setting_without_its_key: record("Orders, max_attempts = 5") => [(
        &with_known("unknown key `max_attempts` in `#[on_record]`\nhelp: `retry(attempts = 5)`", &ON_RECORD), "max_attempts"
    )];
    a_duration_without_its_key: record(r#"Orders, backoff = "1s""#) => [(
        &with_known("unknown key `backoff` in `#[on_record]`\nhelp: `retry(backoff = \"1s\")`", &ON_RECORD), "backoff"
    )];
    one_of_two_settings: record("Orders, shard = 8") => [(
        &with_known("unknown key `shard` in `#[on_record]`\nhelp: `concurrency(shard = 8)`", &ON_RECORD), "shard"
    )];
    one_of_two_orders: record("Orders, shard") => [(
        &with_known("unknown key `shard` in `#[on_record]`\nhelp: `ordered(shard)`", &ON_RECORD), "shard"
    )];
    a_key_inside_of_another: record("Orders, retry(attempts = 5, exhausted(skip))") => [(
        &with_known("unknown setting `exhausted`\nhelp: `exhausted` stands beside `retry(..)`, not in it", &RETRY), "exhausted"
    )];
    a_setting_beside_a_store: app(r#"name = "b", duration = "10s""#) => [(
        &with_known("unknown key `duration` in `#[kinesis_app]`\nhelp: `leases(.., duration = \"10s\")`", &APP), "duration"
    )];
    a_whole_record_of_batches: record("Orders, max_batch_size = 10") => [(
        &with_known("unknown key `max_batch_size` in `#[on_record]`\nhelp: a handler of whole batches is marked `#[on_batch(..)]`", &ON_RECORD), "max_batch_size"
    )];
}
