//! The editor's names exist: one documented, empty module for each word in the runtime's `__ide`; and each attribute, key and word
//! that is typed is given to the editor as one of them.

use std::fmt::Write;
use std::path::Path;

use crate::keys::{ATTRIBUTES, Key, Kind, Place, Stage, Table, tables};
use crate::parse::marks;
use crate::tests::expansion::compare;
use crate::tests::source;

/// The words that can be the name of a module: `crate` cannot.
fn named(table: &'static Table) -> impl Iterator<Item = &'static Key> {
    let keys = table.keys.iter();
    keys.filter(|key| key.stage == Stage::Built && key.name != "crate")
}

#[test]
fn the_runtime_documents_every_word_for_the_editor() {
    let mut text = String::from(
        "//! Names for rust-analyzer: under it, the words of an attribute expand to imports of these modules, so that hovering a\n\
         //! word shows its documentation and completion knows the others. Written from the key tables of the macros by their tests.\n",
    );
    for table in tables() {
        let of = table.of;
        let what = match table.kind {
            Kind::Attribute => format!("Keys of `#[{of}]`"),
            Kind::Choice { many, .. } => format!("The {many} of `{of}`"),
        };
        write!(text, "\n/// {what}.\npub mod {of} {{\n").expect("in memory");
        for Key {
            name,
            doc,
            left_out,
            ..
        } in named(table)
        {
            let left_out = match *left_out {
                "" => String::new(),
                what => format!(" Left out: {what}."),
            };
            writeln!(text, "    /// {doc}{left_out}\n    pub mod {name} {{}}").expect("in memory");
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
    let expansion = source::expand(&source);
    // rustc parses what it leaves out.
    let parsed = syn::parse2::<syn::File>(expansion.clone());
    assert!(parsed.is_ok(), "`{source}` expands to `{expansion}`");
    let text = expansion.to_string().replace(' ', "");
    let (_, hints) = text.split_once("cfg(rust_analyzer)").expect("the hints");
    let (hints, _) = hints.split_once("}};").expect("the end of the hints");
    hints.to_owned()
}

/// The hints of one attribute that has this argument.
fn hints_of(attribute: &str, argument: &str) -> String {
    match attribute {
        "kinesis_app" => hints(argument, ""),
        "stream" => hints("", &format!("#[stream({argument})] struct Orders;")),
        of => hints(
            "",
            &format!("#[{of}(Orders, {argument})] async fn book() {{}}"),
        ),
    }
}

/// Types each word of a table, whole and half, and each in its parentheses; `around` is what they stand in. Gives their number.
fn type_words(table: &'static Table, attribute: &str, around: &dyn Fn(&str) -> String) -> usize {
    let mut typed = 0;
    for key in named(table) {
        let half = &key.name[..key.name.len() - 1];
        for (argument, word) in [
            (key.form.to_owned(), key.name),
            (key.name.to_owned(), key.name),
            (format!("{} = ", key.name), key.name),
            (format!("{}()", key.name), key.name),
            (half.to_owned(), half),
        ] {
            let argument = around(&argument);
            let hints = hints_of(attribute, &argument);
            let names = format!("::kinesis_app::__ide::{}::*;useself::", table.of);
            let (_, hint) = hints.split_once(&names).expect("the words");
            let hint = &hint[..hint.find('}').expect("the end")];
            let given = hint.contains(&format!("{{{word}as_"));
            assert!(given, "`{argument}` in `#[{attribute}]`: {hint}");
            typed += 1;
        }
        let inside = |argument: &str| around(&format!("{}({argument})", key.name));
        if let Some(table) = table.inside(key) {
            typed += type_words(table, attribute, &inside);
        } else if key.place() == Place::InParentheses {
            for (argument, path) in [
                ("Receipts", "Receipts"),
                ("crate::streams::Rec", "crate::streams::Rec"),
                ("crate::", "crate"),
                ("Receipts::<", "Receipts"),
                ("fn", ""),
                ("", ""),
            ] {
                let argument = inside(argument);
                let hints = hints_of(attribute, &argument);
                let given = hints.contains(&format!("let_:({path});"));
                assert!(given, "`{argument}` in `#[{attribute}]`: {hints}");
                typed += 1;
            }
        }
    }
    typed
}

#[test]
fn every_word_is_given_to_the_editor_also_half_typed() {
    for table in ATTRIBUTES {
        let typed = type_words(table, table.of, &str::to_owned);
        let keys = named(table).count();
        assert!(typed > 6 * keys, "{typed} words in `#[{}]`", table.of);
    }
}

#[test]
fn every_attribute_is_given_to_the_editor_and_its_stream() {
    for kind in marks::Kind::ALL {
        let name = kind.name();
        let item = match kind {
            marks::Kind::Stream => "struct Orders;",
            _ => "async fn any() { broken() }",
        };
        let hints = hints("", &format!("#[{name}(Ord)] {item}"));
        let import = format!("use::kinesis_app::{name}as_;");
        assert!(hints.contains(&import), "{hints}");
        let page = crate::tests::pages::page(name);
        let takes_a_stream = page.contains(&format!("#[{name}(Orders"));
        assert_eq!(takes_a_stream, hints.contains("let_:(Ord);"), "{hints}");
    }
}

/// Behind an error, whose text has the word in it, an editor would not find its place.
#[test]
fn the_hints_come_before_the_errors_and_the_glue() {
    for source in [
        "#[kinesis_app(na)] mod a { #[stream(start(tri))] struct Orders; }",
        "#[kinesis_app(name = \"a\")] mod a { #[stream(name = \"o\")] struct Orders; #[on_record(Orders)] async fn book(_: Order) -> Outcome { go() } }",
        "#[stream(start(tri))] struct Orders;",
        "#[stream(name = \"o\")] struct Orders;",
    ] {
        let text = source::expand(source).to_string();
        let (before, _) = text.split_once("rust_analyzer").expect("the hints");
        for late in ["compile_error", "struct App", "impl"] {
            assert!(!before.contains(late), "`{late}` in `{before}`");
        }
    }
}

#[test]
fn a_stream_that_stands_alone_has_its_words_as_well() {
    let text = source::expand("#[stream(batch_, start(tri))] pub struct Orders;").to_string();
    for word in ["batch_ as _", "tri as _"] {
        assert!(text.contains(word), "{text}");
    }
}
