//! Words that are written in the attributes of handlers, and anywhere.

use super::{EVERYWHERE, Elsewhere, HANDLERS, edits, says};

pub(super) const WORDS: &[Elsewhere] = &[
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
        &["retry"],
        &["never", "none", "off", "no", "once", "disabled"],
        "the first attempt is the only one with `attempts = 1`",
    ),
    says(
        &["undecodable", "exhausted"],
        &["retry", "retries", "again", "requeue"],
        "`retry(..)` stands beside it, and is over when a record comes here",
    ),
];
