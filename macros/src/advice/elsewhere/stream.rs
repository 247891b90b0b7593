//! Words that are written in `#[stream]`.

use super::{Elsewhere, says};

pub(super) const WORDS: &[Elsewhere] = &[
    says(
        &["stream"],
        &[
            "retention",
            "retention_hours",
            "retention_period",
            "retention_ms",
            "encryption",
            "kms",
            "tags",
            "mode",
            "on_demand",
        ],
        "that is a setting of the stream at the service; `create_if_missing(shards = 1)` takes its defaults",
    ),
    says(
        &["create_if_missing"],
        &[
            "retention",
            "retention_hours",
            "retention_period",
            "encryption",
            "kms",
            "tags",
            "mode",
            "on_demand",
        ],
        "a stream is created with the service's defaults; set it there",
    ),
    says(
        &["stream"],
        &[
            "record",
            "payload",
            "record_type",
            "value_type",
            "schema",
            "message_type",
        ],
        "the record type is the first parameter of the stream's handler",
    ),
    says(
        &["stream"],
        &["handler", "on_record", "consumer_fn", "callback"],
        "`#[on_record(Stream)]` on the function names the stream, not the other way round",
    ),
    says(
        &["start"],
        &["offset", "offsets", "sequence_id", "id"],
        "a place in one shard is sought: take a `Seeker` of the stream in its `#[on_shard_start]` hook",
    ),
];
