/// A fault together with the string it was found in; displays the rule and the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation<'v, F> {
    /// What is wrong.
    pub fault: F,
    /// The value as it was written.
    pub value: &'v str,
}

impl<F: core::fmt::Debug> core::error::Error for Violation<'_, F> where Self: core::fmt::Display {}

/// Lets a fault be shown together with the string it was found in.
macro_rules! in_value {
    ($fault:ident) => {
        impl $fault {
            /// The fault in the value it was found in.
            pub const fn with(self, value: &str) -> Violation<'_, Self> {
                Violation { fault: self, value }
            }
        }
    };
}

pub(crate) use in_value;
