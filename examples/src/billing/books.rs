//! The reader's side of the books: a file of this run alone, removed at the end.

use std::{
    fs, io,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};

use super::services::Entry;

#[derive(Debug)]
pub(super) struct Books(PathBuf);

impl Books {
    /// A place where nothing lies yet.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("billing-{}-{number}.jsonl", std::process::id());
            let path = std::env::temp_dir().join(name);
            // One that is there was left by a process that had this id before.
            if !path.exists() {
                return Self(path);
            }
        }
    }

    /// The address that the application finds them at.
    pub(super) fn url(&self) -> String {
        format!("file:{}", self.0.display())
    }

    pub(super) fn entries(&self) -> io::Result<Vec<Entry>> {
        let lines = fs::read_to_string(&self.0)?;
        let entries = lines.lines().map(serde_json::from_str);
        Ok(entries.collect::<Result<_, _>>()?)
    }
}

impl Drop for Books {
    fn drop(&mut self) {
        // A file that stays in the temporary folder harms nobody.
        let _ = fs::remove_file(&self.0);
    }
}
