//! Texts that may come from the environment.

/// A string that is fixed in the source or read from an environment variable at start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// Written in the source, and checked there.
    Fixed(&'static str),
    /// Read at start, and checked then.
    Env {
        /// The variable's name.
        variable: &'static str,
        /// What to do when it is not set.
        fallback: Fallback,
    },
}

/// What a [`Setting::Env`] means when its variable is not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// The start fails and names the variable.
    Required,
    /// This value is used.
    Default(&'static str),
    /// The setting is left out (the flag `optional`).
    Absent,
}

impl Setting {
    /// Read from a variable that must be set.
    pub const fn env(variable: &'static str) -> Self {
        let fallback = Fallback::Required;
        Self::Env { variable, fallback }
    }

    /// Read from a variable, or this value.
    pub const fn env_or(variable: &'static str, default: &'static str) -> Self {
        let fallback = Fallback::Default(default);
        Self::Env { variable, fallback }
    }

    /// Read from a variable; left out if that is not set.
    pub const fn env_if_set(variable: &'static str) -> Self {
        let fallback = Fallback::Absent;
        Self::Env { variable, fallback }
    }
}

/// A setting whose field in a spec holds until the environment says otherwise: one of those that are written as texts and kept as
/// something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable<Key> {
    /// Which setting of its attribute.
    pub key: Key,
    /// Where it is read from, as text.
    pub setting: Setting,
}
