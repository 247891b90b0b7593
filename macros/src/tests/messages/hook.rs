use super::{hook, messages, module};

messages! {
    a_second_hook: hook(
        "#[on_start] async fn connect() -> Result<A, E> { a() } #[on_start] async fn connect_again() -> Result<A, E> { a() }"
    ) => [(
        "`connect_again` is a second `#[on_start]` hook; `connect` is the first\nhelp: do both in one function; it returns all the state there is",
        "connect_again"
    )];
    a_second_hook_of_another_kind: hook("#[on_ready] async fn a() {} #[on_ready] async fn b() {}") => [(
        "`b` is a second `#[on_ready]` hook; `a` is the first\nhelp: do both in one function", "b"
    )];
    a_second_hook_under_a_condition: hook("#[cfg(unix)] #[on_ready] async fn a() {} #[cfg(windows)] #[on_ready] async fn b() {}") => [];
    configure_that_waits: hook("#[configure] async fn settings(config: &mut AppConfig, setup: &Setup) {}") => [(
        "`#[configure]` runs before anything is connected and cannot be `async`\nhelp: `fn settings(..)`", "async"
    )];
    configure_of_nothing: hook("#[configure] fn settings() {}") => [(
        "`#[configure]` takes the configuration and, if it needs it, the setup, both borrowed\nhelp: `fn settings(config: &mut AppConfig, setup: &Setup)`",
        "()"
    )];
    configure_without_the_setup: hook("#[configure] fn settings(config: &mut AppConfig) {}") => [];
    configure_that_owns: hook("#[configure] fn settings(config: AppConfig, setup: &Setup) {}") => [(
        "`#[configure]` takes the configuration and, if it needs it, the setup, both borrowed\nhelp: `fn settings(config: &mut AppConfig, setup: &Setup)`",
        "(config: AppConfig, setup: &Setup)"
    )];
    shutdown_that_blocks: hook("#[on_shutdown] fn flush() {}") => [(
        "`#[on_shutdown]` hook `flush` must be `async`\nhelp: `async fn flush(..)`", "fn"
    )];
    start_without_a_state: hook("#[on_start] async fn connect() {}") => [(
        "`#[on_start]` hook `connect` returns no state\nhelp: `-> Result<State, Error>`", ")"
    )];
    start_with_a_state_and_no_result: hook(
        "#[derive(AppState)] struct Clients { db: Db } #[on_start] async fn connect() -> Clients { c() }"
    ) => [(
        "`#[on_start]` hook `connect` returns `Clients`, not a result\nhelp: `-> Result<Clients, Error>`", "Clients"
    )];
    start_with_an_alias: hook("type Connected = Result<u8, E>; #[on_start] async fn connect() -> Connected { c() }") => [];
    aws_without_a_configuration: hook("#[aws] async fn config() {}") => [(
        "`#[aws]` hook `config` returns no `SdkConfig`\nhelp: `-> SdkConfig`, or `-> Result<SdkConfig, E>`", ")"
    )];
    start_that_hides_its_state: hook("#[on_start] async fn connect() -> Result<impl Clone, E> { a() }") => [(
        "`#[on_start]` hook `connect` hides its return type behind `impl`\nhelp: name the type", "impl"
    )];
    a_borrowed_state: hook("#[on_ready] async fn ready(setup: &Setup) {}") => [(
        "hook parameters are owned\nhelp: `setup: Setup`", "&"
    )];
    a_generic_hook: hook("#[on_ready] async fn ready<T>(state: State<T>) {}") => [(
        "a hook cannot be generic; the macro calls it, and picks no types", "<T>"
    )];
    a_hook_with_self: hook("#[on_ready] async fn ready(self) {}") => [("a hook takes no `self`\nhelp: what `#[on_start]` returned comes as `State<T>`", "self")];
    a_hook_with_arguments: hook("#[on_start(early)] async fn connect() -> Result<A, E> { a() }") => [(
        "`#[on_start]` takes no arguments\nhelp: `#[on_start]`", "early"
    )];
    a_hook_with_a_value: hook("#[on_ready = \"late\"] async fn ready() {}") => [(
        "`#[on_ready]` takes no arguments", "\"late\""
    )];
    two_hooks_on_one_function: hook("#[on_ready] #[on_shutdown] async fn both() {}") => [(
        "`both` is already the `#[on_ready]` hook", "on_shutdown"
    )];
    shard_hooks_of_two_streams: module(
        "#[stream(name = \"a\")] struct A; #[stream(name = \"b\")] struct B; #[on_record(A)] async fn a(o: O) -> Outcome { d() } #[on_record(B)] async fn b(o: O) -> Outcome { d() } #[on_shard_start(A)] async fn c() {} #[on_shard_end(A)] async fn d() {} #[on_shard_start(B)] async fn e() {} #[on_shard_end(B)] async fn f() {}"
    ) => [];
    a_second_hook_of_a_stream: hook("#[on_shard_end(Orders)] async fn a() {} #[on_shard_end(self::Orders)] async fn b() {}") => [(
        "`b` is a second `#[on_shard_end]` hook of stream `self::Orders`; `a` is the first\nhelp: do both in one function", "b"
    )];
    a_shard_hook_of_no_stream: hook("#[on_shard_start] async fn a() {}") => [(
        "`#[on_shard_start]` does not say of which stream\nhelp: `#[on_shard_start(Orders)]`", "on_shard_start"
    )];
    a_shard_hook_of_a_text: hook("#[on_shard_end(\"orders\")] async fn a() {}") => [(
        "a stream is named by its type\nhelp: `#[on_shard_end(Orders)]`", "\"orders\""
    )];
    a_shard_hook_with_keys: hook("#[on_shard_end(Orders, retry = 3)] async fn a() {}") => [(
        "`#[on_shard_end]` takes one stream and nothing else\nhelp: `#[on_shard_end(Orders)]`", "Orders, retry = 3"
    )];
    a_shard_hook_that_blocks: hook("#[on_shard_start(Orders)] fn a() {}") => [(
        "`#[on_shard_start]` hook `a` must be `async`\nhelp: `async fn a(..)`", "fn"
    )];
    an_observer_and_a_store_of_hidden_types: hook(
        "#[leases] async fn c(setup: Setup) -> Result<impl LeaseStore, E> { l() } #[observe] fn d(State(meter): State<Meter>) -> impl Observer { o() }"
    ) => [];
    a_second_observer: hook("#[observe] fn a() -> impl Observer { o() } #[observe] fn b() -> O { o() }") => [(
        "`b` is a second `#[observe]` hook; `a` is the first\nhelp: do both in one function", "b"
    )];
    hooks_that_do_not_wait_may_be_constant: hook("#[observe] const fn metrics() -> O { O } #[configure] const fn settings(config: &mut AppConfig, setup: &Setup) {}") => [];
    a_constant_hook: hook("#[on_ready] const fn ready() {}") => [("a hook cannot be `const`", "const")];
    an_observer_that_waits: hook("#[observe] async fn metrics() -> impl Observer { o() }") => [(
        "`#[observe]` makes an observer of what `#[on_start]` connected and cannot be `async`\nhelp: `fn metrics(..)`", "async"
    )];
    an_observer_of_nothing: hook("#[observe] fn metrics() {}") => [(
        "`#[observe]` hook `metrics` returns no observer\nhelp: `-> impl Observer`, or `-> Result<impl Observer, E>`", ")"
    )];
    an_observer_with_a_borrowed_setup: hook("#[observe] fn metrics(setup: &Setup) -> impl Observer { o() }") => [];
    an_observer_that_changes_the_setup: hook("#[observe] fn metrics(setup: &mut Setup) -> impl Observer { o() }") => [(
        "hook parameters are owned\nhelp: `setup: Setup`", "&"
    )];
    an_observer_with_arguments: hook("#[observe(Orders)] fn metrics() -> impl Observer { o() }") => [(
        "`#[observe]` takes no arguments\nhelp: `#[observe]`", "Orders"
    )];
    an_observer_of_any_type: hook("#[observe] fn metrics<O: Observer>() -> O { o() }") => [(
        "a hook cannot be generic; the macro calls it, and picks no types", "<O: Observer>"
    )];
    a_store_that_blocks: hook("#[leases] fn store() -> impl LeaseStore { l() }") => [(
        "`#[leases]` hook `store` must be `async`\nhelp: `async fn store(..)`", "fn"
    )];
    a_store_of_nothing: hook("#[leases] async fn store() {}") => [(
        "`#[leases]` hook `store` returns no lease store\nhelp: `-> impl LeaseStore`, or `-> Result<impl LeaseStore, E>`", ")"
    )];
    leases_by_a_key_and_by_a_function: "#[kinesis_app(name = \"b\", leases(memory))] mod b { #[stream(name = \"o\")] struct O; #[on_record(O)] async fn a(o: U) -> Outcome { d() } #[leases] async fn store() -> impl LeaseStore { l() } }" => [(
        "`leases` is set here and by the `#[leases]` function\nhelp: remove the key, or the function", "leases"
    )];
    other_hooks_name_what_they_return: hook("#[aws] async fn config() -> impl Into<SdkConfig> { c() }") => [(
        "`#[aws]` hook `config` hides its return type behind `impl`\nhelp: name the type", "impl"
    )];
}
