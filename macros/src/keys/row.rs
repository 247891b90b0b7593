//! How a row of a table is written.

use crate::keys::{Key, Role, Stage};

/// A row of a table.
pub(super) const fn key(
    name: &'static str,
    form: &'static str,
    meaning: &'static str,
    doc: &'static str,
    left_out: &'static str,
    synonyms: &'static [&'static str],
) -> Key {
    Key {
        name,
        form,
        meaning,
        doc,
        left_out,
        synonyms,
        stage: Stage::Built,
        role: Role::Choice,
    }
}

/// A row whose machinery is not there yet; `instead` is what to do meanwhile.
pub(super) const fn later(
    name: &'static str,
    form: &'static str,
    instead: &'static str,
    synonyms: &'static [&'static str],
) -> Key {
    Key {
        name,
        form,
        meaning: instead,
        doc: "Not built yet.",
        left_out: "",
        synonyms,
        stage: Stage::Later,
        role: Role::Choice,
    }
}

/// A setting beside the choice.
pub(super) const fn beside(key: Key) -> Key {
    Key {
        role: Role::Beside,
        ..key
    }
}
