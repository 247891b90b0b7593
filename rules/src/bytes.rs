//! Amounts of memory as they are written in attributes and variables: a whole number and a unit, `"64MiB"`, `"1GiB"`.

use core::fmt;

use crate::{Violation, in_value, limits::MIB, text};

/// Why a text is not an amount of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BytesFault {
    /// It does not start with a digit.
    NoNumber,
    /// What follows the number is not `KiB`, `MiB` or `GiB`.
    Unit {
        /// Where the unit starts.
        at: usize,
    },
    /// The bytes do not fit the address space.
    TooMany,
}

/// Reads an amount of memory, in bytes.
///
/// # Errors
///
/// The text is not a whole number followed by `KiB`, `MiB` or `GiB`.
pub const fn bytes(amount: &str) -> Result<usize, BytesFault> {
    let at = text::leading_digits(amount);
    if at == 0 {
        return Err(BytesFault::NoNumber);
    }
    let (number, unit) = amount.split_at(at);
    let Ok(number) = usize::from_str_radix(number, 10) else {
        return Err(BytesFault::TooMany);
    };
    let unit: usize = match unit.as_bytes() {
        b"KiB" => 1 << 10,
        b"MiB" => 1 << 20,
        b"GiB" => 1 << 30,
        _ => return Err(BytesFault::Unit { at }),
    };
    match number.checked_mul(unit) {
        None => Err(BytesFault::TooMany),
        Some(bytes) => Ok(bytes),
    }
}

in_value!(BytesFault);

impl BytesFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::NoNumber => {
                "amount does not start with a number; it is a whole number and `KiB`, `MiB` or `GiB`"
            }
            Self::Unit { .. } => {
                "amount has another unit; it is a whole number and `KiB`, `MiB` or `GiB`"
            }
            Self::TooMany => "amount is more than this machine can address",
        }
    }

    /// The amount that `value` probably means, in the form that passes.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let compact: String = value.chars().filter(|c| !c.is_whitespace()).collect();
        let digits = compact.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = compact.split_at(digits);
        // A count of bytes, as others take it.
        if let ("", Ok(bytes)) = (unit, number.parse::<u64>())
            && bytes >= MIB as u64
        {
            let whole = bytes.is_multiple_of(MIB as u64);
            return whole.then(|| format!("{}MiB", bytes / MIB as u64));
        }
        let unit = match unit.to_ascii_lowercase().as_str() {
            "k" | "kb" | "kib" => "KiB",
            "" | "m" | "mb" | "mib" => "MiB",
            "g" | "gb" | "gib" => "GiB",
            _ => return None,
        };
        let guess = format!("{number}{unit}");
        bytes(&guess).is_ok().then_some(guess)
    }
}

impl fmt::Display for Violation<'_, BytesFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, value } = self;
        let form = "it is a whole number and `KiB`, `MiB` or `GiB`";
        match fault {
            BytesFault::NoNumber => {
                write!(f, "amount `{value}` does not start with a number; {form}")
            }
            BytesFault::Unit { at } if *at == value.len() => {
                write!(f, "amount `{value}` has no unit; {form}")
            }
            BytesFault::Unit { at } => write!(
                f,
                "amount `{value}` has {} at byte {at}; {form}",
                text::name_char(value, *at),
            ),
            BytesFault::TooMany => {
                write!(f, "amount `{value}` is more than this machine can address")
            }
        }
    }
}
