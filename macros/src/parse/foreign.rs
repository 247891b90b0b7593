//! Attributes that other libraries put on handlers, hooks and streams: rustc only knows that it does not know them.

use proc_macro2::TokenTree;
use syn::Attribute;

use crate::advice::{distance, snake};
use crate::keys;
use crate::parse::marks::Kind;

#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Foreign {
    pub(crate) name: &'static str,
    on: On,
    pub(crate) means: Means,
}

impl Foreign {
    /// Whether it may stand on any item but a handler, a hook or a stream.
    pub(super) fn only_on_ours(&self) -> bool {
        matches!(self.means, Means::Nothing(_))
    }
}

/// What an attribute stands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum On {
    Function,
    Struct,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Means {
    /// It is ours in another spelling.
    Spelled,
    /// It is written so here.
    Written(&'static str),
    /// It has no place here, and why.
    Nothing(&'static str),
}

const fn function(name: &'static str, written: &'static str) -> Foreign {
    Foreign {
        name,
        on: On::Function,
        means: Means::Written(written),
    }
}

const fn structure(name: &'static str, written: &'static str) -> Foreign {
    Foreign {
        name,
        on: On::Struct,
        means: Means::Written(written),
    }
}

const RECORD: &str = "#[on_record(Orders)]";
const BATCH: &str = "#[on_batch(Orders)]";
const STREAM: &str = "#[stream(name = \"orders\")]";

const TEST: &str = "a test is left out of the application, which calls the function";

const ALL: &[Foreign] = &[
    function("record", RECORD),
    function("on_message", RECORD),
    function("on_event", RECORD),
    function("on_data", RECORD),
    function("message", RECORD),
    function("handler", RECORD),
    function("handle", RECORD),
    function("record_handler", RECORD),
    function("message_handler", RECORD),
    function("subscriber", RECORD),
    function("subscribe", RECORD),
    function("subscription", RECORD),
    function("consumer", RECORD),
    function("consume", RECORD),
    function("listener", RECORD),
    function("kinesis_listener", RECORD),
    function("kafka_listener", RECORD),
    function("sqs_listener", RECORD),
    function("stream_listener", RECORD),
    function("incoming", RECORD),
    function("process_record", RECORD),
    function("batch", BATCH),
    function("process_records", BATCH),
    function("on_messages", BATCH),
    function("batch_handler", BATCH),
    function("publisher", "#[on_record(Orders, publish(Receipts))]"),
    function("start", "#[on_start]"),
    function("on_init", "#[on_start]"),
    function("on_startup", "#[on_start]"),
    function("startup", "#[on_start]"),
    function("init", "#[on_start]"),
    function("setup", "#[on_start]"),
    function("shutdown_requested", "#[on_shutdown]"),
    function("on_stop", "#[on_shutdown]"),
    function("on_exit", "#[on_shutdown]"),
    function("shutdown", "#[on_shutdown]"),
    function("teardown", "#[on_shutdown]"),
    function("config", "#[configure]"),
    function("settings", "#[configure]"),
    function("initialize", "#[on_shard_start(Orders)]"),
    function("on_shard_initialized", "#[on_shard_start(Orders)]"),
    function("shard_ended", "#[on_shard_end(Orders)]"),
    function("on_shard_ended", "#[on_shard_end(Orders)]"),
    structure("topic", STREAM),
    structure("queue", STREAM),
    structure("channel", STREAM),
    structure("source", STREAM),
    structure("kinesis_stream", STREAM),
    structure("kinesis", STREAM),
    structure("state", "#[derive(AppState)]"),
    structure("app_data", "#[derive(AppState)]"),
    Foreign {
        name: "tokio::main",
        on: On::Function,
        means: Means::Nothing(
            "it runs on the runtime of `main`, which stands outside of the module",
        ),
    },
    Foreign {
        name: "tokio::test",
        on: On::Function,
        means: Means::Nothing(TEST),
    },
    Foreign {
        name: "test",
        on: On::Function,
        means: Means::Nothing(TEST),
    },
    Foreign {
        name: "serde",
        on: On::Struct,
        means: Means::Nothing("a stream has no fields; it goes on the record type"),
    },
];

/// The attribute in our words, if it is one of these: written without a path, and no macro that the module imports by name.
pub(super) fn find(
    attr: &Attribute,
    on: On,
    imported: &[String],
    before: &[Attribute],
) -> Option<&'static Foreign> {
    let written = crate::words::path_text(attr.path());
    if imported.contains(&written) {
        return None;
    }
    if let Some(ours) = ours(attr, on) {
        return Some(ours);
    }
    // A derive macro's own may have any other name.
    if on == On::Struct && before.iter().any(derives) {
        return None;
    }
    let name = match attr.path().get_ident() {
        Some(_) => snake(&written),
        None => written,
    };
    ALL.iter()
        .find(|foreign| foreign.name == name && foreign.on == on)
}

/// `#[derive(..)]`, by any path and on any condition.
fn derives(attr: &Attribute) -> bool {
    let last = attr.path().segments.last();
    last.is_some_and(|last| last.ident == "derive" || last.ident == "cfg_attr")
}

/// One of our own in another spelling: `#[OnRecord(Orders)]`, and `#[steam(name = "orders")]`, without which the struct would
/// be no stream as well.
fn ours(attr: &Attribute, on: On) -> Option<&'static Foreign> {
    let name = snake(&attr.path().get_ident()?.to_string());
    let slip = on == On::Struct && distance(&name, "stream") <= 1 && takes_keys_of_streams(attr);
    let name = if slip { "stream" } else { &*name };
    OURS.iter().find(|ours| ours.name == name && ours.on == on)
}

fn takes_keys_of_streams(attr: &Attribute) -> bool {
    let words = attr.meta.require_list().map(|list| list.tokens.clone());
    match words.unwrap_or_default().into_iter().next() {
        Some(TokenTree::Ident(word)) => keys::STREAM.find(&word.to_string()).is_some(),
        Some(TokenTree::Literal(_)) => true,
        _ => false,
    }
}

static OURS: [Foreign; 6] = [
    spelling(Kind::OnRecord, On::Function),
    spelling(Kind::OnBatch, On::Function),
    spelling(Kind::OnStart, On::Function),
    spelling(Kind::OnReady, On::Function),
    spelling(Kind::OnShutdown, On::Function),
    spelling(Kind::Stream, On::Struct),
];

const fn spelling(kind: Kind, on: On) -> Foreign {
    Foreign {
        name: kind.name(),
        on,
        means: Means::Spelled,
    }
}
