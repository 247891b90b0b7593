//! What stands in the parentheses of a key for records that fail.

use crate::keys::{Key, Kind, Table, key};

pub(crate) static RETRY: Table = Table {
    of: "retry",
    kind: Kind::Choice {
        one: "setting",
        many: "settings",
    },
    keys: &[
        key(
            "attempts",
            "attempts = 5",
            "the number of attempts",
            "So many attempts in all, the first one among them: 1 or more.",
            "`forever`",
            &[
                "max_attempts",
                "times",
                "count",
                "tries",
                "max_retries",
                "max_deliver",
                "max_receive_count",
            ],
        ),
        key(
            "forever",
            "forever",
            "the word for retrying until the record passes",
            "Retries until the record passes; errors made by `permanent` and `Outcome::DeadLetter` end it all the same.",
            "",
            &["infinite", "unlimited", "always", "endless"],
        ),
        key(
            "backoff",
            r#"backoff = "200ms""#,
            "the first pause",
            "The first pause, which doubles with every failure: \"1ms\" to \"24h\".",
            "`\"200ms\"`",
            &[
                "delay",
                "initial",
                "initial_backoff",
                "min_backoff",
                "first",
            ],
        ),
        key(
            "max_backoff",
            r#"max_backoff = "30s""#,
            "the longest pause",
            "The longest pause: \"1ms\" to \"24h\".",
            "`\"30s\"`",
            &["max_delay", "cap", "longest"],
        ),
    ],
};

pub(crate) static EXHAUSTED: Table = Table {
    of: "exhausted",
    kind: PLACE,
    keys: PLACES,
};

pub(crate) static UNDECODABLE: Table = Table {
    of: "undecodable",
    kind: PLACE,
    keys: PLACES,
};

const PLACE: Kind = Kind::Choice {
    one: "place",
    many: "places",
};

/// Where a record ends that is given up on.
const PLACES: &[Key] = &[
    key(
        "dead_letter",
        "dead_letter(Rejected)",
        "a stream for what was given up on",
        "It is stored in this stream, as it arrived, before the checkpoint passes it.",
        "",
        &["dlq", "dead_letters", "publish", "stream"],
    ),
    key(
        "skip",
        "skip",
        "the word for passing it over",
        "The checkpoint passes it. Logged and counted.",
        "",
        &["ignore", "drop", "discard", "pass"],
    ),
    key(
        "halt",
        "halt",
        "the word for stopping its shard",
        "Its shard stops before it and keeps its lease.",
        "",
        &["stop", "fail", "block", "panic"],
    ),
];
