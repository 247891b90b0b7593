//! Every error of ours: its whole text, and the source text that it underlines.

mod app;
mod batch;
mod failure;
mod habits;
mod handler;
mod hook;
mod leases;
mod many;
mod outside;
mod replies;
mod state;
mod stream;

use crate::tests::source;

/// The errors of a source, all of them, in this order.
fn check(source: &str, expected: &[(&str, &str)]) {
    let found = source::errors(source);
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|error| (&*error.text, &*error.underlined))
        .collect();
    assert_eq!(found, expected, "in {source}");
}

/// One test a message: its name is the mistake, its lines are the source, the text and what is underlined.
macro_rules! messages {
    ($($name:ident: $source:expr => [$(($text:expr, $underlined:expr)),* $(,)?];)*) => { $(
        #[test]
        fn $name() {
            $crate::tests::messages::check(&$source, &[$(($text, $underlined)),*]);
        }
    )* };
}
use messages;

/// An app with these arguments, and nothing else to say.
fn app(args: &str) -> String {
    format!("#[kinesis_app({args})] mod billing {{ {STREAM} {HANDLER} }}")
}

/// An app with this body.
fn module(body: &str) -> String {
    format!("#[kinesis_app(name = \"billing\")] mod billing {{ {body} }}")
}

/// An app whose stream has these arguments.
fn stream(args: &str) -> String {
    module(&format!("#[stream({args})] pub struct Orders; {HANDLER}"))
}

/// An app with this handler.
fn handler(handler: &str) -> String {
    module(&format!("{STREAM} {handler}"))
}

/// An app with this hook beside its handler.
fn hook(hook: &str) -> String {
    module(&format!("{STREAM} {HANDLER} {hook}"))
}

const STREAM: &str = "#[stream(name = \"orders\")] pub struct Orders;";
const HANDLER: &str =
    "#[on_record(Orders)] async fn book(order: Order) -> Outcome { Outcome::Done }";
