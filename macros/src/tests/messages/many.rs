//! All mistakes of one build at once, in the order of the source.

use super::messages;

messages! {
    an_item_that_rustc_refuses_is_left_to_it: "#[kinesis_app(name = \"b\")] mod billing { fn bad(id) {} #[stream(name = \"o o\")] struct O; #[on_record(O)] fn book(o: Order) -> Outcome { d() } }" => [
        ("stream name `o o` has a space at byte 1; names use letters, digits, `_`, `.` and `-`\nhelp: `name = \"o-o\"`", "\"o o\""),
        ("handler `book` must be `async`\nhelp: `async fn book(..)`", "fn"),
    ];
    a_type_that_rustc_refuses_is_no_record: "#[kinesis_app(name = \"b\")] mod billing { struct Bad { id: u64 u64 } #[stream(name = \"o\")] struct O; #[on_record(O)] async fn book(o: Bad) -> Outcome { d() } }" => [
        ("expected `,`", "u64"),
    ];
    a_handler_that_cannot_be_read_is_not_lost: "#[kinesis_app(name = \"b\")] mod billing { #[stream(name = \"o\")] struct O; #[on_record(O)] async fn book(order) -> Outcome { d() } #[on_ready] fn ready() {} }" => [
        ("expected `:`", ")"),
        ("`#[on_ready]` hook `ready` must be `async`\nhelp: `async fn ready(..)`", "fn"),
    ];
    a_result_after_a_colon: "#[kinesis_app(name = \"b\")] mod billing { #[stream(name = \"o\")] struct O; #[on_record(O)] async fn book(order: Order): Outcome { d() } }" => [
        ("expected `{`", ":"),
    ];
    an_inner_attribute_behind_an_item: "#[kinesis_app(name = \"b\")] mod billing { use super::*; #![allow(dead_code)] #[stream(name = \"o\")] struct O; #[on_record(O)] async fn book(o: Order) -> Outcome { d() } }" => [];
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
