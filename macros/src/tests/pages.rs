//! The attributes' pages in `docs/`, which are their rustdoc. Their tables of keys are written from the key tables;
//! `UPDATE_SNAPSHOTS=1 cargo test` writes them; read the diff.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::keys::{ATTRIBUTES, Key, Kind, Table, choices};
use crate::tests::expansion::compare;
use crate::tests::source;

const BEGIN: &str = "<!-- keys: written from the key tables -->\n";
const END: &str = "<!-- end of keys -->\n";

#[test]
fn the_tables_of_a_page_are_the_key_tables() {
    for table in ATTRIBUTES {
        let path = path(table.of);
        let text = page(table.of);
        let (head, rest) = text.split_once(BEGIN).expect("a beginning of the keys");
        let (_, tail) = rest.split_once(END).expect("an end of the keys");
        let written = format!("{head}{BEGIN}\n{}\n{END}{tail}", tables(table, "##"));
        compare(&path, &written);
    }
}

#[test]
fn every_page_begins_with_one_sentence_and_shows_an_example() {
    for name in names() {
        let page = page(&name);
        let first = paragraph(&page, 0);
        assert!(
            first.ends_with('.') && first.matches(". ").count() == 0,
            "{name}: {first}"
        );
        assert!(
            page.contains("\n```rust\n") || page.contains("\n```rust,no_run\n"),
            "{name}"
        );
    }
}

/// An example that does not compile says why, in the macro's words; another reason would be a mistake in the example.
#[test]
fn what_does_not_compile_fails_with_the_error_that_its_page_tells() {
    let examples = names().map(|name| {
        let page = page(&name);
        let example = page.split_once("```rust,compile_fail\n");
        let (_, example) = example.unwrap_or_else(|| panic!("`{name}` shows no mistake"));
        let (example, _) = example.split_once("```").expect("an end of the example");
        let lines = example.lines();
        let lines: Vec<_> = lines
            .map(|line| line.trim_start().strip_prefix("# ").unwrap_or(line))
            .collect();
        let told = lines
            .iter()
            .filter_map(|line| line.trim().strip_prefix("// error: "));
        let told: Vec<_> = told.map(str::to_owned).collect();
        let item = lines.iter().skip_while(|line| !line.starts_with("#["));
        let item = item.take_while(|line| !line.starts_with("fn main"));
        let item: Vec<_> = item.copied().collect();
        let errors = source::errors(&item.join("\n")).into_iter();
        let errors = errors.filter_map(|error| error.text.lines().next().map(str::to_owned));
        ((name.clone(), told), (name, errors.collect::<Vec<_>>()))
    });
    let (told, errors): (Vec<_>, Vec<_>) = examples.unzip();
    assert_eq!(told, errors);
}

/// The keys of an attribute, and beneath them the choices of each key that has some.
pub(super) fn tables(attribute: &Table, heading: &str) -> String {
    let mut text = table(attribute);
    let mut shown: Vec<(&Table, Vec<&str>)> = Vec::new();
    for key in attribute.keys.iter().filter(|key| key.is_built()) {
        let Some(choices) = choices(key) else {
            continue;
        };
        // What is chosen from alike is shown once.
        match shown
            .iter_mut()
            .find(|(table, _)| std::ptr::eq(table.keys, choices.keys))
        {
            Some((_, keys)) => keys.push(key.name),
            None => shown.push((choices, vec![key.name])),
        }
    }
    for (choices, keys) in shown {
        let keys: Vec<_> = keys.iter().map(|key| format!("`{key}(..)`")).collect();
        write!(
            text,
            "\n{heading} In {}\n\n{}",
            keys.join(" and "),
            table(choices)
        )
        .expect("in memory");
    }
    text
}

/// One table as Markdown.
pub(super) fn table(table: &Table) -> String {
    let what = match table.kind {
        Kind::Attribute => "key",
        Kind::Choice { .. } => "word",
    };
    let built = || table.keys.iter().filter(|key| key.is_built());
    let has_defaults = built().any(|key| !key.left_out.is_empty());
    let mut text = if has_defaults {
        format!("| {what} | written | left out | what it says |\n| --- | --- | --- | --- |\n")
    } else {
        format!("| {what} | written | what it says |\n| --- | --- | --- |\n")
    };
    for Key {
        name,
        form,
        left_out,
        doc,
        ..
    } in built()
    {
        let left_out = if has_defaults {
            format!(" {} |", cell(left_out))
        } else {
            String::new()
        };
        writeln!(text, "| `{name}` | `{form}` |{left_out} {} |", cell(doc)).expect("in memory");
    }
    text
}

/// Text as it stands in a cell of a table.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The pages' names, in the order of the alphabet.
pub(super) fn names() -> impl Iterator<Item = String> {
    let folder = std::fs::read_dir(folder()).expect("the pages");
    let mut names: Vec<_> = folder
        .filter_map(|entry| {
            entry
                .expect("an entry")
                .path()
                .file_stem()?
                .to_str()
                .map(Into::into)
        })
        .collect();
    names.sort();
    names.into_iter()
}

/// Neither an attribute with keys nor a derive.
pub(super) fn is_hook(name: &str) -> bool {
    name != "app_state" && ATTRIBUTES.iter().all(|table| table.of != name)
}

pub(super) fn page(name: &str) -> String {
    std::fs::read_to_string(path(name)).expect("the page")
}

/// What a page says beside its tables of keys and its examples.
pub(super) fn prose(page: &str) -> String {
    let parts = page.split(BEGIN).map(|part| match part.split_once(END) {
        Some((_, behind)) => behind,
        None => part,
    });
    parts
        .flat_map(|part| part.split("```").step_by(2))
        .collect()
}

/// A paragraph of a page.
pub(super) fn paragraph(page: &str, number: usize) -> &str {
    page.split("\n\n")
        .nth(number)
        .unwrap_or_default()
        .trim_end()
}

fn path(name: &str) -> PathBuf {
    folder().join(format!("{name}.md"))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}
