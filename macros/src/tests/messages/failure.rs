use super::{handler, messages, module};

fn with(args: &str) -> String {
    handler(&format!(
        "#[on_record(Orders, {args})] async fn book(order: Order) -> Outcome {{ Outcome::Done }}"
    ))
}

/// Handlers of streams `A`, `B`, .., each with these keys.
fn chain(keys: &[(&str, &str)]) -> String {
    let items: Vec<_> = keys
        .iter()
        .map(|(stream, keys)| {
            format!(
                "#[stream(name = \"{stream}\")] pub struct {stream};
                #[on_record({stream}, {keys})] async fn of(order: Order) -> Outcome {{ Outcome::Done }}"
            )
        })
        .collect();
    module(&items.join("\n"))
}

const PLACES: &str = "note: known places: `dead_letter(Rejected)`, `skip`, `halt`";

messages! {
    everything_at_once: with(
        "retry(attempts = 5, backoff = \"1s\", max_backoff = \"1s\"), exhausted(dead_letter(Rejected)), undecodable(dead_letter(Rejected)), \
        timeout = \"30s\", label = \"book-orders\", concurrency(shard = 8, total = 64)"
    ) => [];
    no_attempt: with("retry(attempts = 0)") => [("attempts is 0; the first delivery is one", "0")];
    more_attempts_than_are_counted: with("retry(attempts = 4_294_967_296)") => [(
        "attempts is 4294967296; `forever` has no end", "4_294_967_296"
    )];
    attempts_in_quotes: with("retry(attempts = \"5\")") => [(
        "`attempts` takes a whole number, not a string\nhelp: `attempts = 5`", "\"5\""
    )];
    attempts_alone: with("retry(5)") => [(
        "`retry(..)` does not take a value alone\nhelp: `retry(attempts = 5)`",
        "5"
    )];
    retry_after_an_equals_sign: with("retry = 5") => [(
        "`retry` takes its settings in parentheses\nhelp: `retry(attempts = 5)`",
        "5"
    )];
    attempts_without_end: with("retry(attempts = 5, forever)") => [(
        "`attempts` and `forever` both say when a record is given up on", "forever"
    )];
    an_unknown_setting: with("retry(times = 5)") => [(
        "unknown setting `times`\nhelp: the number of attempts is `attempts`\nnote: known settings: `attempts = 5`, `forever`, `backoff = \"200ms\"`, `max_backoff = \"30s\"`",
        "times"
    )];
    pauses_that_shrink: with("retry(backoff = \"1m\", max_backoff = \"30s\")") => [(
        "the longest backoff, 30s, is shorter than the first, 1m", "\"30s\""
    )];
    a_first_pause_above_the_usual_longest: with("retry(backoff = \"1m\")") => [(
        "the longest backoff, 30s, is shorter than the first, 1m\nhelp: `max_backoff = \"1m\"`", "\"1m\""
    )];
    a_longest_pause_below_the_usual_first: with("retry(max_backoff = \"100ms\")") => [(
        "the longest backoff, 100ms, is shorter than the first, 200ms", "\"100ms\""
    )];
    no_pause: with("retry(backoff = \"0s\")") => [(
        "backoff is 0s; a pause takes 1ms at least\nhelp: `backoff = \"1ms\"`", "\"0s\""
    )];
    a_pause_beyond_retention: with("retry(max_backoff = \"25h\")") => [(
        "max backoff is 25h; a stream may keep a record for no longer than 24h\nhelp: `max_backoff = \"24h\"`", "\"25h\""
    )];
    a_pause_without_a_unit: with("retry(backoff = 200)") => [(
        "`backoff` takes a duration in quotes\nhelp: `backoff = \"200ms\"`\nnote: units: `ms`, `s`, `m`, `h`", "200"
    )];
    no_time_at_all: with("timeout = \"0s\"") => [(
        "timeout is 0s; leave it out to set no limit\nhelp: `timeout = \"30s\"`", "\"0s\""
    )];
    time_of_a_variable: with("timeout(env = \"TIMEOUT\", optional), retry(backoff(env = \"FIRST\"), max_backoff(env = \"LONGEST\", default = \"1ms\"))") => [];
    time_of_a_variable_whose_default_has_no_unit: with("timeout(env = \"TIMEOUT\", default = \"30\")") => [(
        "duration `30` has no unit; it is a whole number and `ms`, `s`, `m` or `h`\nhelp: `default = \"30s\"`", "\"30\""
    )];
    time_of_a_variable_whose_default_is_too_long: with("retry(backoff(env = \"FIRST\", default = \"48h\"))") => [(
        "backoff is 48h; a stream may keep a record for no longer than 24h\nhelp: `default = \"24h\"`", "\"48h\""
    )];
    a_label_of_a_variable: with("label(env = \"LABEL\", default = \"book\")") => [];
    a_label_of_a_variable_whose_default_has_a_space: with("label(env = \"LABEL\", default = \"book it\")") => [(
        "handler label `book it` has a space at byte 4; labels use letters, digits, `_`, `.` and `-`\nhelp: `default = \"book-it\"`",
        "\"book it\""
    )];
    time_beyond_retention: with("timeout = \"48h\"") => [(
        "timeout is 48h; a stream may keep a record for no longer than 24h\nhelp: `timeout = \"24h\"`", "\"48h\""
    )];
    exhausted_without_an_end: with("exhausted(skip)") => [(
        "without `retry(attempts = ..)` a record is retried until it passes\nhelp: `retry(attempts = 5), exhausted(skip)`\nnote: with `retry(forever)` only errors made by `permanent(..)` and `Outcome::DeadLetter` go there",
        "exhausted"
    )];
    exhausted_after_pauses_without_an_end: with("retry(backoff = \"1s\"), exhausted(dead_letter(super::Rejected))") => [(
        "without `retry(attempts = ..)` a record is retried until it passes\nhelp: `retry(attempts = 5), exhausted(dead_letter(super::Rejected))`\nnote: with `retry(forever)` only errors made by `permanent(..)` and `Outcome::DeadLetter` go there",
        "exhausted"
    )];
    exhausted_with_attempts_that_are_wrong: with("retry(attempts = 0), exhausted(skip)") => [(
        "attempts is 0; the first delivery is one", "0"
    )];
    only_what_is_permanent_is_given_up_on: with("retry(forever), exhausted(skip)") => [];
    no_place: with("undecodable") => [(
        "`undecodable` takes its place in parentheses\nhelp: `undecodable(dead_letter(Rejected))`", "undecodable"
    )];
    an_unknown_place: with("undecodable(ignore)") => [(
        &format!("unknown place `ignore`\nhelp: the word for passing it over is `skip`\n{PLACES}"), "ignore"
    )];
    two_places: with("undecodable(skip, halt)") => [("a record ends in one place; `skip` is already given", "halt")];
    a_place_with_a_value: with("undecodable(skip = true)") => [("`skip` takes no value\nhelp: `skip` alone", "true")];
    a_dead_letter_to_nowhere: with("undecodable(dead_letter)") => [(
        "`dead_letter` takes its stream in parentheses\nhelp: `dead_letter(Rejected)`", "dead_letter"
    )];
    a_dead_letter_after_an_equals_sign: with("undecodable(dead_letter = Rejected)") => [(
        "`dead_letter` takes its stream in parentheses\nhelp: `dead_letter(Rejected)`", "Rejected"
    )];
    a_dead_letter_to_a_name: with("undecodable(dead_letter(\"rejected\"))") => [(
        "a stream is named by its type\nhelp: `dead_letter(Rejected)`, with `#[stream(name = \"..\")] struct Rejected;`",
        "\"rejected\""
    )];
    a_dead_letter_to_two_streams: with("undecodable(dead_letter(Rejected, Broken))") => [(
        "`dead_letter` takes the type of one stream\nhelp: `dead_letter(Rejected)`", ","
    )];
    a_dead_letter_to_its_own_stream: with("retry(attempts = 2), exhausted(dead_letter(self::Orders))") => [(
        "a dead letter to `self::Orders` comes straight back to this handler", "self::Orders"
    )];
    dead_letters_between_two_streams: chain(&[
        ("A", "undecodable(dead_letter(B))"),
        ("B", "undecodable(dead_letter(A)), retry(forever), exhausted(dead_letter(A))"),
    ]) => [(
        "records go round: `B` -> `A` -> `B`\nhelp: let one of these handlers write to a stream that nobody handles here", "A"
    )];
    dead_letters_between_three_streams: chain(&[
        ("A", "undecodable(dead_letter(B))"),
        ("C", "retry(attempts = 1), exhausted(dead_letter(A)), undecodable(dead_letter(D))"),
        ("B", "undecodable(dead_letter(self::C))"),
        ("D", "undecodable(skip)"),
    ]) => [(
        "records go round: `B` -> `C` -> `A` -> `B`\nhelp: let one of these handlers write to a stream that nobody handles here", "self::C"
    )];
    dead_letters_of_two_streams_in_one: chain(&[
        ("A", "undecodable(dead_letter(C))"),
        ("B", "undecodable(dead_letter(C))"),
        ("C", "undecodable(halt)"),
    ]) => [];
    a_label_with_a_space: with("label = \"book orders\"") => [(
        "handler label `book orders` has a space at byte 4; labels use letters, digits, `_`, `.` and `-`\nhelp: `label = \"book-orders\"`",
        "\"book orders\""
    )];
    an_empty_label: with("label = \"\"") => [("handler label is empty; labels have 1 to 128 characters", "\"\"")];
    nothing_in_total: with("concurrency(total = 0)") => [("total is 0; 1 handles one record of all shards at a time", "0")];
    more_of_one_shard_than_of_all: with("concurrency(shard = 8, total = 4)") => [(
        "the 8 records of one shard are more than the 4 of all shards\nhelp: `concurrency(shard = 4, total = 4)`", "total = 4"
    )];
    order_of_the_shard_and_eight_of_it: with("ordered(shard), concurrency(shard = 8)") => [(
        "`ordered(shard)` handles one record at a time, `concurrency = 8` eight\nhelp: `ordered(partition_key)` keeps each key in order and runs eight keys at once",
        "concurrency"
    )];
    an_unknown_kind_of_concurrency: with("concurrency(process = 8)") => [(
        "unknown setting `process`\nhelp: the number of records of all shards is `total`\nnote: known settings: `shard = 8`, `total = 64`",
        "process"
    )];
}
