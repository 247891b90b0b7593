//! Keys of `#[stream]`, and of their parentheses.

use crate::keys::{Kind, Table, beside, key, later};

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
