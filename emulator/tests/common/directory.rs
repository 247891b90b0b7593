//! Directories of tests, below the target folder.

use std::path::{Path, PathBuf};

/// An empty place for a test of this name; the directory itself is not there.
pub(crate) fn place(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    match std::fs::remove_dir_all(&path) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => panic!("`{}`: {error}", path.display()),
    }
    path
}
