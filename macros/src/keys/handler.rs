//! Keys of `#[on_record]` and `#[on_batch]`.

use crate::keys::{Key, Kind, Table, key};

pub(crate) static ON_RECORD: Table = Table {
    of: "on_record",
    kind: Kind::Attribute,
    keys: &[
        key(
            "concurrency",
            "concurrency = 8",
            "the number of records handled at once",
            "Records of one shard that are handled at the same time: 1 to 100000. `concurrency(shard = 8, total = 64)` also bounds those of all shards in a process.",
            "1",
            &[
                "workers",
                "parallelism",
                "parallel",
                "threads",
                "max_concurrency",
                "max_in_flight",
                "max_inflight",
                "in_flight",
                "max_parallelism",
                "consumers",
                "max_ack_pending",
                "prefetch_count",
            ],
        ),
        key(
            "ordered",
            "ordered(partition_key)",
            "what is handled in order",
            "`partition_key`: records of one key in order, keys beside each other. `shard`: one record at a time. `none`: all beside each other.",
            "`partition_key`",
            &["order", "ordering"],
        ),
        RETRIES,
        WHEN_EXHAUSTED,
        WHEN_UNDECODABLE,
        TIMEOUT,
        PUBLISH,
        LABEL,
    ],
};

pub(crate) static ON_BATCH: Table = Table {
    of: "on_batch",
    kind: Kind::Attribute,
    keys: &[
        key(
            "max_records",
            "max_records = 1_000",
            "the most records of one batch",
            "The most records that one call is given: 1 to 100000.",
            "500",
            &[
                "batch_size",
                "max_batch_size",
                "size",
                "limit",
                "max_size",
                "count",
            ],
        ),
        key(
            "max_wait",
            r#"max_wait = "2s""#,
            "the time that a batch waits to be full",
            "A batch that is not full waits so long for more records, from when its first one was ready: \"0s\" to \"1h\".",
            "`\"0s\"`: it takes what is there",
            &["linger", "window", "batch_window", "max_delay", "wait"],
        ),
        RETRIES,
        WHEN_EXHAUSTED,
        WHEN_UNDECODABLE,
        TIMEOUT,
        LABEL,
    ],
};

/// What every kind of handler has: what becomes of a record that fails.
const RETRIES: Key = key(
    "retry",
    r#"retry(attempts = 5, backoff = "200ms", max_backoff = "30s")"#,
    "how often a failure is repeated",
    "`attempts`: so many in all, 1 or more. `backoff` to `max_backoff`: pauses double from one to the other, \"1ms\" to \"24h\", with jitter.",
    "`forever`, `\"200ms\"`, `\"30s\"`",
    &[
        "retries",
        "retry_policy",
        "on_retry",
        "redeliver",
        "retryable",
    ],
);

const WHEN_EXHAUSTED: Key = key(
    "exhausted",
    "exhausted(dead_letter(Rejected))",
    "what becomes of a record that failed for the last time",
    "What becomes of a record that failed for the last time, or with a `permanent` error. `dead_letter(Stream)`: stored there. `skip`: passed over. `halt`: its shard stops before it. Needs `retry(attempts = ..)` or `retry(forever)`.",
    "`halt`",
    &["on_failure", "give_up", "on_exhausted", "recoverer"],
);

const WHEN_UNDECODABLE: Key = key(
    "undecodable",
    "undecodable(dead_letter(Rejected))",
    "what becomes of a record that does not decode",
    "What becomes of a record that does not decode. `dead_letter(Stream)`: stored there. `skip`: passed over. `halt`: its shard stops before it.",
    "`halt`",
    &["poison", "on_decode_error", "malformed"],
);

const TIMEOUT: Key = key(
    "timeout",
    r#"timeout = "30s""#,
    "the longest that an attempt may take",
    "An attempt that takes longer is dropped and has failed: \"1ms\" to \"24h\", or a `const` of such a text.",
    "no limit",
    &["deadline", "time_limit", "handler_timeout", "ack_wait"],
);

const PUBLISH: Key = key(
    "publish",
    "publish(Receipts)",
    "the stream that replies go to",
    "What the handler returns is stored in this stream before its record is done: `Keyed<T>`, `Option<Keyed<T>>`, `Vec<Keyed<T>>`, `Reply<T>`, or a `Result` of one of them.",
    "it returns an outcome",
    &["reply", "replies", "output", "reply_to", "produce"],
);

const LABEL: Key = key(
    "label",
    r#"label = "book-orders""#,
    "the handler's name",
    "The handler's name in logs, health and dead letters: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`.",
    "the function's name",
    &["name", "handler_name"],
);

pub(crate) static CONCURRENCY: Table = Table {
    of: "concurrency",
    kind: Kind::Choice {
        one: "setting",
        many: "settings",
    },
    keys: &[
        key(
            "shard",
            "shard = 8",
            "the number of records of one shard",
            "Records of one shard that are handled at the same time: 1 to 100000.",
            "1",
            &["per_shard", "each"],
        ),
        key(
            "total",
            "total = 64",
            "the number of records of all shards",
            "Records of all shards that a process handles at the same time: 1 or more.",
            "no limit",
            &["all", "max", "process", "global"],
        ),
    ],
};

pub(crate) static ORDERED: Table = Table {
    of: "ordered",
    kind: Kind::Choice {
        one: "order",
        many: "orders",
    },
    keys: &[
        key(
            "partition_key",
            "partition_key",
            "one record at a time for each key",
            "Records of one partition key are handled in order, keys beside each other.",
            "",
            &["key", "keys", "by_key", "partition", "per_key"],
        ),
        key(
            "shard",
            "shard",
            "one record at a time for each shard",
            "One record of a shard at a time.",
            "",
            &["strict", "all", "total", "fifo", "per_shard"],
        ),
        key(
            "none",
            "none",
            "all records beside each other",
            "Records are handled in no order, those of one key beside each other.",
            "",
            &["unordered", "parallel", "any", "off"],
        ),
    ],
};
