//! Words of other systems that are no key here: the KCL's, Kafka's, the brokers', the web frameworks'.
//!
//! A word that is a key under another name is a synonym in the key tables; here stands what is done in another way.

use quote::ToTokens;
use syn::{Expr, ExprLit};

use super::Advice;
use crate::keys::Table;
use crate::parse::args::Value;

struct Elsewhere {
    /// The tables where somebody may write it.
    of: &'static [&'static str],
    words: &'static [&'static str],
    /// What is done instead; `{}` is what the user gave, or else the example.
    instead: &'static str,
    example: &'static str,
}

const HANDLERS: &[&str] = &["on_record", "on_batch"];
const EVERYWHERE: &[&str] = &["kinesis_app", "stream", "on_record", "on_batch"];

const fn says(
    of: &'static [&'static str],
    words: &'static [&'static str],
    instead: &'static str,
) -> Elsewhere {
    edits(of, words, instead, "")
}

const fn edits(
    of: &'static [&'static str],
    words: &'static [&'static str],
    instead: &'static str,
    example: &'static str,
) -> Elsewhere {
    Elsewhere {
        of,
        words,
        instead,
        example,
    }
}

const WORDS: &[Elsewhere] = &[
    says(
        &["on_batch"],
        &["concurrency", "ordered"],
        "batches of a shard are handled one after the other, each in the order of the shard; `max_records` bounds them",
    ),
    says(
        &["on_batch"],
        &["publish"],
        "take a `Publisher<S>` and publish in the handler",
    ),
    says(
        &["on_record"],
        &[
            "max_records",
            "max_wait",
            "batch",
            "batches",
            "batched",
            "max_batch_size",
            "linger",
        ],
        "a handler of whole batches is marked `#[on_batch(..)]`",
    ),
    edits(
        HANDLERS,
        &[
            "dead_letter",
            "dead_letters",
            "dlq",
            "dead_letter_queue",
            "dead_letter_stream",
            "dead_letter_topic",
        ],
        "`retry(attempts = 5), exhausted(dead_letter({}))`",
        "Rejected",
    ),
    says(
        HANDLERS,
        &[
            "on_error",
            "error_handler",
            "failure_policy",
            "on_exception",
        ],
        "`retry(attempts = 5), exhausted(skip)`; what is undecodable goes the way of `undecodable(..)`",
    ),
    says(
        &["on_record", "on_batch", "stream", "kinesis_app"],
        &[
            "ack",
            "acks",
            "ack_mode",
            "ack_policy",
            "auto_ack",
            "manual_ack",
            "nack",
            "commit",
            "auto_commit",
            "enable_auto_commit",
            "manual_commit",
            "checkpoint_mode",
            "auto_checkpoint",
        ],
        "what a handler returns says what becomes of its record; the runtime moves the checkpoint",
    ),
    says(
        EVERYWHERE,
        &[
            "checkpoint_interval",
            "checkpoint_every",
            "commit_interval",
            "auto_commit_interval",
            "auto_commit_interval_ms",
            "heartbeat",
            "heartbeat_interval",
            "heartbeat_interval_ms",
        ],
        "checkpoints ride on the heartbeat: every 3s, or 30 % of a shorter `leases(.., duration = \"..\")`",
    ),
    says(
        HANDLERS,
        &["filter", "predicate", "condition", "when"],
        "return `Outcome::Skip` for a record that is none of the handler's business",
    ),
    says(
        EVERYWHERE,
        &[
            "state",
            "with_state",
            "context",
            "data",
            "extension",
            "extensions",
        ],
        "`#[on_start]` returns the state, and a handler takes `State<T>`",
    ),
    says(
        EVERYWHERE,
        &[
            "exactly_once",
            "idempotent",
            "idempotence",
            "transactional",
            "transaction",
        ],
        "records come at least once; `Position` is the same at every delivery, so that a sink can tell a second one",
    ),
    says(
        EVERYWHERE,
        &[
            "middleware",
            "middlewares",
            "layer",
            "layers",
            "interceptor",
            "hooks",
        ],
        "a handler is a function: call another one in it",
    ),
    says(
        &["kinesis_app"],
        &[
            "stream",
            "streams",
            "topic",
            "topics",
            "stream_name",
            "channel",
        ],
        "declare it in the module: `#[stream(name = \"orders\")] pub struct Orders;`",
    ),
    says(
        &["kinesis_app"],
        &[
            "profile",
            "aws_profile",
            "access_key",
            "access_key_id",
            "secret_key",
            "secret_access_key",
            "session_token",
            "role",
            "role_arn",
            "assume_role",
            "credentials_provider",
        ],
        "credentials come from the SDK's chain, or from an `#[aws] async fn config() -> SdkConfig`",
    ),
    says(
        &["credentials"],
        &[
            "profile",
            "access_key",
            "access_key_id",
            "secret_key",
            "role",
            "role_arn",
            "chain",
            "default",
            "aws",
        ],
        "without the key, the SDK's chain; any other comes from an `#[aws] async fn config() -> SdkConfig`",
    ),
    says(
        &["kinesis_app"],
        &[
            "metrics",
            "metric",
            "telemetry",
            "observer",
            "listener",
            "monitoring",
            "prometheus",
            "otel",
        ],
        "`#[observe] fn meter() -> impl Observer` is told what happens",
    ),
    says(
        &["kinesis_app"],
        &["runtime", "flavor", "worker_threads", "tokio"],
        "the app runs on the runtime of `main`: `#[tokio::main]`",
    ),
    edits(
        &["kinesis_app"],
        &[
            "table",
            "table_name",
            "lease_table",
            "lease_table_name",
            "dynamodb_table",
            "checkpoint_table",
        ],
        "`leases(dynamodb = {})`",
        "\"table\"",
    ),
    says(
        &["leases"],
        &[
            "heartbeat",
            "heartbeat_interval",
            "renew_interval",
            "checkpoint_interval",
        ],
        "the heartbeat follows the lease: every 3s, or 30 % of a shorter `duration`",
    ),
    says(
        &["leases"],
        &[
            "redis",
            "postgres",
            "zookeeper",
            "etcd",
            "s3",
            "kafka",
            "custom",
        ],
        "`#[leases] async fn store() -> impl LeaseStore` brings a store of your own",
    ),
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
    says(
        &["retry"],
        &[
            "multiplier",
            "factor",
            "exponential",
            "exponential_backoff",
            "linear",
            "fixed",
            "jitter",
            "strategy",
        ],
        "pauses double from `backoff` to `max_backoff`, with jitter",
    ),
    says(
        &["undecodable", "exhausted"],
        &["retry", "retries", "again", "requeue"],
        "`retry(..)` stands beside it, and is over when a record comes here",
    ),
];

