//! Hash keys: the 128-bit numbers that partition keys map to, as decimal text.

use core::fmt;

use crate::limits::HASH_KEY_DIGITS;
use crate::{Violation, in_value, text};

/// Why a text is not a hash key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashKeyFault {
    /// It is not decimal digits without a leading zero.
    Form,
    /// It is 2^128 or more.
    TooLarge,
}

/// Reads a hash key: `0`, or up to 39 digits without a leading zero, below 2^128.
///
/// # Errors
///
/// The text is not such a number.
pub const fn hash_key(text: &str) -> Result<u128, HashKeyFault> {
    let bytes = text.as_bytes();
    if bytes.is_empty() || !text::all_digits(text) || (bytes[0] == b'0' && bytes.len() > 1) {
        return Err(HashKeyFault::Form);
    }
    if bytes.len() > HASH_KEY_DIGITS {
        return Err(HashKeyFault::TooLarge);
    }
    match u128::from_str_radix(text, 10) {
        Ok(number) => Ok(number),
        Err(_) => Err(HashKeyFault::TooLarge),
    }
}

in_value!(HashKeyFault);

impl HashKeyFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Form => "hash key is not a decimal number without a leading zero",
            Self::TooLarge => "hash key is above 340282366920938463463374607431768211455",
        }
    }
}

impl fmt::Display for Violation<'_, HashKeyFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            HashKeyFault::Form => write!(
                f,
                "hash key `{}` is not a decimal number without a leading zero",
                self.value
            ),
            HashKeyFault::TooLarge => {
                write!(f, "hash key `{}` is above {}", self.value, u128::MAX)
            }
        }
    }
}
