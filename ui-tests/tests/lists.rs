//! A file that no list names would be checked by nobody.

use std::fs;

fn files(folder: &str) -> Vec<String> {
    let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<String> = fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    files.sort();
    files
}

/// What stands in the library between two texts, in the order of the alphabet.
fn listed(before: &str, after: &str) -> Vec<String> {
    let parts = include_str!("../src/lib.rs").split(before).skip(1);
    let mut names: Vec<String> = parts
        .map(|part| part.split(after).next().unwrap_or_default().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn every_file_of_pass_is_a_module_of_the_library() {
    assert_eq!(files("pass"), listed("#[path = \"../pass/", "\"]"));
}

#[test]
fn the_examples_of_every_attribute_are_compiled() {
    assert_eq!(
        files("../macros/docs"),
        listed("include_str!(\"../../macros/docs/", "\")")
    );
}
