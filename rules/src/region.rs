//! Regions: `eu-west-1`, `us-gov-east-1`, `cn-north-1`.

use core::fmt;

use crate::{Violation, in_value};

/// Why a text is not a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionFault {
    /// It has no character.
    Empty,
    /// It is not lower-case words and a number, joined by `-`.
    Form,
}

/// Checks the form of a region: at least two lower-case words and a number, joined by `-`.
///
/// A list of regions would be out of date; a region that does not exist fails at the first call.
///
/// # Errors
///
/// The text does not look like a region.
pub const fn region(region: &str) -> Result<&str, RegionFault> {
    let bytes = region.as_bytes();
    if bytes.is_empty() {
        return Err(RegionFault::Empty);
    }
    let mut words = 0;
    let mut at = 0;
    loop {
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_lowercase() {
            at += 1;
        }
        if at > start {
            if at == bytes.len() || bytes[at] != b'-' {
                return Err(RegionFault::Form);
            }
            words += 1;
            at += 1;
            continue;
        }
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        return if at > start && at == bytes.len() && words >= 2 {
            Ok(region)
        } else {
            Err(RegionFault::Form)
        };
    }
}

in_value!(RegionFault);

impl RegionFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "region is empty; it looks like `eu-west-1`",
            Self::Form => "region does not look like an AWS region",
        }
    }

    /// A region near to `value` that passes, if there is one.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let guess = value.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        // `eu-west-1a` is one of its zones.
        let zone = guess.trim_end_matches(|c: char| c.is_ascii_lowercase());
        [&*guess, zone]
            .into_iter()
            .find(|guess| region(guess).is_ok())
            .map(str::to_owned)
    }
}

impl fmt::Display for Violation<'_, RegionFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            RegionFault::Empty => f.write_str(self.fault.rule()),
            RegionFault::Form => {
                write!(
                    f,
                    "region `{}` does not look like an AWS region",
                    self.value
                )
            }
        }
    }
}
