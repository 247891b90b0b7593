//! The editor's names exist: one documented, empty module for each key in the runtime's `__ide`; and each attribute and key that
//! is typed is given to the editor as one of them.

use std::fmt::Write;
use std::path::Path;

use crate::keys::{ATTRIBUTES, Key, Stage};
use crate::tests::expansion::compare;
use crate::tests::source;

/// `crate` cannot be the name of a module.
fn has_a_name(key: &Key) -> bool {
    key.stage == Stage::Built && key.name != "crate"
}

#[test]
fn the_runtime_documents_every_key_for_the_editor() {
    let mut text = String::from(
        "//! Names for rust-analyzer: under it, the words of an attribute expand to imports of these modules, so that hovering a\n\
         //! key shows its documentation and completion knows the others. Written from the key tables of the macros by their tests.\n",
    );
    for table in ATTRIBUTES {
        write!(text, "\n/// Keys of `#[{0}]`.\npub mod {0} {{\n", table.of).expect("in memory");
        for key in table.keys.iter().filter(|key| has_a_name(key)) {
            let Key {
                name,
                doc,
                left_out,
                ..
            } = key;
            writeln!(
                text,
                "    /// {doc} Left out: {left_out}.\n    pub mod {name} {{}}"
            )
            .expect("in memory");
        }
        text.push_str("}\n");
    }
    compare(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src/ide.rs"),
        &text,
    );
}

/// What an application expands to for the editor alone, without spaces.
fn hints(app: &str, items: &str) -> String {
    let source = format!("#[kinesis_app({app})] mod a {{ {items} }}");
    let text = source::expand(&source).to_string().replace(' ', "");
    let (_, hints) = text.split_once("cfg(rust_analyzer)").expect("the hints");
    hints.to_owned()
}

#[test]
fn every_key_is_given_to_the_editor_also_half_typed() {
    for table in ATTRIBUTES {
        for key in table.keys.iter().filter(|key| has_a_name(key)) {
            let half = &key.name[..key.name.len() - 1];
            for (typed, word) in [
                (key.form.to_owned(), key.name),
                (key.name.to_owned(), key.name),
                (format!("{} = ", key.name), key.name),
                (half.to_owned(), half),
            ] {
                let hints = match table.of {
                    "kinesis_app" => hints(&typed, ""),
                    "stream" => hints("", &format!("#[stream({typed})] struct Orders;")),
                    of => hints(
                        "",
                        &format!("#[{of}(Orders, {typed})] async fn book() {{}}"),
                    ),
                };
                let names = format!("::kinesis_app::__ide::{}::*;useself::", table.of);
                let (_, hint) = hints.split_once(&names).expect("the keys");
                let hint = &hint[..hint.find('}').expect("the end")];
                let given = hint.contains(&format!("{word}as_"));
                assert!(given, "`{typed}` in `#[{}]`: {hint}", table.of);
            }
        }
    }
}

#[test]
fn every_attribute_is_given_to_the_editor() {
    for attribute in [
        "on_record(Orders)",
        "on_batch(Orders)",
        "on_start",
        "on_ready",
        "on_shard_start(Orders)",
        "on_shard_end(Orders)",
        "on_shutdown",
        "configure",
        "aws",
        "leases",
        "observe",
    ] {
        let hints = hints("", &format!("#[{attribute}] async fn any() {{ broken() }}"));
        let (name, _) = attribute.split_once('(').unwrap_or((attribute, ""));
        assert!(
            hints.contains(&format!("use::kinesis_app::{name}as_;")),
            "{hints}"
        );
    }
    assert!(hints("", "#[stream] struct Orders;").contains("use::kinesis_app::streamas_;"));
}

#[test]
fn a_stream_that_stands_alone_has_its_keys_as_well() {
    let text = source::expand("#[stream(batch_)] pub struct Orders;").to_string();
    assert!(text.contains("batch_ as _"), "{text}");
}
