//! What a handler, a stream, an argument and a key cost, in lines of the expansion as it is printed. Glue is compiled by everybody
//! and read by whoever debugs it: what takes more than this belongs in the runtime, as a function.

use crate::tests::source;

const STREAM: &str = "#[stream(name = \"views\")] struct Views;";

/// Lines of glue, those of the imports and the editor's hints left out.
fn lines(items: &str) -> usize {
    let source = format!("#[kinesis_app(name = \"a\")] mod a {{ {items} {HANDLER} }}");
    assert_eq!(source::errors(&source), []);
    let expansion = syn::parse2(source::expand(&source)).expect("the expansion is Rust");
    let text = prettyplease::unparse(&expansion);
    let (_, glue) = text.split_once("pub struct App;").expect("the application");
    let (glue, _) = glue.split_once("unused_imports").expect("the imports");
    glue.lines().count()
}

const HANDLER: &str = "#[stream(name = \"orders\")] struct Orders; #[on_record(Orders)] async fn book(order: Order) -> Outcome { go() }";

fn cost(more: &str, than: &str) -> usize {
    lines(more) - lines(than)
}

/// A handler of `Views` with these keys and further arguments.
fn handler(kind: &str, keys: &str, arguments: &str) -> String {
    let given = if kind == "on_batch" {
        "Batch<View>"
    } else {
        "View"
    };
    format!(
        "{STREAM} #[{kind}(Views {keys})] async fn count(views: {given} {arguments}) -> Outcome {{ go() }}"
    )
}

#[test]
fn a_stream_takes_eight_lines_and_one_to_register_it() {
    assert_eq!(cost(STREAM, ""), 8 + 1);
}

#[test]
fn a_handler_takes_eighteen_lines_with_its_argument_and_two_to_register_it() {
    assert_eq!(cost(&handler("on_record", "", ""), STREAM), 18 + 2);
    // The names of its context and its trait break a line each.
    assert_eq!(cost(&handler("on_batch", "", ""), STREAM), 22 + 2);
}

#[test]
fn an_argument_takes_a_line() {
    for kind in ["on_record", "on_batch"] {
        let one = handler(kind, "", "");
        let three = handler(kind, "", ", at: Position, State(db): State<Db>");
        assert_eq!(cost(&three, &one), 2, "{kind}");
    }
}

#[test]
fn a_key_takes_a_line_or_one_for_each_of_its_parts() {
    let handlers = [
        ("ordered(shard)", 1),
        ("undecodable(skip)", 1),
        // Five of them register a stream that is declared elsewhere.
        ("undecodable(dead_letter(Rejected))", 6),
        ("timeout = \"1s\"", 3),
        ("concurrency = 8", 4),
        ("retry(attempts = 5, backoff = \"1s\")", 5),
    ];
    for (key, lines) in handlers {
        let plain = handler("on_record", "", "");
        let with = handler("on_record", &format!(", {key}"), "");
        // The descriptor itself opens once.
        assert_eq!(cost(&with, &plain), lines + 2, "{key}");
    }
}

#[test]
fn a_hook_takes_ten_lines_and_one_of_shards_sixteen() {
    let ready = "#[on_ready] async fn ready(setup: Setup) { go() }";
    assert_eq!(cost(ready, ""), 10);
    let start = "#[on_shard_start(Orders)] async fn open(shard: ShardId) { go() }";
    assert_eq!(cost(start, ""), 16 + 2);
}
