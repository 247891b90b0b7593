use super::{HANDLER, STREAM, app, messages, module};

const KNOWN: &str = "note: known keys: `name`, `region`, `endpoint`, `credentials`, `owner_id`, `leases`, `shutdown_timeout`, `prefetch`, `crate`";

messages! {
    a_module_in_another_file: "#[kinesis_app(name = \"b\")] mod billing;" => [(
        "a `#[kinesis_app]` module must be written inline\nhelp: write `mod billing { .. }` here; handlers may call functions from other files",
        "mod billing;"
    )];
    on_a_struct: "#[kinesis_app(name = \"b\")] pub struct Billing;" => [(
        "`#[kinesis_app]` goes on a module, not on a struct\nhelp: `mod billing { .. }` with the streams and handlers inside",
        "struct"
    )];
    on_a_function: "#[kinesis_app(name = \"b\")] async fn billing() {}" => [(
        "`#[kinesis_app]` goes on a module, not on a function\nhelp: `mod billing { .. }` with the streams and handlers inside",
        "async"
    )];
    no_name: format!("#[kinesis_app] mod billing {{ {STREAM} {HANDLER} }}") => [(
        "`#[kinesis_app]` needs `name = \"..\"`\nnote: the name keys the leases, so it must not change between deployments",
        "#[kinesis_app]"
    )];
    a_name_with_a_space: app(r#"name = "billing service""#) => [(
        "app name `billing service` has a space at byte 7; names use letters, digits, `_`, `.` and `-`\nhelp: `name = \"billing-service\"`",
        "\"billing service\""
    )];
    an_empty_name: app(r#"name = """#) => [(
        "app name is empty; names have 1 to 128 characters", "\"\""
    )];
    a_value_with_a_missing_comma: app("name = (1 2)") => [("expected `,`", "2")];
    a_name_that_is_a_number: app("name = 5") => [(
        "`name` takes a string, not a whole number\nhelp: `name = \"..\"`", "5"
    )];
    a_name_without_a_value: app("name") => [(
        "`name` has no value\nhelp: `name = \"..\"`", "name"
    )];
    an_unknown_key: app(r#"name = "b", lease(memory)"#) => [(
        &format!("unknown key `lease` in `#[kinesis_app]`\nhelp: a key with a similar name exists: `leases`\n{KNOWN}"),
        "lease"
    )];
    a_key_in_other_words: app(r#"app_name = "b", name = "b""#) => [(
        &format!("unknown key `app_name` in `#[kinesis_app]`\nhelp: the application's name is `name`\n{KNOWN}"),
        "app_name"
    )];
    a_key_like_no_other: app(r#"name = "b", zebra = 1"#) => [(
        &format!("unknown key `zebra` in `#[kinesis_app]`\n{KNOWN}"),
        "zebra"
    )];
    a_prefetch: app(r#"name = "b", prefetch = "64MiB""#) => [];
    a_prefetch_in_another_unit: app(r#"name = "b", prefetch = "64MB""#) => [(
        "amount `64MB` has `M` at byte 2; it is a whole number and `KiB`, `MiB` or `GiB`\nhelp: `prefetch = \"64MiB\"`", "\"64MB\""
    )];
    a_prefetch_below_a_read: app(r#"name = "b", prefetch(env = "P", default = "64KiB")"#) => [(
        "prefetch is 65536 bytes; every shard may read 1048576\nhelp: `default = \"1MiB\"`", "\"64KiB\""
    )];
    a_prefetch_that_is_a_number: app(r#"name = "b", prefetch = 1048576"#) => [(
        "`prefetch` takes a string, not a whole number\nhelp: `prefetch = \"256MiB\"`", "1048576"
    )];
    an_owner_id_in_the_words_of_others: app(r#"name = "b", worker_id = "me""#) => [(
        &format!("unknown key `worker_id` in `#[kinesis_app]`\nhelp: the instance's name in its lease rows is `owner_id`\n{KNOWN}"),
        "worker_id"
    )];
    an_owner_id_with_a_colon: app(r#"name = "b", owner_id = "host:1""#) => [(
        "owner id `host:1` has `:` at byte 4; ids use letters, digits, `_`, `.` and `-`\nhelp: `owner_id = \"host-1\"`",
        "\"host:1\""
    )];
    an_owner_id_whose_default_is_empty: app(r#"name = "b", owner_id(env = "HOSTNAME", default = "")"#) => [(
        "owner id is empty; ids have 1 to 128 characters", "\"\""
    )];
    an_owner_id_that_is_a_number: app(r#"name = "b", owner_id = 1"#) => [(
        "`owner_id` takes a string, not a whole number\nhelp: `owner_id = \"..\"`", "1"
    )];
    an_owner_id_that_may_be_absent: app(r#"name = "b", owner_id(env = "HOSTNAME", optional)"#) => [];
    a_key_twice: app(r#"name = "b", name = "c""#) => [(
        "`name` is set twice in `#[kinesis_app]`", "name"
    )];
    a_region_with_underscores: app(r#"name = "b", region = "eu_west_1""#) => [(
        "region `eu_west_1` does not look like an AWS region\nhelp: `region = \"eu-west-1\"`",
        "\"eu_west_1\""
    )];
    an_endpoint_without_a_scheme: app(r#"name = "b", endpoint = "localhost:4566""#) => [(
        "endpoint `localhost:4566` has no scheme\nhelp: `endpoint = \"http://localhost:4566\"`",
        "\"localhost:4566\""
    )];
    test_credentials_for_aws: app(r#"name = "b", credentials(test)"#) => [(
        "`credentials(test)` without `endpoint` would send dummy keys to AWS\nhelp: `endpoint = \"http://localhost:4566\"`",
        "credentials(test)"
    )];
    test_credentials_for_an_endpoint: app(r#"name = "b", credentials(test), endpoint = "http://h""#) => [];
    unknown_credentials: app(r#"name = "b", endpoint = "http://h", credentials(dummy)"#) => [(
        "unknown kind of credentials `dummy`\nhelp: a pair of dummy keys is `test`\nnote: known kinds: `test`",
        "dummy"
    )];
    region_and_aws: module_with(
        r#"name = "b", region = "eu-west-1", endpoint = "http://h", credentials(test)"#,
        "#[aws] async fn config() -> SdkConfig { todo() }",
    ) => [
        ("`region` is set here and by the `#[aws]` function\nhelp: remove the key, or the function", "region"),
        ("`endpoint` is set here and by the `#[aws]` function\nhelp: remove the key, or the function", "endpoint"),
        ("`credentials` is set here and by the `#[aws]` function\nhelp: remove the key, or the function", "credentials"),
    ];
    a_shutdown_without_end: app(r#"name = "b", shutdown_timeout = "2h""#) => [(
        "shutdown timeout is 2h; a stop takes at most 1h\nhelp: `shutdown_timeout = \"1h\"`", "\"2h\""
    )];
    a_shutdown_timeout_without_quotes: app(r#"name = "b", shutdown_timeout = 30s"#) => [(
        "`shutdown_timeout` takes a duration in quotes\nhelp: `shutdown_timeout = \"30s\"`\nnote: units: `ms`, `s`, `m`, `h`",
        "30s"
    )];
    a_shutdown_timeout_without_a_unit: app(r#"name = "b", shutdown_timeout = 30"#) => [(
        "`shutdown_timeout` takes a duration in quotes\nhelp: `shutdown_timeout = \"30s\"`\nnote: units: `ms`, `s`, `m`, `h`",
        "30"
    )];
    a_crate_that_is_a_string: app(r#"name = "b", crate = "kinesis_app""#) => [(
        "`crate` takes a path\nhelp: `crate = my_crate::kinesis_app`", "\"kinesis_app\""
    )];
    nothing_to_run: module(STREAM) => [(
        "app `billing` has no handler\nhelp: add `#[on_record(Stream)] async fn ..` or `#[on_batch(Stream)] async fn ..`", "billing"
    )];
    an_app_twice: format!("#[kinesis_app(name = \"b\")] #[kinesis_app::kinesis_app(name = \"c\")] mod billing {{ {STREAM} {HANDLER} }}") => [(
        "the module is already a `#[kinesis_app]`\nhelp: write a second module for a second application",
        "kinesis_app::kinesis_app"
    )];
    a_method_reports_itself: module(&format!("{STREAM} impl Orders {{ {HANDLER} }}")) => [];
    what_a_macro_makes_reports_itself: module(&format!("{STREAM} make! {{ {HANDLER} }}")) => [];
    another_name_reports_itself: module(&format!(
        "use kinesis_app::on_record as handle; {STREAM} #[handle(Orders)] async fn book(order: Order) -> Outcome {{ go() }}"
    )) => [];
    imported_and_not_used: module(&format!("use kinesis_app::on_record; {STREAM}")) => [(
        "app `billing` has no handler\nhelp: add `#[on_record(Stream)] async fn ..` or `#[on_batch(Stream)] async fn ..`", "billing"
    )];
    a_macro_of_something_else: module(&format!("{STREAM} make! {{ Orders }}")) => [(
        "app `billing` has no handler\nhelp: add `#[on_record(Stream)] async fn ..` or `#[on_batch(Stream)] async fn ..`", "billing"
    )];
    app_is_taken_by_a_struct: module(&format!("{STREAM} {HANDLER} pub struct App;")) => [(
        "`#[kinesis_app]` adds an item named `App` to this module\nhelp: rename this struct", "App"
    )];
    app_is_taken_by_a_function: module(&format!("{STREAM} {HANDLER} fn App() {{}}")) => [(
        "`#[kinesis_app]` adds an item named `App` to this module\nhelp: rename this function", "App"
    )];
    app_is_taken_by_an_import: module(&format!("use super::{{ui::App, x as y}}; {STREAM} {HANDLER}")) => [(
        "`#[kinesis_app]` adds an item named `App` to this module\nhelp: import it under another name: `App as Other`", "App"
    )];
    app_is_imported_under_another_name: module(&format!("use super::App as Other; {STREAM} {HANDLER}")) => [];
    an_equals_sign_and_nothing: app("name = , region = \"eu-west-1\"") => [(
        "`name` has no value\nhelp: `name = \"..\"`", "="
    )];
    a_value_alone: app("\"billing\"") => [(
        "`#[kinesis_app]` takes `key = value`, not a value alone\nhelp: `name = \"billing\"`", "\"billing\""
    )];
    a_misspelt_key_is_not_missing_as_well: app(r#"nmae = "billing""#) => [(
        &format!("unknown key `nmae` in `#[kinesis_app]`\nhelp: a key with a similar name exists: `name`\n{KNOWN}"),
        "nmae"
    )];
    punctuation_for_a_key: app(r#"name = "b", = 5, zebra"#) => [
        ("expected a key", "="),
        (&format!("unknown key `zebra` in `#[kinesis_app]`\n{KNOWN}"), "zebra"),
    ];
    a_value_that_is_no_expression: app(r#"name = "b", region = !, zebra"#) => [
        ("expected an expression", ","),
        (&format!("unknown key `zebra` in `#[kinesis_app]`\n{KNOWN}"), "zebra"),
    ];
    two_values_without_a_comma: app(r#"name = "b" region = "x", zebra"#) => [
        ("expected `,`", "region"),
        (&format!("unknown key `zebra` in `#[kinesis_app]`\n{KNOWN}"), "zebra"),
    ];
}

