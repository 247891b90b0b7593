//! The editor's names exist: one documented, empty module for each key in the runtime's `__ide`.

use std::fmt::Write;
use std::path::Path;

use crate::keys::{APP, Key, ON_BATCH, ON_RECORD, STREAM, Stage};
use crate::tests::expansion::compare;

#[test]
fn the_runtime_documents_every_key_for_the_editor() {
    let mut text = String::from(
        "//! Names for rust-analyzer: under it, the words of an attribute expand to imports of these modules, so that hovering a\n\
         //! key shows its documentation and completion knows the others. Written from the key tables of the macros by their tests.\n",
    );
    for table in [&APP, &STREAM, &ON_RECORD, &ON_BATCH] {
        write!(text, "\n/// Keys of `#[{0}]`.\npub mod {0} {{\n", table.of).expect("in memory");
        for key in table.keys {
            // `crate` cannot be the name of a module.
            if key.stage == Stage::Built && key.name != "crate" {
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
        }
        text.push_str("}\n");
    }
    compare(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src/ide.rs"),
        &text,
    );
}
