//! The tables themselves.

use crate::keys::{Key, Kind, Role, Stage, Table};

/// A row of a table.
const fn key(
    name: &'static str,
    form: &'static str,
    meaning: &'static str,
    doc: &'static str,
    synonyms: &'static [&'static str],
) -> Key {
    Key {
        name,
        form,
        meaning,
        doc,
        synonyms,
        stage: Stage::Built,
        role: Role::Choice,
    }
}

/// A row whose machinery is not there yet; `instead` is what to do meanwhile.
const fn later(
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
        synonyms,
        stage: Stage::Later,
        role: Role::Choice,
    }
}

/// A setting beside the choice.
const fn beside(key: Key) -> Key {
    Key {
        role: Role::Beside,
        ..key
    }
}

pub(crate) static APP: Table = Table {
    of: "kinesis_app",
    kind: Kind::Attribute,
    keys: &[
        key(
            "name",
            r#"name = "..""#,
            "the application's name",
            "The application's name, which keys its leases: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Required.",
            &[
                "app",
                "app_name",
                "application",
                "application_name",
                "group",
                "group_id",
                "group_name",
                "consumer_group",
                "consumer_group_id",
                "service",
                "namespace",
            ],
        ),
        key(
            "region",
            r#"region = "eu-west-1""#,
            "the region that is read",
            "The AWS region. Left out: the SDK's chain (environment, profile, instance).",
            &["aws_region"],
        ),
        key(
            "endpoint",
            r#"endpoint = "http://localhost:4566""#,
            "the address of a local stack",
            "Another address than AWS, such as a local stack's. Left out: AWS.",
            &["url", "endpoint_url"],
        ),
        key(
            "credentials",
            "credentials(test)",
            "the choice of credentials",
            "`test`: dummy keys for a local stack; needs an `endpoint`. Left out: the SDK's chain.",
            &["creds", "auth", "keys"],
        ),
        key(
            "owner_id",
            r#"owner_id = "..""#,
            "the instance's name in its lease rows",
            "The instance's name in lease rows and logs, another one for each: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Left out: one of the process's own.",
            &[
                "worker_id",
                "worker_identifier",
                "owner",
                "worker",
                "instance",
                "instance_id",
                "client_id",
                "consumer_id",
            ],
        ),
        key(
            "leases",
            "leases(memory)",
            "the place of leases and checkpoints",
            "Where leases and checkpoints live: `memory` (the default; gone with the process) or `dynamodb = \"table\"` (feature `dynamodb`; `create_if_missing`, `endpoint`). `duration`: \"3s\" to \"1h\", default \"10s\".",
            &[
                "checkpoints",
                "checkpoint",
                "checkpoint_store",
                "checkpointer",
                "lease_store",
                "store",
                "storage",
            ],
        ),
        key(
            "shutdown_timeout",
            r#"shutdown_timeout = "30s""#,
            "the time that running handlers get on shutdown",
            "Running handlers may finish for so long on shutdown: \"0s\" to \"1h\". Default \"30s\".",
            &["shutdown", "grace_period", "drain_timeout", "timeout"],
        ),
        key(
            "crate",
            "crate = path",
            "the path of the runtime crate",
            "The path of `kinesis_app`, if it was renamed or re-exported.",
            &["krate", "path"],
        ),
        later(
            "prefetch",
            r#"prefetch = "256MiB""#,
            "set it in `#[configure]`: `config.set_prefetch(bytes)`",
            &[],
        ),
    ],
};