fn module_with(args: &str, more: &str) -> String {
    format!("#[kinesis_app({args})] mod billing {{ {STREAM} {HANDLER} {more} }}")
}

messages! {
    a_variable_with_an_equals_sign: app(r#"name(env = "A=B")"#) => [(
        "`A=B` cannot name an environment variable", "\"A=B\""
    )];
    a_value_alone_beside_a_default: app(r#"name("billing", default = "b")"#) => [(
        "`name(..)` does not take a value alone\nhelp: `name = \"billing\"`", "\"billing\""
    )];
    two_variables: app(r#"name(env = "A", env = "B")"#) => [("`env` is set twice in `name(..)`", "env")];
    a_variable_without_a_name: app(r#"name(env = "")"#) => [(
        "an empty text cannot name an environment variable", "\"\""
    )];
    a_default_that_breaks_the_rule: app(r#"name = "b", region(env = "R", default = "EU west 1")"#) => [(
        "region `EU west 1` does not look like an AWS region\nhelp: `default = \"eu-west-1\"`",
        "\"EU west 1\""
    )];
    a_name_that_may_be_absent: app(r#"name(env = "N", optional)"#) => [(
        "`name` is required and cannot be `optional`\nhelp: `default = \"..\"`, or nothing: the start fails without the variable", "optional"
    )];
    a_default_and_optional: app(r#"name = "b", region(env = "R", default = "eu-west-1", optional)"#) => [(
        "`default` and `optional` both say what holds without the variable\nhelp: remove one of the two", "optional"
    )];
    no_variable: app(r#"name(default = "b")"#) => [(
        "`name(..)` does not name a variable\nhelp: `name(env = \"VARIABLE\")`", "(default = \"b\")"
    )];
    a_variable_that_is_an_expression: app(r"name(env = VARIABLE)") => [(
        "`env` takes a string literal\nhelp: `env = \"VARIABLE\"`", "VARIABLE"
    )];
    a_setting_that_is_unknown: app(r#"name(env = "N", fallback = "b")"#) => [(
        "unknown setting `fallback`\nhelp: the value without the variable is `default`\nnote: known settings: `env = \"VARIABLE\"`, `default = \"..\"`, `optional`",
        "fallback"
    )];
    optional_with_a_value: app(r#"name = "b", region(env = "R", optional = true)"#) => [(
        "`optional` takes no value\nhelp: `optional` alone", "true"
    )];
}
