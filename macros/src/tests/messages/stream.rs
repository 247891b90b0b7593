use super::{HANDLER, STREAM, messages, module, stream};

const KNOWN: &str = "note: known keys: `name`, `arn`, `start`, `batch_size`, `poll_interval`, `create_if_missing`, `on_fatal`, `on_recreated`, `codec`, `partition_key`, `crate`";
const POSITIONS: &str = "note: known positions: `trim_horizon`, `latest`, `timestamp = \"2026-01-31T00:00:00Z\"`; beside it: `ignore_checkpoint`";
const FORM: &str = "note: the form is `arn:aws:kinesis:<region>:<account>:stream/<name>`";

messages! {
    an_empty_partition_key: stream("name = \"orders\", partition_key = \"\"") => [(
        "partition key is empty; keys have 1 to 256 characters", "\"\""
    )];
    a_partition_key_that_is_too_long: stream(&format!("name = \"orders\", partition_key = \"{}\"", "k".repeat(257))) => [(
        "partition key has 257 characters; the most is 256", &*format!("\"{}\"", "k".repeat(257))
    )];
    a_partition_key_of_a_variable: stream("name = \"orders\", partition_key(env = \"KEY\", default = \"all\")") => [];
    an_answer_to_another_stream: stream("name = \"o\", on_recreated(refuse)") => [];
    an_unknown_answer_to_another_stream: stream("name = \"o\", on_recreated(reset)") => [(
        "unknown answer `reset`\nhelp: a new beginning is `restart`\nnote: known answers: `refuse`, `restart`", "reset"
    )];
    two_answers_to_another_stream: stream("name = \"o\", on_recreated(refuse, restart)") => [(
        "a stream has one answer to a new stream of its name; `refuse` is already given", "restart"
    )];
    no_answer_to_another_stream: stream("name = \"o\", on_recreated") => [(
        "`on_recreated` takes its choice in parentheses\nhelp: `on_recreated(restart)`", "on_recreated"
    )];
    a_start_that_ignores_checkpoints: stream("name = \"o\", start(trim_horizon, ignore_checkpoint)") => [];
    a_start_that_ignores_checkpoints_before_it_says_where: stream("name = \"o\", start(ignore_checkpoint, timestamp = \"2026-01-01T00:00:00Z\")") => [];
    a_start_that_does_not_say_where: stream("name = \"o\", start(ignore_checkpoint)") => [(
        "`start(..)` does not name a position\nhelp: `start(trim_horizon, ignore_checkpoint)`", "(ignore_checkpoint)"
    )];
    a_start_that_ignores_checkpoints_with_a_value: stream("name = \"o\", start(latest, ignore_checkpoint = true)") => [(
        "`ignore_checkpoint` takes no value\nhelp: `ignore_checkpoint` alone", "true"
    )];
    a_start_that_ignores_checkpoints_in_two_places: stream("name = \"o\", start(latest, trim_horizon, ignore_checkpoint)") => [(
        "a shard starts in one place; `latest` is already given", "trim_horizon"
    )];
    an_answer_to_refusals: stream("name = \"o\", on_fatal(mark)") => [];
    an_unknown_answer_to_refusals: stream("name = \"o\", on_fatal(ignore)") => [(
        "unknown answer `ignore`\nhelp: health that shows it while the rest goes on is `mark`\nnote: known answers: `stop`, `mark`", "ignore"
    )];
    two_answers_to_refusals: stream("name = \"o\", on_fatal(stop, mark)") => [(
        "a stream has one answer to a refusal; `stop` is already given", "mark"
    )];
    an_answer_to_refusals_after_an_equals_sign: stream("name = \"o\", on_fatal = mark") => [(
        "`on_fatal` takes its choice in parentheses\nhelp: `on_fatal(mark)`", "mark"
    )];
    an_answer_to_refusals_with_a_value: stream("name = \"o\", on_fatal(mark = true)") => [(
        "`mark` takes no value\nhelp: `mark` alone", "true"
    )];
    an_empty_name: stream(r#"name = """#) => [(
        "stream name is empty; Kinesis names have 1 to 128 characters", "\"\""
    )];
    a_name_with_a_slash: stream(r#"name = "orders/eu""#) => [(
        "stream name `orders/eu` has `/` at byte 6; names use letters, digits, `_`, `.` and `-`\nhelp: `name = \"orders-eu\"`",
        "\"orders/eu\""
    )];
    a_name_that_is_too_long: stream(&format!("name = \"{}\"", "n".repeat(129))) => [(
        "stream name has 129 characters; the most is 128", &format!("\"{}\"", "n".repeat(129))
    )];
    an_arn_in_name: stream(r#"name = "arn:aws:kinesis:eu-west-1:123456789012:stream/orders""#) => [(
        "`name` holds an ARN\nhelp: `arn = \"..\"` takes it as it is", "name"
    )];
    an_account_that_is_too_short: stream(r#"arn = "arn:aws:kinesis:eu-west-1:12345:stream/views""#) => [(
        &format!("account id `12345` in the stream ARN has 5 digits; it has 12\n{FORM}"),
        "\"arn:aws:kinesis:eu-west-1:12345:stream/views\""
    )];
    an_arn_of_another_service: stream(r#"arn = "arn:aws:sqs:eu-west-1:123456789012:orders""#) => [(
        &format!("stream ARN is an ARN of `sqs`, not of `kinesis`\n{FORM}"),
        "\"arn:aws:sqs:eu-west-1:123456789012:orders\""
    )];
    an_arn_of_a_consumer: stream(r#"arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/billing:1""#) => [(
        "stream ARN names a fan-out consumer; use its stream's ARN and `fan_out = \"billing\"`\nhelp: `arn = \"arn:aws:kinesis:eu-west-1:123456789012:stream/orders\"`",
        "\"arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/billing:1\""
    )];
    an_arn_in_another_region: format!(
        "#[kinesis_app(name = \"b\", region = \"us-east-1\")] mod b {{
            #[stream(arn = \"arn:aws:kinesis:eu-west-1:123456789012:stream/orders\")] struct Orders; {HANDLER} }}"
    ) => [(
        "the ARN is in `eu-west-1`, the app in `us-east-1`\nhelp: an app reads one region; split it, or change `region`",
        "\"arn:aws:kinesis:eu-west-1:123456789012:stream/orders\""
    )];
    name_and_arn: stream(r#"name = "v", arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/v""#) => [(
        "`name` and `arn` both say which stream this is", "arn"
    )];
    neither_name_nor_arn: stream("batch_size = 5") => [(
        "`#[stream]` needs `name = \"..\"` or `arn = \"..\"`", "stream"
    )];
    one_stream_twice: module(&format!("{STREAM} #[stream(name = \"orders\")] struct Again; {HANDLER}")) => [(
        "stream `orders` is already declared as `Orders`\nhelp: use `Orders`; one consumer of a shard is enough, two would fight over its lease",
        "\"orders\""
    )];
    one_stream_twice_under_conditions: module(&format!(
        "#[cfg(unix)] {STREAM} #[cfg(windows)] #[stream(name = \"orders\")] struct Again; {HANDLER}"
    )) => [];
    a_tuple_struct: module(&format!("#[stream(name = \"orders\")] pub struct Orders(Order); {HANDLER}")) => [(
        "a stream is a unit struct\nhelp: `pub struct Orders;`; the record type is the first parameter of its handler",
        "(Order)"
    )];
    a_tuple_struct_of_some: module(&format!("#[stream(name = \"orders\")] pub(in crate::a) struct Orders(Order); {HANDLER}")) => [(
        "a stream is a unit struct\nhelp: `pub(in crate::a) struct Orders;`; the record type is the first parameter of its handler",
        "(Order)"
    )];
    punctuation_for_an_answer: module(&format!("#[stream(name = \"orders\", on_fatal(=))] struct Orders; {HANDLER}")) => [
        ("expected an answer", "=")
    ];
    a_struct_with_braces: module(&format!("#[stream(name = \"orders\")] struct Orders {{}} {HANDLER}")) => [(
        "a stream is a unit struct\nhelp: `struct Orders;`; the record type is the first parameter of its handler",
        "{}"
    )];
    an_enum: module(&format!("#[stream(name = \"orders\")] enum Orders {{}} {HANDLER}")) => [(
        "`#[stream]` goes on a unit struct, not on an enum\nhelp: `struct Orders;`; the record type is the first parameter of its handler", "enum"
    )];
    a_function: module(&format!("#[stream(name = \"orders\")] fn orders() {{}} {HANDLER}")) => [(
        "`#[stream]` goes on a unit struct, not on a function", "fn"
    )];
    a_batch_of_nothing: stream(r#"name = "orders", batch_size = 0"#) => [(
        "batch size is 0; a read asks for 1 to 10000 records\nhelp: leave `batch_size` out to read as many as the service returns",
        "0"
    )];
    a_batch_that_is_too_large: stream(r#"name = "orders", batch_size = 20_000"#) => [(
        "batch size is 20000; one GetRecords call returns at most 10000\nhelp: leave `batch_size` out to read as many as the service returns",
        "20_000"
    )];
    a_batch_beyond_all_numbers: stream(r#"name = "orders", batch_size = 99999999999999999999999"#) => [(
        "batch size is 99999999999999999999999; one GetRecords call returns at most 10000\nhelp: leave `batch_size` out to read as many as the service returns",
        "99999999999999999999999"
    )];
    a_batch_in_quotes: stream(r#"name = "orders", batch_size = "500""#) => [(
        "`batch_size` takes a whole number, not a string\nhelp: `batch_size = 500`", "\"500\""
    )];
    a_batch_with_a_unit: stream(r#"name = "orders", batch_size = 500ms"#) => [(
        "`batch_size` takes a whole number, not one with the suffix `ms`\nhelp: `batch_size = 500`", "500ms"
    )];
    a_batch_below_nothing: stream(r#"name = "orders", batch_size = -1"#) => [(
        "`batch_size` takes a whole number, not a negative one\nhelp: `batch_size = 500`", "-1"
    )];
    half_a_record: stream(r#"name = "orders", batch_size = 0.5"#) => [(
        "`batch_size` takes a whole number, not a decimal number\nhelp: `batch_size = 500`", "0.5"
    )];
    a_batch_in_parentheses: stream(r#"name = "orders", batch_size(500)"#) => [(
        "`batch_size` takes its value after `=`\nhelp: `batch_size = 500`", "(500)"
    )];
    an_interval_that_is_too_short: stream(r#"name = "orders", poll_interval = "100ms""#) => [(
        "poll interval is 100ms; a shard serves 5 reads a second, one per 200ms\nhelp: `poll_interval = \"250ms\"`\nnote: every polling consumer of the stream shares those 5 reads",
        "\"100ms\""
    )];
    an_interval_that_outlives_the_iterator: stream(r#"name = "orders", poll_interval = "5m""#) => [(
        "poll interval is 5m; an iterator expires after 5m, so the longest is 4m\nhelp: `poll_interval = \"4m\"`",
        "\"5m\""
    )];
    an_interval_of_a_variable: stream(r#"name = "orders", poll_interval(env = "POLL", default = "500ms")"#) => [];
    an_interval_of_a_variable_whose_default_is_too_short: stream(r#"name = "orders", poll_interval(env = "POLL", default = "100ms")"#) => [(
        "poll interval is 100ms; a shard serves 5 reads a second, one per 200ms\nhelp: `default = \"250ms\"`\nnote: every polling consumer of the stream shares those 5 reads",
        "\"100ms\""
    )];
    an_interval_of_no_variable: stream(r#"name = "orders", poll_interval(default = "1s")"#) => [(
        "`poll_interval(..)` does not name a variable\nhelp: `poll_interval(env = \"VARIABLE\")`", "(default = \"1s\")"
    )];
    a_time_of_a_variable: stream(r#"name = "orders", start(timestamp(env = "SINCE"))"#) => [];
    a_time_of_a_variable_whose_default_is_none: stream(r#"name = "orders", start(timestamp(env = "SINCE", default = "2026-01-01"))"#) => [(
        "timestamp `2026-01-01`: has no time\nhelp: `\"2026-01-01T00:00:00Z\"`", "\"2026-01-01\""
    )];
    an_interval_without_a_unit: stream(r#"name = "orders", poll_interval = 500"#) => [(
        "`poll_interval` takes a duration in quotes\nhelp: `poll_interval = \"500ms\"`\nnote: units: `ms`, `s`, `m`, `h`",
        "500"
    )];
    an_interval_without_quotes: stream(r#"name = "orders", poll_interval = 2s"#) => [(
        "`poll_interval` takes a duration in quotes\nhelp: `poll_interval = \"2s\"`\nnote: units: `ms`, `s`, `m`, `h`",
        "2s"
    )];
    an_interval_in_words: stream(r#"name = "orders", poll_interval = "4 minutes""#) => [(
        "duration `4 minutes` has a space at byte 1; it is a whole number and `ms`, `s`, `m` or `h`\nhelp: `poll_interval = \"4m\"`",
        "\"4 minutes\""
    )];
    a_key_whose_machinery_is_missing: stream(r#"name = "orders", fan_out = "billing""#) => [(
        "`fan_out` is not built yet\nhelp: leave it out: shards are polled, every `poll_interval`", "fan_out"
    )];
    a_consumer_by_its_arn: stream(
        r#"name = "orders", fan_out = "arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/billing:1""#
    ) => [(
        "`fan_out` takes the consumer's name, not its ARN\nhelp: `fan_out = \"billing\"`; it is registered at startup if it does not exist",
        "\"arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/billing:1\""
    )];
    an_arn_that_names_no_consumer: stream(r#"name = "orders", fan_out = "arn:aws:kinesis:eu-west-1:123456789012:stream/orders""#) => [(
        "`fan_out` takes the consumer's name, not its ARN", "\"arn:aws:kinesis:eu-west-1:123456789012:stream/orders\""
    )];
    a_consumer_with_a_space: stream(r#"name = "orders", fan_out = "the billing""#) => [(
        "consumer name `the billing` has a space at byte 3; names use letters, digits, `_`, `.` and `-`\nhelp: `fan_out = \"the-billing\"`; it is registered at startup if it does not exist",
        "\"the billing\""
    )];
    a_consumer_without_a_name: stream(r#"name = "orders", fan_out = """#) => [(
        "consumer name is empty; Kinesis names have 1 to 128 characters", "\"\""
    )];
    a_consumer_whose_name_is_too_long: stream(&format!("name = \"orders\", fan_out = \"{}\"", "c".repeat(129))) => [(
        "consumer name has 129 characters; the most is 128", &format!("\"{}\"", "c".repeat(129))
    )];
    polling_beside_fan_out: stream(r#"name = "orders", poll_interval = "500ms", fan_out = "billing""#) => [(
        "`poll_interval` has no meaning with `fan_out`: shards push their records\nhelp: remove one of the two", "poll_interval"
    )];
    polling_beside_fan_out_that_would_be_wrong_by_itself: stream(r#"name = "orders", fan_out = "billing", poll_interval = "1ms", batch_size = 0"#) => [
        ("`poll_interval` has no meaning with `fan_out`: shards push their records\nhelp: remove one of the two", "poll_interval"),
        ("`batch_size` has no meaning with `fan_out`: shards push their records\nhelp: remove one of the two", "batch_size"),
    ];
    polling_beside_a_consumer_by_its_arn: stream(r#"name = "orders", fan_out = "arn:x", batch_size = 5"#) => [
        ("`fan_out` takes the consumer's name, not its ARN", "\"arn:x\""),
        ("`batch_size` has no meaning with `fan_out`: shards push their records\nhelp: remove one of the two", "batch_size"),
    ];
    fan_out_without_a_name: stream(r#"name = "orders", fan_out"#) => [(
        "`fan_out` is not built yet\nhelp: leave it out: shards are polled, every `poll_interval`", "fan_out"
    )];
    another_key_whose_machinery_is_missing: stream(r#"name = "orders", aggregates(..), fan_out = NAME"#) => [
        ("`aggregates` is not built yet\nhelp: leave it out: an aggregate goes the way of `undecodable(..)`", "aggregates"),
        ("`fan_out` is not built yet\nhelp: leave it out: shards are polled, every `poll_interval`", "fan_out"),
    ];
    an_unknown_position: stream(r#"name = "orders", start(earliest)"#) => [(
        &format!("unknown start position `earliest`\nhelp: the oldest record kept is `trim_horizon`\n{POSITIONS}"),
        "earliest"
    )];
    a_position_in_quotes: stream(r#"name = "orders", start("latest")"#) => [(
        "`start(..)` does not take a value alone\nhelp: `start(latest)`", "\"latest\""
    )];
    a_position_with_a_value_in_quotes: stream(r#"name = "orders", start("timestamp")"#) => [(
        "`start(..)` does not take a value alone\nhelp: `start(timestamp = \"2026-01-31T00:00:00Z\")`",
        "\"timestamp\""
    )];
    shards_alone: stream(r#"name = "orders", create_if_missing(2)"#) => [(
        "`create_if_missing(..)` does not take a value alone\nhelp: `create_if_missing(shards = 2)`", "2"
    )];
    a_misspelt_position: stream(r#"name = "orders", start(latst)"#) => [(
        &format!("unknown start position `latst`\nhelp: a position with a similar name exists: `latest`\n{POSITIONS}"),
        "latst"
    )];
    a_position_after_an_equals_sign: stream(r#"name = "orders", start = latest"#) => [(
        "`start` takes its position in parentheses\nhelp: `start(latest)`", "latest"
    )];
    a_position_that_is_missing: stream(r#"name = "orders", start()"#) => [(
        "`start` takes its position in parentheses\nhelp: `start(latest)`", "()"
    )];
    two_positions: stream(r#"name = "orders", start(latest, trim_horizon)"#) => [(
        "a shard starts in one place; `latest` is already given", "trim_horizon"
    )];
    a_position_without_its_key: stream(r#"name = "orders", latest"#) => [(
        &format!("unknown key `latest` in `#[stream]`\nhelp: `start(latest)`\n{KNOWN}"),
        "latest"
    )];
    a_day_that_does_not_exist: stream(r#"name = "orders", start(timestamp = "2026-02-30T00:00:00Z")"#) => [(
        "timestamp `2026-02-30T00:00:00Z`: February 2026 has 28 days", "\"2026-02-30T00:00:00Z\""
    )];
    a_time_without_a_zone: stream(r#"name = "orders", start(timestamp = "2026-01-31 00:00")"#) => [(
        "timestamp `2026-01-31 00:00`: has no time zone\nhelp: `\"2026-01-31T00:00:00Z\"`", "\"2026-01-31 00:00\""
    )];
    a_time_in_seconds: stream(r#"name = "orders", start(timestamp = "1767225600")"#) => [(
        "timestamp `1767225600`: write RFC 3339, not seconds\nhelp: `\"2026-01-01T00:00:00Z\"`", "\"1767225600\""
    )];
    a_time_that_is_a_number: stream(r#"name = "orders", start(timestamp = 1767225600)"#) => [(
        "timestamp `1767225600`: write RFC 3339, not seconds\nhelp: `\"2026-01-01T00:00:00Z\"`", "1767225600"
    )];
    a_sequence_number_as_a_start: stream(r#"name = "orders", start(sequence = "4961")"#) => [(
        &format!("a sequence number names one place in one shard, a start names every shard\nhelp: take a `Seeker` of the stream in its `#[on_shard_start]` hook, and seek there\n{POSITIONS}"),
        "sequence"
    )];
    a_default_with_a_space: stream(r#"name(env = "S", default = "a b")"#) => [(
        "stream name `a b` has a space at byte 1; names use letters, digits, `_`, `.` and `-`\nhelp: `default = \"a-b\"`",
        "\"a b\""
    )];
    a_default_that_is_an_arn: stream(r#"name(env = "S", default = "arn:x")"#) => [(
        "stream name `arn:x` is an ARN; `arn` takes it", "\"arn:x\""
    )];
    an_unknown_key: stream(r#"name = "o", limit = 100"#) => [(
        &format!("unknown key `limit` in `#[stream]`\nhelp: the most records one read asks for is `batch_size`\n{KNOWN}"),
        "limit"
    )];
    a_key_twice: stream(r#"name = "a", name = "b""#) => [("`name` is set twice in `#[stream]`", "name")];
    a_generic_stream: module(&format!("#[stream(name = \"o\")] pub struct Orders<T>; {HANDLER}")) => [(
        "a stream takes no type parameters\nhelp: `pub struct Orders;`", "<T>"
    )];
    no_shards: stream(r#"name = "orders", create_if_missing(shards = 0)"#) => [(
        "shard count is 0; a stream has at least 1 shard", "0"
    )];
    shards_without_a_number: stream(r#"name = "orders", create_if_missing"#) => [(
        "`create_if_missing` takes the number of shards in parentheses\nhelp: `create_if_missing(shards = 1)`",
        "create_if_missing"
    )];
    a_new_stream_with_an_arn: stream(
        r#"arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/v", create_if_missing(shards = 1)"#
    ) => [(
        "`create_if_missing` needs `name`: a new stream has no ARN yet\nhelp: remove the key, or use `name = \"..\"`",
        "create_if_missing(shards = 1)"
    )];
    a_codec_after_an_equals_sign: stream(r#"name = "orders", codec = Raw"#) => [(
        "`codec` takes its type in parentheses\nhelp: `codec(Raw)`", "Raw"
    )];
    a_codec_that_is_no_type: stream(r#"name = "orders", codec("json")"#) => [(
        "`codec` takes a type\nhelp: `codec(Json)`", "(\"json\")"
    )];
    arguments_after_an_equals_sign: module(&format!("#[stream = \"orders\"] struct Orders; {HANDLER}")) => [(
        "`#[stream]` takes its arguments in parentheses", "\"orders\""
    )];
    a_misspelt_name_is_not_missing_as_well: stream(r#"nmae = "orders""#) => [(
        &format!("unknown key `nmae` in `#[stream]`\nhelp: a key with a similar name exists: `name`\n{KNOWN}"),
        "nmae"
    )];
    a_crate_of_its_own: stream(r#"name = "orders", crate = other"#) => [(
        "`crate` is the app's: `::kinesis_app`\nhelp: set it in `#[kinesis_app]`; it is for streams that stand alone",
        "crate"
    )];
    a_second_attribute: module(&format!(
        "#[stream(name = \"orders\")] #[stream(name = \"more\")] struct Orders; {HANDLER}"
    )) => [("`Orders` is already a `#[stream]`", "stream")];
    hidden_in_a_condition: module(&format!(
        "#[cfg_attr(all(test, unix), derive(Debug), stream(name = \"x\"))] struct Orders; {HANDLER}"
    )) => [(
        "`#[stream]` inside `cfg_attr` is not seen by `#[kinesis_app]`\nhelp: put `#[cfg(all(test, unix))]` on the struct",
        "stream"
    )];
}
