//! What people write who come from brokers and their libraries.

use super::{app, hook, messages, module, record, stream, with_known};
use crate::keys::{APP, ON_RECORD, RETRY, STREAM};

messages! {
    a_message: module(r#"#[stream(name = "orders")] struct Orders; #[on_message(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[on_message]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[on_record(Orders)]`\nnote: a macro of another crate is named by its path here", "on_message"
    )];
    a_subscriber: module(r#"#[stream(name = "orders")] struct Orders; #[subscriber(KinesisStream::new("orders"))] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[subscriber]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[on_record(Orders)]`\nnote: a macro of another crate is named by its path here", "subscriber"
    )];
    a_listener_of_spring: module(r#"#[stream(name = "orders")] struct Orders; #[KafkaListener(topics = "orders")] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[KafkaListener]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[on_record(Orders)]`\nnote: a macro of another crate is named by its path here", "KafkaListener"
    )];
    a_handler_word: module(r#"#[stream(name = "orders")] struct Orders; #[handler] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[handler]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[on_record(Orders)]`\nnote: a macro of another crate is named by its path here", "handler"
    )];
    a_handler_of_somebody_else: hook("use salvo::handler; #[handler] async fn hello() {}") => [];
    a_handler_of_somebody_else_by_its_path: hook("#[salvo::handler] async fn hello() {}") => [];
    batches_by_another_word: module(r#"#[stream(name = "orders")] struct Orders; #[batch_handler(self::Orders)] async fn book(orders: Batch<Order>) -> BatchOutcome { d() }"#) => [(
        "`#[batch_handler]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[on_batch(self::Orders)]`\nnote: a macro of another crate is named by its path here", "batch_handler"
    )];
    a_topic: module(r#"#[topic("orders")] struct Orders; #[on_record(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[topic]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[stream(name = \"orders\")]`\nnote: a macro of another crate is named by its path here", "topic"
    )];
    a_start_by_another_word: hook("#[on_init] async fn connect() -> Result<Db, E> { d() }") => [(
        "`#[on_init]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[on_start]`\nnote: a macro of another crate is named by its path here", "on_init"
    )];
    a_stop_by_another_word: hook("#[teardown] async fn close() {}") => [(
        "`#[teardown]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[on_shutdown]`\nnote: a macro of another crate is named by its path here", "teardown"
    )];
    a_topic_for_a_name: stream(r#"topic = "orders""#) => [(
        &with_known("unknown key `topic` in `#[stream]`\nhelp: the stream's name is `name`", &STREAM), "topic"
    )];
    a_stream_as_a_key: record(r#"stream = "orders""#) => [(
        "a stream is named by its type, not by a string\nhelp: `#[on_record(Orders)]`, with `#[stream(name = \"..\")] struct Orders;`", "\"orders\""
    )];
    a_queue_with_a_type: record("queue(Orders), concurrency = 8") => [(
        "the stream comes first, without a key\nhelp: `#[on_record(Orders, ..)]`", "queue"
    )];
    a_name_in_place_of_the_stream: record(r#"name = "orders""#) => [(
        "a stream is named by its type, not by a string\nhelp: `#[on_record(Orders)]`, with `#[stream(name = \"..\")] struct Orders;`", "\"orders\""
    )];
    a_group_of_the_handler: record(r#"Orders, group = "billing""#) => [(
        &with_known("unknown key `group` in `#[on_record]`\nhelp: `name = \"billing\"` belongs in `#[kinesis_app(..)]`", &ON_RECORD), "group"
    )];
    a_group_of_the_app: app(r#"group_id = "billing""#) => [(
        &with_known("unknown key `group_id` in `#[kinesis_app]`\nhelp: the application's name is `name`", &APP), "group_id"
    )];
    acknowledging: record("Orders, ack = manual") => [(
        &with_known("unknown key `ack` in `#[on_record]`\nhelp: what a handler returns says what becomes of its record; the runtime moves the checkpoint", &ON_RECORD), "ack"
    )];
    committing: app(r#"name = "b", enable_auto_commit = true"#) => [(
        &with_known("unknown key `enable_auto_commit` in `#[kinesis_app]`\nhelp: what a handler returns says what becomes of its record; the runtime moves the checkpoint", &APP), "enable_auto_commit"
    )];
    a_dead_letter_key: record("Orders, dead_letter = Rejected") => [(
        &with_known("unknown key `dead_letter` in `#[on_record]`\nhelp: `retry(attempts = 5), exhausted(dead_letter(Rejected))`", &ON_RECORD), "dead_letter"
    )];
    a_dead_letter_queue: record(r#"Orders, dlq = "rejected""#) => [(
        &with_known("unknown key `dlq` in `#[on_record]`\nhelp: `retry(attempts = 5), exhausted(dead_letter(Rejected))`", &ON_RECORD), "dlq"
    )];
    filtered_records: record(r#"Orders, filter = "kind = 'order'""#) => [(
        &with_known("unknown key `filter` in `#[on_record]`\nhelp: return `Outcome::Skip` for a record that is none of the handler's business", &ON_RECORD), "filter"
    )];
    once_and_only_once: record("Orders, exactly_once") => [(
        &with_known("unknown key `exactly_once` in `#[on_record]`\nhelp: records come at least once; `Position` is the same at every delivery, so that a sink can tell a second one", &ON_RECORD), "exactly_once"
    )];
    an_offset_reset: stream(r#"name = "orders", auto.offset.reset = "earliest""#) => [(
        &with_known("unknown key `auto.offset.reset` in `#[stream]`\nhelp: where a stream without a checkpoint starts is `start(trim_horizon)`", &STREAM), "auto.offset.reset"
    )];
    an_offset_reset_in_our_spelling: stream(r#"name = "orders", auto_offset_reset = latest"#) => [(
        &with_known("unknown key `auto_offset_reset` in `#[stream]`\nhelp: where a stream without a checkpoint starts is `start(latest)`", &STREAM), "auto_offset_reset"
    )];
    the_most_of_a_poll: stream(r#"name = "orders", max.poll.records = 500"#) => [(
        &with_known("unknown key `max.poll.records` in `#[stream]`\nhelp: the most records one read asks for is `batch_size`", &STREAM), "max.poll.records"
    )];
    a_subject: stream(r#"subject = "orders""#) => [(
        &with_known("unknown key `subject` in `#[stream]`\nhelp: the stream's name is `name`", &STREAM), "subject"
    )];
    a_number_of_partitions: stream(r#"name = "orders", partitions = 4"#) => [(
        &with_known("unknown key `partitions` in `#[stream]`\nhelp: `create_if_missing(shards = 4)`", &STREAM), "partitions"
    )];
    settings_of_a_durable_consumer: record(r#"Orders, durable = "billing", ack_wait = "30s", max_deliver = 5, max_ack_pending = 8"#) => [
        (&with_known("unknown key `durable` in `#[on_record]`\nhelp: `name = \"billing\"` belongs in `#[kinesis_app(..)]`", &ON_RECORD), "durable"),
        (&with_known("unknown key `ack_wait` in `#[on_record]`\nhelp: the longest that an attempt may take is `timeout`", &ON_RECORD), "ack_wait"),
        (&with_known("unknown key `max_deliver` in `#[on_record]`\nhelp: `retry(attempts = 5)`", &ON_RECORD), "max_deliver"),
        (&with_known("unknown key `max_ack_pending` in `#[on_record]`\nhelp: the number of records handled at once is `concurrency`", &ON_RECORD), "max_ack_pending"),
    ];
    addresses_of_brokers: app(r#"name = "b", bootstrap.servers = "h:9092""#) => [(
        &with_known("unknown key `bootstrap.servers` in `#[kinesis_app]`\nhelp: the service is found by its `region`; another address than AWS is its `endpoint`", &APP), "bootstrap.servers"
    )];
    no_retry: record("Orders, retry(never)") => [(
        &with_known("unknown setting `never`\nhelp: the first attempt is the only one with `attempts = 1`", &RETRY), "never"
    )];
    a_session_timeout: app(r#"name = "b", session.timeout.ms = "10s""#) => [(
        &with_known("unknown key `session.timeout.ms` in `#[kinesis_app]`\nhelp: `leases(.., duration = \"10s\")`", &APP), "session.timeout.ms"
    )];
}
