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

/// A mistake without its words would be recorded, not checked; words without a mistake are checked by nobody.
#[test]
fn every_mistake_has_its_words() {
    let folders = files("fail")
        .into_iter()
        .map(|folder| format!("fail/{folder}"));
    let others = ["fail_rustc", "fail_features"].map(str::to_owned);
    for folder in folders.chain(others) {
        let mut files = files(&folder);
        // A module in another file is a mistake of its own, and has one.
        files.retain(|file| file.contains('.'));
        let sources = files.iter().filter_map(|file| file.strip_suffix(".rs"));
        let sources: Vec<&str> = sources.collect();
        let words = files.iter().filter_map(|file| file.strip_suffix(".stderr"));
        assert_eq!(sources, words.collect::<Vec<_>>(), "{folder}");
        assert!(!sources.is_empty(), "{folder}");
    }
}

/// Nothing is left out: no folder, no toolchain but the one in `rust-toolchain.toml`, no test that is ignored.
#[test]
fn every_folder_of_mistakes_is_run() {
    let run = include_str!("ui.rs");
    let folders = files(".")
        .into_iter()
        .filter(|file| file.starts_with("fail"));
    for folder in folders {
        assert!(
            run.contains(&format!("compile_fail(\"{folder}/")),
            "{folder}"
        );
    }
    assert!(!run.contains("ignore"));
}
