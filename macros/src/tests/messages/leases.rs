use super::{app, messages};

const KNOWN: &str = "note: known stores: `memory`, `file = \"leases.json\"`, `dynamodb = \"table\"`, any other by a `#[leases]` function; beside it: `duration = \"10s\"`, `endpoint = \"http://localhost:8000\"`, `create_if_missing`";

/// An app that keeps its leases like this.
fn leases(args: &str) -> String {
    app(&format!(r#"name = "b", leases({args})"#))
}

messages! {
    a_table_with_everything: leases(r#"dynamodb = "billing-leases", duration = "10s", endpoint = "http://h", create_if_missing"#) => [];
    settings_before_the_store: leases(r#"create_if_missing, duration = PAUSE, dynamodb(env = "TABLE", default = "leases")"#) => [];
    memory_with_a_duration: leases(r#"memory, duration = "3s""#) => [];
    an_unknown_lease_store: leases(r#"dynamo = "t""#) => [(
        &format!("unknown lease store `dynamo`\nhelp: a store with a similar name exists: `dynamodb`\n{KNOWN}"),
        "dynamo"
    )];
    a_lease_store_in_other_words: leases(r#"table = "billing-leases""#) => [(
        &format!("unknown lease store `table`\nhelp: a table of DynamoDB is `dynamodb`\n{KNOWN}"),
        "table"
    )];
    a_setting_of_leases_that_is_misspelt: leases(r#"memory, duraton = "5s""#) => [(
        &format!("unknown lease store `duraton`\nhelp: a setting with a similar name exists: `duration`\n{KNOWN}"),
        "duraton"
    )];
    a_file: leases(r#"file = "leases.json", duration = "5s""#) => [];
    a_file_of_a_variable: leases(r#"file(env = "LEASES", default = "leases.json")"#) => [];
    a_file_without_a_name: leases(r#"file = """#) => [(
        "lease file is empty; it is a path such as `leases.json`\nhelp: `file = \"leases.json\"`", "\"\""
    )];
    a_folder: leases(r#"file = "/var/lib/billing/""#) => [(
        "lease file `/var/lib/billing/` is a folder; it is a path such as `leases.json`\nhelp: `file = \"/var/lib/billing/leases.json\"`",
        "\"/var/lib/billing/\""
    )];
    settings_of_a_table_with_a_file: leases(r#"file = "leases.json", create_if_missing"#) => [(
        "`create_if_missing` has no meaning with `file`\nhelp: remove it, or name a table: `dynamodb = \"table\"`", "create_if_missing"
    )];
    another_database_in_a_file: leases(r#"sqlite = "leases.db""#) => [(
        &format!("unknown lease store `sqlite`\nhelp: a file of this machine is `file`\n{KNOWN}"), "sqlite"
    )];
    the_same_lease_store_twice: leases("memory, memory") => [(
        "`memory` is set twice in `leases(..)`", "memory"
    )];
    two_lease_stores: leases(r#"memory, dynamodb = "leases""#) => [(
        "an app has one lease store; `memory` is already given", "dynamodb"
    )];
    a_lease_store_after_an_equals_sign: app(r#"name = "b", leases = memory"#) => [(
        "`leases` takes its store in parentheses\nhelp: `leases(memory)`", "memory"
    )];
    no_lease_store: leases(r#"duration = "5s""#) => [(
        &format!("`leases(..)` does not name a store\n{KNOWN}"), "(duration = \"5s\")"
    )];
    a_table_with_a_space: leases(r#"dynamodb = "billing leases""#) => [(
        "lease table name `billing leases` has a space at byte 7; names use letters, digits, `_`, `.` and `-`\nhelp: `dynamodb = \"billing-leases\"`",
        "\"billing leases\""
    )];
    a_table_with_a_short_name: leases(r#"dynamodb = "ab""#) => [(
        "lease table name `ab` has 2 characters; DynamoDB names have 3 to 255", "\"ab\""
    )];
    a_table_of_another_service: leases(r#"dynamodb = "arn:aws:sqs:eu-west-1:123456789012:q""#) => [(
        "lease table ARN `arn:aws:sqs:eu-west-1:123456789012:q` is not of the form `arn:aws:dynamodb:<region>:<account>:table/<name>`",
        "\"arn:aws:sqs:eu-west-1:123456789012:q\""
    )];
    a_table_by_its_arn: leases(r#"dynamodb = "arn:aws:dynamodb:eu-west-1:123456789012:table/leases""#) => [];
    a_table_in_another_region: app(r#"name = "b", region = "us-east-1", leases(dynamodb = "arn:aws:dynamodb:eu-west-1:123456789012:table/leases")"#) => [(
        "the table is in `eu-west-1`, the app in `us-east-1`\nhelp: the table is reached in the app's region; name one that is there",
        "\"arn:aws:dynamodb:eu-west-1:123456789012:table/leases\""
    )];
    a_table_in_the_region_of_the_app: app(r#"name = "b", region = "eu-west-1", leases(dynamodb = "arn:aws:dynamodb:eu-west-1:123456789012:table/leases")"#) => [];
    a_table_without_a_name: leases("dynamodb") => [(
        "`dynamodb` has no value\nhelp: `dynamodb = \"table\"`", "dynamodb"
    )];
    a_default_table_with_a_slash: leases(r#"dynamodb(env = "T", default = "a/b")"#) => [(
        "lease table name `a/b` has `/` at byte 1; names use letters, digits, `_`, `.` and `-`\nhelp: `default = \"a-b\"`", "\"a/b\""
    )];
    a_table_that_may_be_absent: leases(r#"dynamodb(env = "T", optional)"#) => [(
        "`dynamodb` is required and cannot be `optional`\nhelp: `default = \"..\"`, or nothing: the start fails without the variable", "optional"
    )];
    an_endpoint_of_the_table_without_a_scheme: leases(r#"dynamodb = "leases", endpoint = "localhost:8000""#) => [(
        "endpoint `localhost:8000` has no scheme\nhelp: `endpoint = \"http://localhost:8000\"`", "\"localhost:8000\""
    )];
    an_endpoint_of_the_table_that_may_be_absent: leases(r#"dynamodb = "leases", endpoint(env = "DYNAMODB_ENDPOINT", optional)"#) => [];
    settings_of_a_table_with_memory: leases(r#"memory, endpoint = "http://h", create_if_missing"#) => [
        ("`endpoint` has no meaning with `memory`\nhelp: remove it, or name a table: `dynamodb = \"table\"`", "endpoint"),
        ("`create_if_missing` has no meaning with `memory`\nhelp: remove it, or name a table: `dynamodb = \"table\"`", "create_if_missing"),
    ];
    a_creation_with_a_value: leases(r#"dynamodb = "leases", create_if_missing = true"#) => [(
        "`create_if_missing` takes no value\nhelp: `create_if_missing` alone", "true"
    )];
    a_short_lease: leases(r#"memory, duration = "1s""#) => [(
        "lease duration is 1s; a heartbeat and a second try take at least 3s\nhelp: `duration = \"3s\"`", "\"1s\""
    )];
    a_long_lease: leases(r#"memory, duration = "2h""#) => [(
        "lease duration is 2h; the shards of an instance that dies stand still for so long, at most 1h\nhelp: `duration = \"1h\"`", "\"2h\""
    )];
    a_lease_duration_without_quotes: leases("memory, duration = 10") => [(
        "`duration` takes a duration in quotes\nhelp: `duration = \"10s\"`\nnote: units: `ms`, `s`, `m`, `h`", "10"
    )];
    several_mistakes_in_leases: leases(r#"dynamodb = "a b", duration = "1s", endpoint = "h""#) => [
        ("lease table name `a b` has a space at byte 1; names use letters, digits, `_`, `.` and `-`\nhelp: `dynamodb = \"a-b\"`", "\"a b\""),
        ("lease duration is 1s; a heartbeat and a second try take at least 3s\nhelp: `duration = \"3s\"`", "\"1s\""),
        ("endpoint `h` has no scheme\nhelp: `endpoint = \"http://h\"`", "\"h\""),
    ];
}