pub(crate) static STREAM: Table = Table {
    of: "stream",
    kind: Kind::Attribute,
    keys: &[
        key(
            "name",
            r#"name = "..""#,
            "the stream's name",
            "The stream's name: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. This or `arn`.",
            &[
                "stream",
                "stream_name",
                "topic",
                "topic_name",
                "queue",
                "channel",
            ],
        ),
        key(
            "arn",
            r#"arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/orders""#,
            "the stream's ARN",
            "The stream's ARN, for a stream of another account. This or `name`.",
            &["stream_arn"],
        ),
        key(
            "start",
            "start(latest)",
            "where a stream without a checkpoint starts",
            "Where a shard without a checkpoint starts: `trim_horizon`, `latest` (the default) or `timestamp = \"RFC 3339\"`; with `ignore_checkpoint` beside it, every shard at a start.",
            &[
                "position",
                "initial_position",
                "initial_position_in_stream",
                "starting_position",
                "start_at",
                "start_from",
                "start_position",
                "auto_offset_reset",
                "offset_reset",
                "offset",
                "iterator_type",
                "shard_iterator_type",
                "from",
            ],
        ),
        key(
            "batch_size",
            "batch_size = 500",
            "the most records one read asks for",
            "The most records one read asks for: 1 to 10000. Left out: as many as the service returns. A value known only at run time is set in `#[configure]`.",
            &[
                "limit",
                "batch",
                "max_records",
                "max_batch_size",
                "max_poll_records",
                "records_per_read",
                "fetch_size",
                "read_size",
            ],
        ),
        key(
            "poll_interval",
            r#"poll_interval = "500ms""#,
            "the pause between two reads of a shard",
            "The pause between two reads of one shard: \"200ms\" to \"4m\", or a `const` of such a text. Default \"1s\". A value known only at run time is set in `#[configure]`.",
            &[
                "interval",
                "idle_time",
                "poll",
                "poll_every",
                "polling_interval",
                "poll_delay",
                "idle_time_between_reads",
                "idle_time_between_reads_in_millis",
                "idle_millis_between_calls",
            ],
        ),
        key(
            "create_if_missing",
            "create_if_missing(shards = 1)",
            "the number of shards of a stream that is created",
            "Creates the stream with that many shards if it does not exist. Left out: a missing stream fails the start.",
            &["create", "create_stream", "auto_create"],
        ),
        key(
            "on_fatal",
            "on_fatal(mark)",
            "the answer to a refusal that no retry heals",
            "What a refusal that no retry heals does (a permission that is missing, a stream that is gone): `stop` (the default) ends the run; `mark` shows it in health, tries it again now and then, and lets the other streams go on.",
            &["on_error", "on_failure", "fatal", "error_policy"],
        ),
        key(
            "on_recreated",
            "on_recreated(restart)",
            "the answer to another stream of the same name",
            "What a stream means that was deleted and created again under its name: `refuse` (the default) does not read it with the checkpoints of the one before; `restart` forgets them and reads it from its `start`.",
            &["recreated", "on_recreate", "on_deleted"],
        ),
        key(
            "codec",
            "codec(Json)",
            "the form of the payloads",
            "How payloads are decoded and encoded: `Json` (the default), `Raw`, with their cargo features `MessagePack`, `Cbor` and `Prost`, or a codec of yours, at least as visible as the stream.",
            &[
                "format",
                "decoder",
                "serde",
                "json",
                "encoding",
                "deserializer",
                "serializer",
                "serialization",
            ],
        ),
        key(
            "partition_key",
            r#"partition_key = "..""#,
            "the key of records that are published without one",
            "The key of records that are published without one: 1 to 256 characters. Left out: a key of its own for each record, so that they spread over the shards.",
            &["key", "default_key", "hash_key"],
        ),
        key(
            "crate",
            "crate = path",
            "the path of the runtime crate",
            "The path of `kinesis_app` for a stream outside an app. Inside, the app's counts.",
            &["krate", "path"],
        ),
        later(
            "fan_out",
            r#"fan_out = "..""#,
            "leave it out: shards are polled, every `poll_interval`",
            &["enhanced_fan_out", "efo", "consumer"],
        ),
        later(
            "aggregates",
            "aggregates(..)",
            "leave it out: an aggregate goes the way of `undecodable(..)`",
            &["aggregation", "kpl", "deaggregate"],
        ),
    ],
};

