use super::{HANDLER, STREAM, handler, messages, module};

fn book(signature: &str) -> String {
    handler(&format!(
        "#[on_record(Orders)] {signature} {{ Outcome::Done }}"
    ))
}

fn with(args: &str) -> String {
    handler(&format!(
        "#[on_record({args})] async fn book(order: Order) -> Outcome {{ Outcome::Done }}"
    ))
}

const KNOWN: &str = "note: known keys: `concurrency`, `ordered`, `retry`, `exhausted`, `undecodable`, `timeout`, `publish`, `label`";

messages! {
    not_async: book("fn book(order: Order) -> Outcome") => [(
        "handler `book` must be `async`\nhelp: `async fn book(..)`", "fn"
    )];
    not_async_with_a_raw_name: book("fn r#move(order: Order) -> Outcome") => [(
        "handler `move` must be `async`\nhelp: `async fn r#move(..)`", "fn"
    )];
    with_self: book("async fn book(&self, order: Order) -> Outcome") => [(
        "a handler takes no `self`\nhelp: what handlers share comes as `State<T>`", "&self"
    )];
    generic: book("async fn book<T: Load>(order: T) -> Outcome") => [(
        "a handler cannot be generic; the macro calls it, and picks no types", "<T: Load>"
    )];
    generic_over_a_number: book("async fn book<const N: usize>(order: [u8; N]) -> Outcome") => [(
        "a handler cannot be generic; the macro calls it, and picks no types", "<const N: usize>"
    )];
    generic_by_a_parameter: book("async fn book(order: impl Load) -> Outcome") => [(
        "a handler cannot be generic; the macro calls it, and picks no types", "impl Load"
    )];
    generic_inside_a_parameter: book("async fn book(order: Vec<impl Load>) -> Outcome") => [(
        "a handler cannot be generic; the macro calls it, and picks no types", "impl"
    )];
    generic_over_a_lifetime: book("async fn book<'a>(order: OrderRef<'a>) -> Outcome") => [];
    is_unsafe: book("async unsafe fn book(order: Order) -> Outcome") => [(
        "a handler cannot be `unsafe`", "unsafe"
    )];
    is_const: book("const fn book(order: Order) -> Outcome") => [("a handler cannot be `const`", "const")];
    is_extern: book("async extern \"C\" fn book(order: Order) -> Outcome") => [(
        "a handler cannot be `extern`", "extern"
    )];
    no_outcome: book("async fn book(order: Order)") => [(
        "handler `book` does not say what became of the record\nhelp: `-> Outcome`, or `-> Result<(), E>` to retry on `Err`",
        ")"
    )];
    an_outcome_that_hides: book("async fn book(order: Order) -> impl IntoOutcome") => [(
        "handler `book` hides its return type behind `impl`\nhelp: `-> Outcome`, or `-> Result<(), E>` to retry on `Err`",
        "impl"
    )];
    an_error_that_hides: book("async fn book(order: Order) -> Result<(), impl Error>") => [(
        "handler `book` hides its return type behind `impl`\nhelp: `-> Outcome`, or `-> Result<(), E>` to retry on `Err`",
        "impl"
    )];
    no_record: book("async fn book() -> Outcome") => [(
        "handler `book` takes no record\nhelp: the first parameter is the decoded record, e.g. `order: Order`; `RawRecord` takes any",
        "()"
    )];
    a_borrowed_record: book("async fn book(order: &Order) -> Outcome") => [(
        "handler parameters are owned\nhelp: `order: Order`", "&"
    )];
    a_borrowed_text: book("async fn book(order: Order, key: &'static str, bytes: &[u8]) -> Outcome") => [
        ("handler parameters are owned\nhelp: `key: String`", "&"),
        ("handler parameters are owned\nhelp: `bytes: Bytes`", "&"),
    ];
    a_borrowed_type_with_arguments: book("async fn book(map: &mut maps::Map<u8, Vec<u8>>) -> Outcome") => [(
        "handler parameters are owned\nhelp: `map: maps::Map<u8, Vec<u8>>`", "&"
    )];
    a_borrowed_list: book("async fn book(order: &[Order]) -> Outcome") => [(
        "handler parameters are owned\nhelp: `order: Vec<Order>`", "&"
    )];
    a_text_without_a_size: book("async fn book(order: Order, key: str) -> Outcome") => [(
        "handler parameters are owned\nhelp: `key: String`", "str"
    )];
    a_list_without_a_size: book("async fn book(orders: [Order]) -> Outcome") => [(
        "handler parameters are owned\nhelp: `orders: Vec<Order>`", "[Order]"
    )];
    a_stream_that_is_made: with("streams::Orders::new(), concurrency = 8") => [(
        "the stream comes first, as the name of its type alone\nhelp: `#[on_record(streams::Orders)]`", "streams::Orders::new()"
    )];
    a_stream_with_braces: with("Orders {}") => [(
        "the stream comes first, as the name of its type alone\nhelp: `#[on_record(Orders)]`", "Orders {}"
    )];
    a_stream_that_is_made_of_its_name: with("KinesisStream::new(\"orders\")") => [(
        "a stream is named by its type, not by a string\nhelp: `#[on_record(Orders)]`, with `#[stream(name = \"..\")] struct Orders;`", "\"orders\""
    )];
    a_stream_of_nobody: with("Self") => [(
        "a stream is named by its type\nhelp: `#[on_record(Orders)]`", "Self"
    )];
    a_conditional_parameter: book("async fn book(order: Order, #[cfg(test)] key: PartitionKey) -> Outcome") => [];
    a_conditional_record: book("async fn book(#[cfg(test)] order: Order, key: PartitionKey) -> Outcome") => [(
        "the record of a handler cannot have `#[cfg]`\nhelp: write two functions, each with its `#[cfg]`", "#[cfg(test)]"
    )];
    a_parameter_behind_a_condition: book("async fn book(order: Order, #[cfg_attr(test, cfg(x))] key: PartitionKey) -> Outcome") => [(
        "a parameter of a handler cannot have `#[cfg_attr]`\nhelp: write two functions, each with its `#[cfg]`", "#[cfg_attr(test, cfg(x))]"
    )];
    no_stream: handler("#[on_record] async fn book(order: Order) -> Outcome { Outcome::Done }") => [(
        "`#[on_record]` does not say which stream it handles\nhelp: the stream comes first: `#[on_record(Orders)]`",
        "on_record"
    )];
    a_key_before_the_stream: with("concurrency = 8, Orders") => [(
        "the stream comes before the keys\nhelp: `#[on_record(Orders, ..)]`", "Orders"
    )];
    a_key_before_a_path: with("concurrency = 8, self::Orders") => [(
        "the stream comes before the keys\nhelp: `#[on_record(self::Orders, ..)]`", "self::Orders"
    )];
    a_stream_after_a_key: with("stream = Orders") => [(
        "the stream comes first, without a key\nhelp: `#[on_record(Orders, ..)]`", "stream"
    )];
    a_value_after_a_colon: with("Orders, concurrency: 8") => [(
        "`concurrency` takes its value after `=`\nhelp: `concurrency = 8`", ":"
    )];
    an_order_after_a_colon: with("Orders, ordered: shard, concurrency = 8") => [(
        "`ordered` takes its value in parentheses\nhelp: `ordered(shard)`", ":"
    )];
    an_order_in_quotes: with("Orders, ordered(\"shard\")") => [(
        "`ordered(..)` does not take a value alone\nhelp: `ordered(shard)`", "\"shard\""
    )];
    an_unknown_order_in_quotes: with("Orders, ordered(\"strict\")") => [(
        "`ordered(..)` does not take a value alone\nhelp: `ordered(shard)`", "\"strict\""
    )];
    two_streams: with("Orders, super::Views, concurrency = 8") => [(
        "a handler has one stream\nhelp: write a handler for each, and let both call one function", "super::Views"
    )];
    keys_and_no_stream: with("concurrency = 8") => [(
        "`#[on_record]` does not say which stream it handles\nhelp: the stream comes first: `#[on_record(Orders)]`",
        "on_record"
    )];
    a_stream_by_its_name: with("\"orders\"") => [(
        "a stream is named by its type, not by a string\nhelp: `#[on_record(Orders)]`, with `#[stream(name = \"..\")] struct Orders;`",
        "\"orders\""
    )];
    arguments_after_an_equals_sign: handler("#[on_record = Orders] async fn book(order: Order) -> Outcome { Outcome::Done }") => [(
        "`#[on_record]` takes its arguments in parentheses", "Orders"
    )];
    two_handlers: module(&format!("{STREAM} {HANDLER} #[on_record(Orders)] async fn again(order: Order) -> Outcome {{ Outcome::Done }}")) => [(
        "stream `Orders` already has a handler, `book`\nhelp: match on the record in one handler, or declare the stream in a second app with its own leases",
        "Orders"
    )];
    two_handlers_of_a_stream_elsewhere: module(
        "#[on_record(crate::streams::Orders)] async fn book(order: Order) -> Outcome { Outcome::Done }
         #[on_record(crate::streams::Orders)] async fn again(order: Order) -> Outcome { Outcome::Done }"
    ) => [(
        "stream `crate::streams::Orders` already has a handler, `book`\nhelp: match on the record in one handler, or declare the stream in a second app with its own leases",
        "crate::streams::Orders"
    )];
    two_handlers_under_conditions: module(&format!(
        "{STREAM} #[cfg(unix)] {HANDLER} #[cfg(windows)] #[on_record(Orders)] async fn again(order: Order) -> Outcome {{ Outcome::Done }}"
    )) => [];
    two_kinds_on_one_function: handler("#[on_record(Orders)] #[on_batch(Orders)] async fn book(order: Order) -> Outcome { Outcome::Done }") => [(
        "`book` is already an `#[on_record]` handler", "on_batch"
    )];
    a_handler_and_a_hook: handler("#[on_record(Orders)] #[on_start] async fn book(order: Order) -> Outcome { Outcome::Done }") => [(
        "`book` is already an `#[on_record]` handler", "on_start"
    )];
    nothing_at_once: with("Orders, concurrency = 0") => [(
        "concurrency is 0; 1 handles one record of a shard at a time", "0"
    )];
    more_at_once_than_are_at_hand: with("Orders, concurrency = 100_001") => [(
        "concurrency is 100001; a shard has at most 100000 records at hand", "100_001"
    )];
    order_of_the_shard_and_eight_at_once: with("Orders, ordered(shard), concurrency = 8") => [(
        "`ordered(shard)` handles one record at a time, `concurrency = 8` eight\nhelp: `ordered(partition_key)` keeps each key in order and runs eight keys at once",
        "concurrency"
    )];
    order_of_the_shard_and_many_at_once: with("Orders, concurrency = 64, ordered(shard)") => [(
        "`ordered(shard)` handles one record at a time, `concurrency = 64` 64\nhelp: `ordered(partition_key)` keeps each key in order and runs 64 keys at once",
        "concurrency"
    )];
    order_of_the_shard_and_one_at_once: with("Orders, ordered(shard), concurrency = 1") => [];
    an_unknown_order: with("Orders, ordered(key)") => [(
        "unknown order `key`\nhelp: one record at a time for each key is `partition_key`\nnote: known orders: `partition_key`, `shard`, `none`",
        "key"
    )];
    no_order: with("Orders, ordered(none), concurrency = 8") => [];
    no_order_in_other_words: with("Orders, ordered(unordered)") => [(
        "unknown order `unordered`\nhelp: all records beside each other is `none`\nnote: known orders: `partition_key`, `shard`, `none`", "unordered"
    )];
    two_orders: with("Orders, ordered(shard, partition_key)") => [(
        "a handler has one order; `shard` is already given", "partition_key"
    )];
    an_unknown_key: with("Orders, workers = 8") => [(
        &format!("unknown key `workers` in `#[on_record]`\nhelp: the number of records handled at once is `concurrency`\n{KNOWN}"),
        "workers"
    )];
    on_a_struct: handler("#[on_record(Orders)] struct Book; #[on_record(Orders)] async fn book(order: Order) -> Outcome { Outcome::Done }") => [(
        "`#[on_record]` goes on a function, not on a struct", "struct"
    )];
    hidden_in_a_condition: handler("#[cfg_attr(test, on_record(Orders))] async fn book(order: Order) -> Outcome { Outcome::Done }") => [
        ("`#[on_record]` inside `cfg_attr` is not seen by `#[kinesis_app]`\nhelp: put `#[cfg(test)]` on the function", "on_record"),
    ];
}
