//! All mistakes of one build at once, in the order of the source.

use super::messages;

messages! {
    every_mistake_of_a_module_is_reported_in_the_order_of_the_source: r#"
        #[kinesis_app(name = "billing service", regoin = "eu-west-1")]
        mod billing {
            #[on_record(Orders)]
            fn again(order: Order) {}
            #[stream(poll_interval = 500, batch_size = 0, name = "orders/eu")]
            pub struct Orders;
            #[on_record(Orders, workers = 3, concurrency = 0)]
            async fn book() -> Outcome { Outcome::Done }
            #[on_start]
            fn connect(self) {}
        }
    "# => [
        ("app name `billing service` has a space at byte 7; names use letters, digits, `_`, `.` and `-`\nhelp: `name = \"billing-service\"`", "\"billing service\""),
        ("unknown key `regoin` in `#[kinesis_app]`\nhelp: a key with a similar name exists: `region`\nnote: known keys: `name`, `region`, `endpoint`, `credentials`, `owner_id`, `leases`, `shutdown_timeout`, `prefetch`, `crate`", "regoin"),
        ("handler `again` must be `async`\nhelp: `async fn again(..)`", "fn"),
        ("handler `again` does not say what became of the record\nhelp: `-> Outcome`, or `-> Result<(), E>` to retry on `Err`", ")"),
        ("`poll_interval` takes a duration in quotes\nhelp: `poll_interval = \"500ms\"`\nnote: units: `ms`, `s`, `m`, `h`", "500"),
        ("batch size is 0; a read asks for 1 to 10000 records\nhelp: leave `batch_size` out to read as many as the service returns", "0"),
        ("stream name `orders/eu` has `/` at byte 6; names use letters, digits, `_`, `.` and `-`\nhelp: `name = \"orders-eu\"`", "\"orders/eu\""),
        ("stream `Orders` already has a handler, `again`\nhelp: match on the record in one handler, or declare the stream in a second app with its own leases", "Orders"),
        ("unknown key `workers` in `#[on_record]`\nhelp: the number of records handled at once is `concurrency`\nnote: known keys: `concurrency`, `ordered`, `retry`, `exhausted`, `undecodable`, `timeout`, `publish`, `label`", "workers"),
        ("concurrency is 0; 1 handles one record of a shard at a time", "0"),
        ("handler `book` takes no record\nhelp: the first parameter is the decoded record, e.g. `order: Order`; `RawRecord` takes any", "()"),
        ("`#[on_start]` hook `connect` must be `async`\nhelp: `async fn connect(..)`", "fn"),
        ("a hook takes no `self`\nhelp: `setup: Setup` has the arguments and the environment", "self"),
        ("`#[on_start]` hook `connect` returns no state\nhelp: `-> Result<State, Error>`", ")"),
    ];
}