pub(crate) static ON_RECORD: Table = Table {
    of: "on_record",
    kind: Kind::Attribute,
    keys: &[
        key(
            "concurrency",
            "concurrency = 8",
            "the number of records handled at once",
            "Records of one shard that are handled at the same time: 1 to 100000. Default 1. `concurrency(shard = 8, total = 64)` also bounds those of all shards in a process.",
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
            ],
        ),
        key(
            "ordered",
            "ordered(partition_key)",
            "what is handled in order",
            "`partition_key` (the default): records of one key in order, keys beside each other. `shard`: one record at a time.",
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

const PUBLISH: Key = key(
    "publish",
    "publish(Receipts)",
    "the stream that replies go to",
    "What the handler returns is stored in this stream before its record is done: `Keyed<T>`, `Option<Keyed<T>>`, `Vec<Keyed<T>>`, `Reply<T>`, or a `Result` of one of them. Left out: it returns an outcome.",
    &["reply", "replies", "output", "reply_to", "produce"],
);

pub(crate) static ON_BATCH: Table = Table {
    of: "on_batch",
    kind: Kind::Attribute,
    keys: &[
        key(
            "max_records",
            "max_records = 1_000",
            "the most records of one batch",
            "The most records that one call is given: 1 to 100000. Default 500.",
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
            "A batch that is not full waits so long for more records, from when its first one was ready: \"0s\" to \"1h\". Default \"0s\": it takes what is there.",
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
    "`attempts`: so many in all, 1 or more. `backoff` to `max_backoff`: pauses double from one to the other, \"1ms\" to \"24h\", with jitter. Default: `forever`, \"200ms\", \"30s\".",
    &["retries", "retry_policy", "on_retry", "redeliver"],
);

const WHEN_EXHAUSTED: Key = key(
    "exhausted",
    "exhausted(dead_letter(Rejected))",
    "what becomes of a record that failed for the last time",
    "`dead_letter(Stream)`: stored there. `skip`: passed over. `halt` (the default): its shard stops before it. Needs `retry(attempts = ..)` or `retry(forever)`.",
    &["on_failure", "give_up", "on_exhausted", "recoverer"],
);

const WHEN_UNDECODABLE: Key = key(
    "undecodable",
    "undecodable(dead_letter(Rejected))",
    "what becomes of a record that does not decode",
    "`dead_letter(Stream)`: stored there. `skip`: passed over. `halt` (the default): its shard stops before it.",
    &["poison", "on_decode_error", "malformed"],
);

const TIMEOUT: Key = key(
    "timeout",
    r#"timeout = "30s""#,
    "the longest that an attempt may take",
    "An attempt that takes longer is dropped and has failed: \"1ms\" to \"24h\", or a `const` of such a text. Left out: no limit.",
    &["deadline", "time_limit", "handler_timeout"],
);

const LABEL: Key = key(
    "label",
    r#"label = "book-orders""#,
    "the handler's name",
    "The handler's name in logs, health and dead letters: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Default: the function's.",
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
            "Records of one shard that are handled at the same time: 1 to 100000. Default 1.",
            &["per_shard", "each"],
        ),
        key(
            "total",
            "total = 64",
            "the number of records of all shards",
            "Records of all shards that a process handles at the same time: 1 or more. Left out: no limit.",
            &["all", "max", "process", "global"],
        ),
    ],
};

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
            &["max_attempts", "times", "count", "tries", "max_retries"],
        ),
        key(
            "forever",
            "forever",
            "the word for retrying until the record passes",
            "Retries until the record passes; errors made by `permanent` and `Outcome::DeadLetter` end it all the same.",
            &["infinite", "unlimited", "always", "endless"],
        ),
        key(
            "backoff",
            r#"backoff = "200ms""#,
            "the first pause",
            "The first pause, which doubles with every failure: \"1ms\" to \"24h\". Default \"200ms\".",
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
            "The longest pause: \"1ms\" to \"24h\". Default \"30s\".",
            &["max_delay", "cap", "longest"],
        ),
    ],
};

/// Where a record ends that is given up on.
const PLACES: &[Key] = &[
    key(
        "dead_letter",
        "dead_letter(Rejected)",
        "a stream for what was given up on",
        "It is stored in this stream, as it arrived, before the checkpoint passes it.",
        &["dlq", "dead_letters", "publish", "stream"],
    ),
    key(
        "skip",
        "skip",
        "the word for passing it over",
        "The checkpoint passes it. Logged and counted.",
        &["ignore", "drop", "discard", "pass"],
    ),
    key(
        "halt",
        "halt",
        "the word for stopping its shard",
        "Its shard stops before it and keeps its lease.",
        &["stop", "fail", "block", "panic"],
    ),
];

