//! One emulator a directory.

use crate::directory::place;
use kinesis_app_emulator::DataDirectory;

#[test]
fn a_directory_serves_one_at_a_time_and_is_free_afterwards() {
    let path = place("one-at-a-time");
    let first = DataDirectory::open(&path).unwrap();
    let refused = DataDirectory::open(&path).unwrap_err();
    assert!(refused.is_in_use());
    let told = format!(
        "`{}` is in use by another emulator\nhelp: give each a directory of its own",
        path.display()
    );
    assert_eq!(refused.to_string(), told);
    drop(first);
    DataDirectory::open(&path).unwrap();
}

#[test]
fn a_file_in_place_of_the_directory_is_named() {
    let path = place("no-directory");
    std::fs::write(&path, "").unwrap();
    let refused = DataDirectory::open(&path).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert!(!refused.is_in_use());
    let told = format!("`{}` cannot be created: ", path.display());
    assert!(refused.to_string().starts_with(&told), "{refused}");
}
