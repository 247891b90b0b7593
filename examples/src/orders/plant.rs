//! Faults planted in the application, to show that the verdict finds them.

use std::str::FromStr;

/// A fault in the application, planted to show that the verdict finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plant {
    /// Some orders are called done and not booked.
    Drop,
    /// Some orders are booked after the next one of their customer.
    Reorder,
    /// Some orders are skipped.
    Skip,
}

impl Plant {
    /// The name, as in `--plant`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Reorder => "reorder",
            Self::Skip => "skip",
        }
    }
}

impl FromStr for Plant {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Drop, Self::Reorder, Self::Skip]
            .into_iter()
            .find(|plant| plant.as_str() == text)
            .ok_or("the plants are `drop`, `reorder` and `skip`")
    }
}