const PLACE: Kind = Kind::Choice {
    one: "place",
    many: "places",
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

pub(crate) static START: Table = Table {
    of: "start",
    kind: Kind::Choice {
        one: "start position",
        many: "positions",
    },
    keys: &[
        key(
            "trim_horizon",
            "trim_horizon",
            "the oldest record kept",
            "The oldest record that the stream keeps.",
            &[
                "earliest",
                "oldest",
                "horizon",
                "beginning",
                "start",
                "smallest",
                "first",
                "all",
            ],
        ),
        key(
            "latest",
            "latest",
            "what comes from now on",
            "What is put from the first start on.",
            &["newest", "tip", "end", "now", "largest", "last", "new"],
        ),
        key(
            "timestamp",
            r#"timestamp = "2026-01-31T00:00:00Z""#,
            "a point in time",
            "The first record at or after a time, written as RFC 3339.",
            &["at", "time", "date", "at_timestamp"],
        ),
        beside(key(
            "ignore_checkpoint",
            "ignore_checkpoint",
            "the word for reading from there at every start",
            "Reads from there again whenever an instance starts while no other reads the stream. Left out: checkpoints count.",
            &[
                "force",
                "reset",
                "ignore",
                "replay",
                "ignore_checkpoints",
                "always",
            ],
        )),
    ],
};

pub(crate) static LEASES: Table = Table {
    of: "leases",
    kind: Kind::Choice {
        one: "lease store",
        many: "stores",
    },
    keys: &[
        key(
            "memory",
            "memory",
            "this process",
            "In this process, gone when it ends.",
            &["mem", "in_memory", "local"],
        ),
        Key {
            stage: DYNAMODB,
            ..key(
                "dynamodb",
                r#"dynamodb = "table""#,
                "a table of DynamoDB",
                "In this DynamoDB table, by name (3 to 255 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`) or ARN.",
                &["ddb", "table", "table_name", "dynamo_db"],
            )
        },
        later(
            "file",
            r#"file = "path""#,
            "`leases(memory)`, or a table: `leases(dynamodb = \"table\")`",
            &["disk"],
        ),
        beside(key(
            "duration",
            r#"duration = "10s""#,
            "the time after which a lease that stands still is dead",
            "The leases of an instance that died are free after so long: \"3s\" to \"1h\". Default \"10s\".",
            &[
                "lease_duration",
                "ttl",
                "timeout",
                "expiry",
                "failover_time",
                "failover_time_millis",
                "session_timeout",
                "session_timeout_ms",
            ],
        )),
        beside(key(
            "endpoint",
            r#"endpoint = "http://localhost:8000""#,
            "the table's own address",
            "Another address of the table than the application's `endpoint`. Left out: the same.",
            &["url", "endpoint_url", "dynamodb_endpoint"],
        )),
        beside(key(
            "create_if_missing",
            "create_if_missing",
            "the creation of a table that does not exist",
            "Creates the table, on demand, if it does not exist. Left out: a missing table fails the start.",
            &["create", "create_table"],
        )),
    ],
};

/// Tests read every key as it is with all features.
const DYNAMODB: Stage = if cfg!(any(test, feature = "dynamodb")) {
    Stage::Built
} else {
    Stage::Off {
        feature: "dynamodb",
    }
};

pub(crate) static CREDENTIALS: Table = Table {
    of: "credentials",
    kind: Kind::Choice {
        one: "kind of credentials",
        many: "kinds",
    },
    keys: &[key(
        "test",
        "test",
        "a pair of dummy keys",
        "Dummy keys for a local stack.",
        &["dummy", "fake", "local", "anonymous"],
    )],
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
            &["key", "keys", "by_key", "partition", "per_key"],
        ),
        key(
            "shard",
            "shard",
            "one record at a time for each shard",
            "One record of a shard at a time.",
            &["strict", "all", "total", "fifo", "per_shard"],
        ),
        later("none", "none", "`ordered(partition_key)`", &["unordered"]),
    ],
};

pub(crate) static ON_FATAL: Table = Table {
    of: "on_fatal",
    kind: Kind::Choice {
        one: "answer",
        many: "answers",
    },
    keys: &[
        key(
            "stop",
            "stop",
            "the end of the run",
            "The run ends with the refusal.",
            &["fail", "abort", "exit", "halt", "panic"],
        ),
        key(
            "mark",
            "mark",
            "health that shows it while the rest goes on",
            "Health shows the refusal, the rest goes on, and the call is tried again now and then.",
            &["health", "go_on", "continue", "keep", "ignore", "retry"],
        ),
    ],
};

pub(crate) static ON_RECREATED: Table = Table {
    of: "on_recreated",
    kind: Kind::Choice {
        one: "answer",
        many: "answers",
    },
    keys: &[
        key(
            "refuse",
            "refuse",
            "a start that fails",
            "The start fails and names the rows of the stream before.",
            &["fail", "stop", "error"],
        ),
        key(
            "restart",
            "restart",
            "a new beginning",
            "The old checkpoints are forgotten, and the stream is read from its `start`.",
            &["reset", "forget", "start_over"],
        ),
    ],
};

pub(crate) static CREATE: Table = Table {
    of: "create_if_missing",
    kind: Kind::Choice {
        one: "setting",
        many: "settings",
    },
    keys: &[key(
        "shards",
        "shards = 1",
        "the number of shards",
        "Shards of the stream that is created.",
        &["count", "shard_count"],
    )],
};

/// What a string key takes in parentheses.
pub(crate) static TEXT: Table = Table {
    of: "env",
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
            &["var", "variable", "from_env"],
        ),
        key(
            "default",
            r#"default = "..""#,
            "the value without the variable",
            "What holds when the variable is not set.",
            &["or", "fallback"],
        ),
        key(
            "optional",
            "optional",
            "the word for a setting that may be absent",
            "The setting is absent when the variable is not set.",
            &["option", "maybe"],
        ),
    ],
};

/// All tables, for the editor hints and for tests.
#[cfg(test)]
pub(crate) static TABLES: [&Table; 16] = [
    &APP,
    &STREAM,
    &ON_RECORD,
    &ON_BATCH,
    &ON_FATAL,
    &ON_RECREATED,
    &START,
    &LEASES,
    &CREDENTIALS,
    &CONCURRENCY,
    &ORDERED,
    &RETRY,
    &EXHAUSTED,
    &UNDECODABLE,
    &CREATE,
    &TEXT,
];
