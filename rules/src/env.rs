//! Names of environment variables.

use core::fmt;

use crate::{Violation, text};

/// Why a text cannot name an environment variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvNameFault {
    /// It has no character.
    Empty,
    /// It has `=` or the character NUL, which the operating system cannot store in a name.
    Character,
}

/// Checks the name of an environment variable: anything but empty, `=` and NUL.
///
/// # Errors
///
/// No variable can have that name.
pub const fn env_name(name: &str) -> Result<&str, EnvNameFault> {
    if name.is_empty() {
        Err(EnvNameFault::Empty)
    } else if text::find(name, b'=', 0).is_some() || text::find(name, 0, 0).is_some() {
        Err(EnvNameFault::Character)
    } else {
        Ok(name)
    }
}

impl EnvNameFault {
    /// The fault in the value it was found in.
    pub const fn with(self, value: &str) -> Violation<'_, Self> {
        Violation { fault: self, value }
    }

    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "an empty text cannot name an environment variable",
            Self::Character => "a text with `=` or NUL cannot name an environment variable",
        }
    }
}

impl fmt::Display for Violation<'_, EnvNameFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            EnvNameFault::Empty => f.write_str(self.fault.rule()),
            EnvNameFault::Character => write!(
                f,
                "`{}` cannot name an environment variable",
                self.value.escape_debug(),
            ),
        }
    }
}
