//! Mistakes out of habit: words, forms and places of other libraries.

mod brokers;
mod forms;
mod frameworks;
mod items;
mod kcl;
mod notation;
mod places;

use super::{app, handler, hook, messages, module, stream};
use crate::keys::Table;

/// A handler with these arguments.
fn record(args: &str) -> String {
    handler(&format!(
        "#[on_record({args})] async fn book(order: Order) -> Outcome {{ Outcome::Done }}"
    ))
}

/// A handler with this signature.
fn book(signature: &str) -> String {
    handler(&format!(
        "#[on_record(Orders)] {signature} {{ Outcome::Done }}"
    ))
}

/// A text with the list of keys behind it, which other rows hold word by word.
fn with_known(text: &str, table: &Table) -> String {
    format!("{text}\nnote: {}", table.known())
}
