//! Why a directory is not taken, read or written.

use std::io;
use std::path::{Path, PathBuf};

/// A directory or file that an emulator cannot be kept in, or begun from.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct DataError(#[from] Cause);

#[derive(Debug, thiserror::Error)]
enum Cause {
    #[error("`{}` is in use by another emulator\nhelp: give each a directory of its own", .0.display())]
    InUse(PathBuf),
    #[error("`{}` cannot be {attempt}: {source}\nhelp: a directory that may be written to, with room left", path.display())]
    Io {
        path: PathBuf,
        attempt: &'static str,
        source: io::Error,
    },
    #[error("`{}`, line {line}: {problem}\nhelp: {help}", path.display())]
    File {
        path: PathBuf,
        line: u64,
        problem: String,
        help: String,
    },
}

impl DataError {
    /// Whether another emulator has the directory.
    pub fn is_in_use(&self) -> bool {
        matches!(self.0, Cause::InUse(_))
    }

    pub(super) fn in_use(directory: &Path) -> Self {
        Cause::InUse(directory.to_owned()).into()
    }

    /// A file that can only be moved out of the way.
    pub(super) fn unreadable(path: &Path, line: u64, problem: impl Into<String>) -> Self {
        let shown = path.display();
        let help = format!("to begin anew, mv '{shown}' '{shown}.old'");
        Self::with_help(path, line, problem, help)
    }

    pub(super) fn with_help(
        path: &Path,
        line: u64,
        problem: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self(Cause::File {
            path: path.to_owned(),
            line,
            problem: problem.into(),
            help: help.into(),
        })
    }

    #[cfg(not(feature = "dynamodb"))]
    pub(super) fn tables_unknown(path: &Path) -> Self {
        Self::with_help(
            path,
            1,
            "it holds tables, and this emulator was built without them",
            "build it with `--features dynamodb`",
        )
    }
}

/// What was tried with a path, for the error that names both.
pub(crate) trait Attempt<T> {
    fn attempt(self, attempt: &'static str, path: &Path) -> Result<T, DataError>;
}

impl<T> Attempt<T> for io::Result<T> {
    fn attempt(self, attempt: &'static str, path: &Path) -> Result<T, DataError> {
        self.map_err(|source| {
            DataError(Cause::Io {
                path: path.to_owned(),
                attempt,
                source,
            })
        })
    }
}
