//! Names of environment variables.

use core::fmt;

use crate::{Violation, in_value, text};

/// Why a text cannot name an environment variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvNameFault {
    /// It has no character.
    Empty,
    /// It has `=` or the character NUL, which the operating system cannot store in a name.
    Character,
    /// It has white space, which no shell can set.
    Space {
        /// Where.
        at: usize,
    },
}

/// Checks the name of an environment variable: anything but empty, `=`, NUL and white space.
///
/// # Errors
///
/// No variable can have that name.
pub const fn env_name(name: &str) -> Result<&str, EnvNameFault> {
    if name.is_empty() {
        Err(EnvNameFault::Empty)
    } else if text::find(name, b'=', 0).is_some() || text::find(name, 0, 0).is_some() {
        Err(EnvNameFault::Character)
    } else if let Some(at) = space(name) {
        Err(EnvNameFault::Space { at })
    } else {
        Ok(name)
    }
}

const fn space(name: &str) -> Option<usize> {
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            return Some(at);
        }
        at += 1;
    }
    None
}

in_value!(EnvNameFault);

impl EnvNameFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "an empty text cannot name an environment variable",
            Self::Character => "a text with `=` or NUL cannot name an environment variable",
            Self::Space { .. } => "a text with a space cannot name an environment variable",
        }
    }

    /// A name near to `value` that passes, if there is one.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let guess = value.split_ascii_whitespace().collect::<Vec<_>>().join("_");
        env_name(&guess).is_ok().then_some(guess)
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
            EnvNameFault::Space { at } => write!(
                f,
                "environment variable `{}` has {} at byte {at}",
                self.value.escape_debug(),
                text::name_char(self.value, at),
            ),
        }
    }
}
