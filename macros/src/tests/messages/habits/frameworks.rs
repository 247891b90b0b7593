//! What people write who come from web frameworks.

use super::{app, book, handler, hook, messages, record, with_known};
use crate::keys::{APP, ON_RECORD};

messages! {
    a_wrapped_record: book("async fn book(Json(order): Json<Order>) -> Outcome") => [(
        "the record comes decoded, without a wrapper\nhelp: `order: Order`\nnote: the codec stands at the stream; a `Json` of your own is named by its path", "Json<Order>"
    )];
    a_wrapped_record_without_a_pattern: book("async fn book(order: Json<Vec<Order>>) -> Outcome") => [(
        "the record comes decoded, without a wrapper\nhelp: `order: Vec<Order>`\nnote: the codec stands at the stream; a `Json` of your own is named by its path", "Json<Vec<Order>>"
    )];
    a_wrapped_record_behind_its_state: book("async fn book(State(db): State<Db>, Json(order): Json<Order>) -> Outcome") => [(
        "`State<Db>` stands in front of the record, which is the first parameter\nhelp: `async fn book(order: Order, State(db): State<Db>)`\nnote: a record of your own that has this name is named by its path", "State<Db>"
    )];
    a_wrapper_by_its_path: book("async fn book(order: super::Json<Order>) -> Outcome") => [];
    a_state_in_front_of_the_record: book("async fn book(State(db): State<Db>, order: Order) -> Outcome") => [(
        "`State<Db>` stands in front of the record, which is the first parameter\nhelp: `async fn book(order: Order, State(db): State<Db>)`\nnote: a record of your own that has this name is named by its path",
        "State<Db>"
    )];
    a_key_in_front_of_the_record: book("async fn book(key: PartitionKey, State(db): State<Db>, order: Order, at: Position) -> Outcome") => [(
        "`PartitionKey` stands in front of the record, which is the first parameter\nhelp: `async fn book(order: Order, key: PartitionKey, State(db): State<Db>, at: Position)`\nnote: a record of your own that has this name is named by its path",
        "PartitionKey"
    )];
    a_shard_in_front_of_a_batch: handler("#[on_batch(Orders)] async fn count(shard: ShardId, orders: Batch<Order>) -> Outcome {}") => [(
        "`ShardId` stands in front of the batch, which is the first parameter\nhelp: `async fn count(orders: Batch<Order>, shard: ShardId)`\nnote: a batch of your own that has this name is named by its path",
        "ShardId"
    )];
    a_record_that_has_the_name_of_an_argument: book("async fn book(headers: Headers, at: Position) -> Outcome") => [];
    a_record_whose_name_is_imported: handler("use super::PartitionKey; #[on_record(Orders)] async fn book(key: PartitionKey, order: Order) -> Outcome {}") => [];
    a_record_by_its_path: book("async fn book(key: super::PartitionKey, order: Order) -> Outcome") => [];
    a_record_of_its_own_name_and_an_argument: book("async fn book(id: ShardId, lag: Lag) -> Outcome") => [];
    no_record_behind_its_key: book("async fn book(key: PartitionKey) -> Outcome") => [];
    a_borrowed_state: book("async fn book(order: Order, db: &State<Db>) -> Outcome") => [(
        "handler parameters are owned\nhelp: `db: State<Db>`", "&"
    )];
    a_record_that_is_changed: book("async fn book(order: &mut Order) -> Outcome") => [(
        "handler parameters are owned\nhelp: `order: Order`", "&"
    )];
    a_method: book("async fn book(self: Arc<Self>, order: Order) -> Outcome") => [(
        "a handler takes no `self`\nhelp: what handlers share comes as `State<T>`", "self: Arc<Self>"
    )];
    a_response: book("async fn book(order: Order) -> impl IntoResponse") => [(
        "handler `book` hides its return type behind `impl`\nhelp: `-> Outcome`, or `-> Result<(), E>` to retry on `Err`", "impl"
    )];
    a_future_by_hand: book("fn book(order: Order) -> impl Future<Output = Result<(), Failed>> + Send") => [(
        "handler `book` must be `async`\nhelp: `async fn book(..) -> Result<(), Failed>`", "fn"
    )];
    nothing_said: book("async fn book(order: Order) -> ()") => [(
        "handler `book` does not say what became of the record\nhelp: `-> Outcome`, or `-> Result<(), E>` to retry on `Err`", "()"
    )];
    a_runtime_in_the_middle: book("#[tokio::main] async fn book(order: Order) -> Outcome") => [(
        "`#[tokio::main]` has no place here: it runs on the runtime of `main`, which stands outside of the module\nhelp: remove it", "#[tokio::main]"
    )];
    a_runtime_for_a_helper: hook("#[tokio::main] async fn helper() {}") => [];
    state_of_the_app: app(r#"name = "b", state = Db"#) => [(
        &with_known("unknown key `state` in `#[kinesis_app]`\nhelp: `#[on_start]` returns the state, and a handler takes `State<T>`", &APP), "state"
    )];
    a_layer: record("Orders, layer(trace)") => [(
        &with_known("unknown key `layer` in `#[on_record]`\nhelp: a handler is a function: call another one in it", &ON_RECORD), "layer"
    )];
    metrics_of_the_app: app(r#"name = "b", metrics = true"#) => [(
        &with_known("unknown key `metrics` in `#[kinesis_app]`\nhelp: `#[observe] fn meter() -> impl Observer` is told what happens", &APP), "metrics"
    )];
    threads_of_the_runtime: app(r#"name = "b", worker_threads = 4"#) => [(
        &with_known("unknown key `worker_threads` in `#[kinesis_app]`\nhelp: the app runs on the runtime of `main`: `#[tokio::main]`", &APP), "worker_threads"
    )];
}
