use super::{handler, messages, module};

/// A handler of `Orders` with these arguments behind the stream.
fn with(args: &str) -> String {
    handler(&format!(
        "#[on_record(Orders, {args})] async fn book(order: Order) -> Keyed<Receipt> {{ todo!() }}"
    ))
}

/// A handler for each pair of streams, from the one to the other.
fn chain(pairs: &[(&str, &str)]) -> String {
    let handlers: Vec<_> = pairs
        .iter()
        .map(|(from, to)| {
            format!("#[on_record({from}, publish({to}))] async fn from_{from}(bytes: Bytes) -> Keyed<Bytes> {{ todo!() }}")
        })
        .collect();
    module(&handlers.join(" "))
}

const CIRCLE: &str = "help: let one of these handlers write to a stream that nobody handles here";

messages! {
    to_a_stream: with("publish(Receipts)") => [];
    to_a_stream_elsewhere: with("publish(crate::streams::Receipts)") => [];
    to_no_stream: with("publish") => [(
        "`publish` takes its stream in parentheses\nhelp: `publish(Receipts)`", "publish"
    )];
    to_nothing: with("publish()") => [(
        "`publish` takes its stream in parentheses\nhelp: `publish(Receipts)`", "()"
    )];
    in_the_other_form: with("publish = Receipts") => [(
        "`publish` takes its stream in parentheses\nhelp: `publish(Receipts)`", "Receipts"
    )];
    to_a_name: with("publish(\"receipts\")") => [(
        "a stream is named by its type\nhelp: `publish(Receipts)`, with `#[stream(name = \"..\")] struct Receipts;`",
        "\"receipts\""
    )];
    to_nobody: with("publish(Self)") => [(
        "a stream is named by its type\nhelp: `publish(Receipts)`", "Self"
    )];
    to_two_streams: with("publish(Receipts, Audit)") => [(
        "`publish` takes the type of one stream\nhelp: `publish(Receipts)`", ","
    )];
    to_something_else: with("publish(1 + 1)") => [(
        "`publish` takes the type of one stream\nhelp: `publish(Receipts)`", "1"
    )];
    by_another_word: with("reply(Receipts)") => [(
        "unknown key `reply` in `#[on_record]`\nhelp: the stream that replies go to is `publish`\nnote: known keys: `concurrency`, `ordered`, `retry`, `exhausted`, `undecodable`, `timeout`, `publish`, `label`",
        "reply"
    )];
    to_its_own_stream: with("publish(self::Orders)") => [(
        "a reply to `self::Orders` comes straight back to this handler", "self::Orders"
    )];
    in_a_circle: chain(&[("Orders", "Receipts"), ("Receipts", "Orders")]) => [(
        &format!("records go round: `Receipts` -> `Orders` -> `Receipts`\n{CIRCLE}"), "Orders"
    )];
    in_a_long_circle: chain(&[("B", "C"), ("A", "B"), ("X", "A"), ("C", "A"), ("D", "A")]) => [(
        &format!("records go round: `C` -> `A` -> `B` -> `C`\n{CIRCLE}"), "A"
    )];
    in_a_circle_with_a_dead_letter: module(
        "#[on_record(Orders, publish(Receipts))] async fn book(order: Order) -> Keyed<Receipt> { todo!() }
         #[on_record(Receipts, undecodable(dead_letter(Orders)))] async fn file(bytes: Bytes) -> Outcome { Outcome::Done }"
    ) => [(
        &format!("records go round: `Receipts` -> `Orders` -> `Receipts`\n{CIRCLE}"), "Orders"
    )];
    in_a_chain: chain(&[("A", "B"), ("B", "C"), ("D", "C"), ("A2", "D")]) => [];
}