/// What is done here in place of a word.
pub(super) fn advice(table: &Table, word: &str, given: &Value) -> Option<Advice> {
    let found = WORDS
        .iter()
        .find(|entry| entry.of.contains(&table.of) && entry.words.contains(&word))?;
    let value = filling(given, found.example);
    Some(Advice::of(found.instead.replace("{}", &value), None))
}

#[cfg(test)]
pub(crate) fn texts() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|entry| entry.instead)
}

/// What the user gave, if it is of the kind of the example: a text, or a type.
fn filling(given: &Value, example: &str) -> String {
    let written = match given {
        Value::Equals(expr) => match &**expr {
            Expr::Lit(ExprLit { lit, .. }) => lit.to_token_stream().to_string(),
            other => other.to_token_stream().to_string(),
        },
        Value::List(list) => list.value.to_string(),
        Value::Flag => String::new(),
    };
    let is_text = |text: &str| text.starts_with('"');
    let fits = !written.is_empty() && is_text(&written) == is_text(example);
    if fits { written } else { example.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::tables;

    #[test]
    fn a_word_has_one_advice_in_a_table_and_is_no_key_of_it() {
        for table in tables() {
            let here = WORDS.iter().filter(|entry| entry.of.contains(&table.of));
            let words: Vec<_> = here.flat_map(|entry| entry.words).collect();
            for (at, word) in words.iter().enumerate() {
                assert!(
                    !words[..at].contains(word),
                    "`{word}` twice in `{}`",
                    table.of
                );
                let key = table
                    .keys
                    .iter()
                    .find(|key| key.is(word) || key.is_called(word));
                assert!(
                    key.is_none(),
                    "`{word}` is a word of `{}` already",
                    table.of
                );
            }
        }
    }

    #[test]
    fn every_word_has_a_place() {
        for entry in WORDS {
            for of in entry.of {
                assert!(tables().any(|table| table.of == *of), "`{of}`");
            }
            assert_eq!(entry.instead.contains("{}"), !entry.example.is_empty());
        }
    }
}
