//! Names of record headers.

use core::fmt;

use crate::{Violation, in_value};

/// Why the name of a header is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderNameFault {
    /// It has no character.
    Empty,
    /// It has a character outside ASCII.
    NotAscii,
}

/// Checks the name of a header: ASCII, and not empty. Upper case passes: names are compared and written in lower case.
///
/// # Errors
///
/// The name is empty, or not ASCII.
pub const fn header_name(name: &str) -> Result<&str, HeaderNameFault> {
    if name.is_empty() {
        Err(HeaderNameFault::Empty)
    } else if name.is_ascii() {
        Ok(name)
    } else {
        Err(HeaderNameFault::NotAscii)
    }
}

in_value!(HeaderNameFault);

impl HeaderNameFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "header name is empty; names have at least one ASCII character",
            Self::NotAscii => "header name has a character outside ASCII",
        }
    }
}

impl fmt::Display for Violation<'_, HeaderNameFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            HeaderNameFault::Empty => f.write_str(self.fault.rule()),
            HeaderNameFault::NotAscii => {
                write!(
                    f,
                    "header name `{}` has a character outside ASCII",
                    self.value
                )
            }
        }
    }
}
