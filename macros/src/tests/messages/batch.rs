use super::{STREAM, handler, messages, module};

fn count(signature: &str) -> String {
    handler(&format!(
        "#[on_batch(Orders)] {signature} {{ orders.done() }}"
    ))
}

fn with(args: &str) -> String {
    handler(&format!(
        "#[on_batch({args})] async fn count(orders: Batch<Order>) -> BatchOutcome {{ orders.done() }}"
    ))
}

const KNOWN: &str = "note: known keys: `max_records`, `max_wait`, `retry`, `exhausted`, `undecodable`, `timeout`, `label`";
const ONE_AFTER_THE_OTHER: &str = "help: batches of a shard are handled one after the other, each in the order of the shard; `max_records` bounds them";

messages! {
    every_key: with("Orders, max_records = 1_000, max_wait = \"2s\", retry(attempts = 3), exhausted(skip), undecodable(skip), timeout = \"1m\", label = \"views\"") => [];
    not_async: count("fn count(orders: Batch<Order>) -> BatchOutcome") => [(
        "handler `count` must be `async`\nhelp: `async fn count(..)`", "fn"
    )];
    no_batch: count("async fn count() -> BatchOutcome") => [(
        "handler `count` takes no batch\nhelp: the first parameter is the batch, e.g. `orders: Batch<Order>`", "()"
    )];
    no_outcome: count("async fn count(orders: Batch<Order>)") => [(
        "handler `count` does not say what became of the batch\nhelp: `-> BatchOutcome`, or `-> Result<(), E>` to retry on `Err`",
        ")"
    )];
    an_outcome_that_hides: count("async fn count(orders: Batch<Order>) -> impl IntoBatchOutcome") => [(
        "handler `count` hides its return type behind `impl`\nhelp: `-> BatchOutcome`, or `-> Result<(), E>` to retry on `Err`",
        "impl"
    )];
    a_borrowed_batch: count("async fn count(orders: &Batch<Order>) -> BatchOutcome") => [(
        "handler parameters are owned\nhelp: `orders: Batch<Order>`", "&"
    )];
    a_borrowed_list: count("async fn count(orders: &[Order]) -> BatchOutcome") => [(
        "handler parameters are owned\nhelp: `orders: Batch<Order>`", "&"
    )];
    with_self: count("async fn count(&self, orders: Batch<Order>) -> BatchOutcome") => [(
        "a handler takes no `self`\nhelp: what handlers share comes as `State<T>`", "&self"
    )];
    no_stream: handler("#[on_batch] async fn count(orders: Batch<Order>) -> BatchOutcome { orders.done() }") => [(
        "`#[on_batch]` does not say which stream it handles\nhelp: the stream comes first: `#[on_batch(Orders)]`",
        "on_batch"
    )];
    a_stream_by_its_name: with("\"orders\"") => [(
        "a stream is named by its type, not by a string\nhelp: `#[on_batch(Orders)]`, with `#[stream(name = \"..\")] struct Orders;`",
        "\"orders\""
    )];
    a_key_before_the_stream: with("max_records = 8, Orders") => [(
        "the stream comes before the keys\nhelp: `#[on_batch(Orders, ..)]`", "Orders"
    )];
    a_record_handler_beside_it: module(&format!(
        "{STREAM} #[on_record(Orders)] async fn book(order: Order) -> Outcome {{ Outcome::Done }}
         #[on_batch(Orders)] async fn count(orders: Batch<Order>) -> BatchOutcome {{ orders.done() }}"
    )) => [(
        "stream `Orders` already has a handler, `book`\nhelp: match on the record in one handler, or declare the stream in a second app with its own leases",
        "Orders"
    )];
    a_batch_handler_that_is_a_record_handler_too: handler("#[on_batch(Orders)] #[on_record(Orders)] async fn count(orders: Batch<Order>) -> BatchOutcome { orders.done() }") => [(
        "`count` is already an `#[on_batch]` handler", "on_record"
    )];
    nothing_in_a_batch: with("Orders, max_records = 0") => [(
        "max records is 0; a batch has at least 1", "0"
    )];
    more_in_a_batch_than_are_at_hand: with("Orders, max_records = 100_001") => [(
        "max records is 100001; a shard has at most 100000 records at hand", "100_001"
    )];
    a_wait_that_is_too_long: with("Orders, max_wait = \"2h\"") => [(
        "max wait is 2h; a batch waits for at most 1h\nhelp: `max_wait = \"1h\"`", "\"2h\""
    )];
    a_wait_without_quotes: with("Orders, max_wait = 2") => [(
        "`max_wait` takes a duration in quotes\nhelp: `max_wait = \"2s\"`\nnote: units: `ms`, `s`, `m`, `h`", "2"
    )];
    concurrency: with("Orders, concurrency = 8") => [(
        &format!("unknown key `concurrency` in `#[on_batch]`\n{ONE_AFTER_THE_OTHER}\n{KNOWN}"), "concurrency"
    )];
    an_order: with("Orders, ordered(shard)") => [(
        &format!("unknown key `ordered` in `#[on_batch]`\n{ONE_AFTER_THE_OTHER}\n{KNOWN}"), "ordered"
    )];
    replies: with("Orders, publish(Receipts)") => [(
        &format!("unknown key `publish` in `#[on_batch]`\nhelp: take a `Publisher<S>` and publish in the handler\n{KNOWN}"), "publish"
    )];
    the_size_of_a_read: with("Orders, batch_size = 100") => [(
        &format!("unknown key `batch_size` in `#[on_batch]`\nhelp: the most records of one batch is `max_records`\n{KNOWN}"), "batch_size"
    )];
    on_a_struct: handler("#[on_batch(Orders)] struct Count; #[on_record(Orders)] async fn book(order: Order) -> Outcome { Outcome::Done }") => [(
        "`#[on_batch]` goes on a function, not on a struct", "struct"
    )];
}
