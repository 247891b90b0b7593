//! Attributes on other items than theirs, and hooks of another shape.

use super::{hook, messages, module};

messages! {
    a_stream_that_is_an_alias: module(r#"#[stream(name = "orders")] type Orders = Order; #[on_record(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[stream]` goes on a unit struct, not on a type alias\nhelp: `struct Orders;`; the record type is the first parameter of its handler", "type"
    )];
    a_stream_that_is_a_constant: module(r#"#[stream(name = "orders")] const ORDERS: &str = "orders"; #[on_record(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[stream]` goes on a unit struct, not on a constant\nhelp: `struct ORDERS;`; the record type is the first parameter of its handler", "const"
    )];
    a_stream_with_serde: module(r#"#[stream(name = "orders")] #[serde(rename_all = "camelCase")] pub struct Orders; #[on_record(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[serde]` has no place here: a stream has no fields; it goes on the record type\nhelp: remove it", "#[serde(rename_all = \"camelCase\")]"
    )];
    a_stream_that_derives_serde: module(r#"#[derive(Deserialize)] #[serde(rename = "x")] #[stream(name = "orders")] pub struct Orders; #[on_record(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [];
    a_handler_in_another_module_is_left_to_report_itself: module(r#"#[stream(name = "orders")] struct Orders; mod inner { #[on_batch(Orders)] async fn book(orders: Batch<Order>) -> BatchOutcome { d() } }"#) => [];
    a_slip_is_for_rustc_to_report: module(r#"#[stream(name = "orders")] struct Orders; #[on_recrod(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [];
    a_handler_that_is_no_function: module(r#"#[stream(name = "orders")] struct Orders; #[on_record(Orders)] static BOOK: u8 = 0;"#) => [(
        "`#[on_record]` goes on a function, not on a static", "static"
    )];
    a_start_that_returns_nothing: hook("#[on_start] async fn connect() -> () {}") => [(
        "`#[on_start]` hook `connect` returns no state\nhelp: `-> Result<State, Error>`", "()"
    )];
    a_start_that_may_fail_without_an_error: hook("#[on_start] async fn connect() -> Option<Db> { d() }") => [(
        "`#[on_start]` hook `connect` returns `Option<Db>`, not a result\nhelp: `-> Result<Option<Db>, Error>`", "Option<Db>"
    )];
    a_start_that_returns_a_state_asked_for: hook("#[on_start] async fn connect() -> Db { d() } #[on_ready] async fn ready(State(db): State<Db>) {}") => [(
        "`#[on_start]` hook `connect` returns `Db`, not a result\nhelp: `-> Result<Db, Error>`", "Db"
    )];
    a_start_with_self: hook("#[on_start] async fn connect(&self) -> Result<Db, E> { d() }") => [(
        "a hook takes no `self`\nhelp: `setup: Setup` has the arguments and the environment", "&self"
    )];
    a_setup_in_the_place_of_the_configuration: hook("#[configure] fn settings(setup: &Setup, config: &mut AppConfig) {}") => [(
        "`#[configure]` takes the configuration and, if it needs it, the setup, both borrowed\nhelp: `fn settings(config: &mut AppConfig, setup: &Setup)`", "(setup: &Setup, config: &mut AppConfig)"
    )];
    a_configuration_that_cannot_change: hook("#[configure] fn settings(config: &AppConfig, setup: &Setup) {}") => [(
        "`#[configure]` takes the configuration and, if it needs it, the setup, both borrowed\nhelp: `fn settings(config: &mut AppConfig, setup: &Setup)`", "(config: &AppConfig, setup: &Setup)"
    )];
    a_stream_with_a_slip: module(r#"#[derive(Debug)] #[steam(name = "orders", start(latest))] pub struct Orders; #[on_record(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[steam]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[stream(name = \"orders\", start(latest))]`\nnote: a macro of another crate is named by its path here", "steam"
    )];
    a_stream_in_capitals: module(r#"#[Stream("orders")] pub struct Orders; #[on_record(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[Stream]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[stream(name = \"orders\")]`\nnote: a macro of another crate is named by its path here", "Stream"
    )];
    a_derived_attribute_like_ours: module(r#"#[derive(Strum)] #[strum(name)] struct S; #[derive(X)] #[steam] struct T; #[stream(name = "orders")] pub struct Orders; #[on_record(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [];
    a_handler_in_capitals: module(r#"#[stream(name = "orders")] struct Orders; #[OnRecord(Orders, concurrency = 8)] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[OnRecord]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[on_record(Orders, concurrency = 8)]`\nnote: a macro of another crate is named by its path here", "OnRecord"
    )];
    a_handler_that_is_a_test: module(r#"#[stream(name = "orders")] struct Orders; #[tokio::test] #[on_record(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [(
        "`#[tokio::test]` has no place here: a test is left out of the application, which calls the function\nhelp: remove it", "#[tokio::test]"
    )];
    the_attribute_of_a_macro_that_is_derived_on_a_condition: hook("#[cfg_attr(all(), derive(Machine))] #[state] struct Door;") => [];
    the_attribute_of_a_macro_that_is_imported_as_itself: hook("use elsewhere::handler::{self}; #[handler] fn other() {}") => [];
    a_test_beside_handlers: hook("#[test] fn adds() {}") => [];
    a_handler_in_a_function_is_left_to_report_itself: module(r#"#[stream(name = "orders")] struct Orders; fn outer() { #[kinesis_app::on_record(Orders)] async fn book(order: Order) -> Outcome { d() } }"#) => [];
    a_handler_in_a_trait_is_left_to_report_itself: module(r#"#[stream(name = "orders")] struct Orders; trait Books { #[on_record(Orders)] async fn book(order: Order) -> Outcome; }"#) => [];
    a_handler_by_a_path_that_is_not_known_is_left_to_report_itself: module(r#"use kinesis_app as k; #[stream(name = "orders")] struct Orders; #[k::on_record(Orders)] async fn book(order: Order) -> Outcome { d() }"#) => [];
    a_method_called_like_an_attribute_is_no_handler: module(r#"#[stream(name = "orders")] struct Orders; impl Orders { async fn on_record(order: Order) -> Outcome { d() } }"#) => [(
        "app `billing` has no handler\nhelp: add `#[on_record(Stream)] async fn ..` or `#[on_batch(Stream)] async fn ..`", "billing"
    )];
    a_word_in_a_function_is_no_handler: module(r#"#[stream(name = "orders")] struct Orders; fn outer() { on_record(#[a] 1); }"#) => [(
        "app `billing` has no handler\nhelp: add `#[on_record(Stream)] async fn ..` or `#[on_batch(Stream)] async fn ..`", "billing"
    )];
    a_state_by_another_word: hook("#[state] struct Clients { db: Db }") => [(
        "`#[state]` is no attribute of a `#[kinesis_app]` module\nhelp: `#[derive(AppState)]`\nnote: a macro of another crate is named by its path here", "state"
    )];
}
