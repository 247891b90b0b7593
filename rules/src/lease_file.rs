//! `leases(file = ..)`: the path of a file of leases.

use core::fmt;

use crate::{Violation, in_value, text};

/// Why a text cannot name a file of leases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseFileFault {
    /// It has no character.
    Empty,
    /// It has the character NUL, which no path has.
    Nul,
    /// It ends like a folder.
    Folder,
}

/// Checks the path of a file of leases: anything but empty, NUL and what ends with `/`.
///
/// # Errors
///
/// The text cannot name a file.
pub const fn lease_file(path: &str) -> Result<&str, LeaseFileFault> {
    let bytes = path.as_bytes();
    if bytes.is_empty() {
        Err(LeaseFileFault::Empty)
    } else if text::find(path, 0, 0).is_some() {
        Err(LeaseFileFault::Nul)
    } else if bytes[bytes.len() - 1] == b'/' {
        Err(LeaseFileFault::Folder)
    } else {
        Ok(path)
    }
}

in_value!(LeaseFileFault);

impl LeaseFileFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "lease file is empty; it is a path such as `leases.json`",
            Self::Nul => "lease file has the character NUL, which no path has",
            Self::Folder => "lease file is a folder; it is a path such as `leases.json`",
        }
    }

    /// A path near to `value` that passes.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let guess = match self {
            Self::Empty => "leases.json".to_owned(),
            Self::Nul => return None,
            Self::Folder => format!("{value}leases.json"),
        };
        lease_file(&guess).is_ok().then_some(guess)
    }
}

impl fmt::Display for Violation<'_, LeaseFileFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            LeaseFileFault::Empty | LeaseFileFault::Nul => f.write_str(self.fault.rule()),
            LeaseFileFault::Folder => write!(
                f,
                "lease file `{}` is a folder; it is a path such as `leases.json`",
                self.value
            ),
        }
    }
}
