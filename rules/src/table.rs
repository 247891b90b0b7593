//! DynamoDB tables, by name or ARN: `billing-leases`, `arn:aws:dynamodb:eu-west-1:123456789012:table/billing-leases`.

use core::fmt;

use crate::limits::{ACCOUNT_DIGITS, TABLE_NAME_CHARS, TABLE_NAME_CHARS_LEAST};
use crate::{Violation, arn, in_value, name, region, text};

/// The form of a table's ARN, for a note.
pub const TABLE_ARN_FORM: &str = "arn:aws:dynamodb:<region>:<account>:table/<name>";

/// Why a text does not name a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFault {
    /// It has no character.
    Empty,
    /// It starts like an ARN and is none of a table.
    Arn,
    /// It has fewer than [`TABLE_NAME_CHARS_LEAST`] characters.
    TooShort {
        /// How many it has.
        chars: usize,
    },
    /// It has more than [`TABLE_NAME_CHARS`] characters.
    TooLong {
        /// How many it has.
        chars: usize,
    },
    /// It has a character that names do not use.
    Character {
        /// The character's first byte.
        at: usize,
    },
}

/// Checks what names a table of leases: 3 to 255 letters, digits, `_`, `.` and `-`, or an ARN of the form
/// [`TABLE_ARN_FORM`].
///
/// # Errors
///
/// The first thing that is wrong with the text.
pub const fn lease_table(table: &str) -> Result<&str, TableFault> {
    if table.is_empty() {
        return Err(TableFault::Empty);
    }
    let name = if text::starts_with(table, "arn:") {
        match name_in(table) {
            Some(name) => name,
            None => return Err(TableFault::Arn),
        }
    } else {
        table
    };
    let chars = text::char_count(name);
    if chars < TABLE_NAME_CHARS_LEAST {
        return Err(TableFault::TooShort { chars });
    }
    if chars > TABLE_NAME_CHARS {
        return Err(TableFault::TooLong { chars });
    }
    match name::foreign_character(name) {
        None => Ok(table),
        Some(at) => Err(TableFault::Character { at }),
    }
}

/// The region that a table's ARN names; `None` for a name, which is looked up in the region of the caller.
pub fn table_region(table: &str) -> Option<&str> {
    name_in(table)?;
    arn::split(table).map(|parts| parts.region)
}

/// The name in a table's ARN.
const fn name_in(table: &str) -> Option<&str> {
    let Some(parts) = arn::split(table) else {
        return None;
    };
    let found = text::starts_with(table, "arn:aws")
        && text::eq(parts.service, "dynamodb")
        && region::region(parts.region).is_ok()
        && parts.account.len() == ACCOUNT_DIGITS
        && text::all_digits(parts.account)
        && text::starts_with(parts.resource, "table/");
    if found {
        let resource = parts.resource;
        Some(text::slice(resource, "table/".len(), resource.len()))
    } else {
        None
    }
}

in_value!(TableFault);

impl TableFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "lease table name is empty; DynamoDB names have 3 to 255 characters",
            Self::Arn => {
                "lease table ARN is not of the form `arn:aws:dynamodb:<region>:<account>:table/<name>`"
            }
            Self::TooShort { .. } => {
                "lease table name has fewer than 3 characters; DynamoDB names have 3 to 255"
            }
            Self::TooLong { .. } => {
                "lease table name has more than 255 characters; DynamoDB names have 3 to 255"
            }
            Self::Character { .. } => {
                "lease table name has a foreign character; names use letters, digits, `_`, `.` and `-`"
            }
        }
    }

    /// A name near to `value` that passes, if there is one.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let Self::Character { .. } = self else {
            return None;
        };
        let (front, name) = match name_in(value) {
            Some(name) => (value.strip_suffix(name)?, name),
            None => ("", value),
        };
        let guess = format!("{front}{}", name::replaced(name));
        lease_table(&guess).is_ok().then_some(guess)
    }
}

impl fmt::Display for Violation<'_, TableFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, value } = *self;
        let name = name_in(value).unwrap_or(value);
        match fault {
            TableFault::Empty => f.write_str(fault.rule()),
            TableFault::Arn => write!(
                f,
                "lease table ARN `{value}` is not of the form `{TABLE_ARN_FORM}`"
            ),
            TableFault::TooShort { chars } => {
                let s = if chars == 1 { "" } else { "s" };
                write!(
                    f,
                    "lease table name `{name}` has {chars} character{s}; DynamoDB names have {TABLE_NAME_CHARS_LEAST} to {TABLE_NAME_CHARS}"
                )
            }
            TableFault::TooLong { chars } => write!(
                f,
                "lease table name has {chars} characters; DynamoDB names have {TABLE_NAME_CHARS_LEAST} to {TABLE_NAME_CHARS}"
            ),
            TableFault::Character { at } => write!(
                f,
                "lease table name `{name}` has {} at byte {at}; names use letters, digits, `_`, `.` and `-`",
                text::name_char(name, at),
            ),
        }
    }
}
