//! What the README quotes is what there is. Its other code is compiled by the examples' doctests.

use std::{fs, path::Path};

/// A block of the README behind a comment that names a file: it is a part of that file.
struct Quote<'a> {
    file: &'a str,
    text: &'a str,
}

impl Quote<'_> {
    /// Code, and no compile error.
    fn is_code(&self) -> bool {
        Path::new(self.file).extension() == Some("rs".as_ref())
    }
}

fn root(file: &str) -> String {
    let path = format!("{}/../{file}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn quotes(readme: &str) -> Vec<Quote<'_>> {
    let quoted = readme.split("<!-- from ").skip(1).map(|part| {
        let (file, rest) = part.split_once(" -->\n").expect("an end of the comment");
        let (_, rest) = rest.split_once("```").expect("a block behind it");
        let (_, rest) = rest.split_once('\n').expect("the block's first line");
        let (text, _) = rest.split_once("```").expect("an end of the block");
        Quote { file, text }
    });
    quoted.collect()
}

#[test]
fn every_quote_stands_in_its_file() {
    let readme = root("README.md");
    for Quote { file, text } in quotes(&readme) {
        assert!(
            root(file).contains(text),
            "the README quotes {file} with\n{text}"
        );
    }
}

#[test]
fn three_errors_are_quoted_whole() {
    let readme = root("README.md");
    let errors = quotes(&readme).into_iter();
    let errors: Vec<_> = errors.filter(|quote| !quote.is_code()).collect();
    assert_eq!(errors.len(), 3);
    for Quote { file, text } in errors {
        assert_eq!(root(file), text, "{file}");
    }
}

/// A block that no doctest compiles stands in a file that is compiled.
#[test]
fn no_code_is_neither_compiled_nor_quoted() {
    let readme = root("README.md");
    let ignored = readme.matches("```rust,ignore").count();
    let quotes = quotes(&readme).into_iter();
    assert_eq!(quotes.filter(Quote::is_code).count(), ignored);
}
