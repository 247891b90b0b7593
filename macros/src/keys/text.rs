//! What a string key takes in parentheses.

use crate::keys::{Kind, Table, key};

pub(crate) static TEXT: Table = Table {
    of: "environment",
    kind: Kind::Choice {
        one: "setting",
        many: "settings",
    },
    keys: &[
        key(
            "env",
            r#"env = "VARIABLE""#,
            "the environment variable",
            "The environment variable that is read at start-up.",
            "an error",
            &["var", "variable", "from_env"],
        ),
        key(
            "default",
            r#"default = "..""#,
            "the value without the variable",
            "What holds when the variable is not set.",
            "the start fails, unless `optional` stands there",
            &["or", "fallback"],
        ),
        key(
            "optional",
            "optional",
            "the word for a setting that may be absent",
            "The setting is absent when the variable is not set.",
            "the start fails, unless there is a `default`",
            &["option", "maybe"],
        ),
    ],
};
