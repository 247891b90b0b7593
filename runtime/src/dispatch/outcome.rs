use std::{any::Any, fmt, time::Duration};

use super::permanent::is_permanent;
use crate::{
    cause::{Chain, HandlerError},
    publish::{Outbox, PublishError},
};

/// What becomes of a record, said in terms of the log and its checkpoint.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// It is handled: the checkpoint may pass it.
    Done,
    /// It is handled again after a back-off; its key waits, other keys go on.
    Retry,
    /// It is handled again after this long; its key waits, other keys go on.
    RetryAfter(Duration),
    /// It is left unhandled on purpose: the checkpoint may pass it. Logged and counted.
    Skip,
    /// It is left unhandled, and everything behind it goes on, records of its key among them.
    ///
    /// The checkpoint stays before it. It is given to its handler again, with all that lies behind it, when the shard can go on with
    /// nothing else (it is closed and read to its end, or its window of 100,000 records is full): its `max_backoff` later, 30 s unless it is
    /// set; or when the shard begins anew, after a stop, a crash or a take-over. Children of the shard wait for it. [`ShardHealth::held`](crate::ShardHealth::held)
    /// shows it.
    Hold,
    /// It is stored in the stream of `exhausted(dead_letter(..))`, else in that of `undecodable(dead_letter(..))`, and the checkpoint
    /// passes it then. A handler that has neither key halts its shard.
    DeadLetter(Reason),
    /// Its shard stops before it and keeps its lease; other shards go on. A person mends what is wrong and starts the application anew.
    Halt(Reason),
}

impl Outcome {
    /// Stops the record's shard for this reason.
    pub fn halt(reason: impl Into<HandlerError>) -> Self {
        Self::Halt(reason.into().into())
    }

    /// Gives the record up for this reason, which the dead letter bears as a header.
    pub fn dead_letter(reason: impl Into<HandlerError>) -> Self {
        Self::DeadLetter(reason.into().into())
    }
}

/// Why a record was given up, or its shard stopped.
#[derive(Debug)]
pub struct Reason(String);

impl<E: Into<HandlerError>> From<E> for Reason {
    fn from(error: E) -> Self {
        Self(Chain(&*error.into()).to_string())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A record that no handler can be given: its payload does not decode, or it lacks what an argument needs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Undecodable {
    /// The codec refused the payload.
    #[error("the `{codec}` codec does not decode the payload: {source}")]
    Payload {
        /// The codec's name.
        codec: &'static str,
        /// What it says.
        source: HandlerError,
    },
    /// The record has no partition key, and the handler asks for one.
    #[error(
        "the record has no partition key; take `Option<PartitionKey>` on a stream with automatic distribution"
    )]
    NoPartitionKey,
    /// The payload is an aggregate of the Kinesis Producer Library.
    #[error("the payload is a KPL aggregate, many records in one, and aggregates are not unpacked")]
    KplAggregate,
    /// An extractor of the application's own refused the record.
    #[error("an argument cannot be taken from the record: {0}")]
    Argument(#[source] HandlerError),
}

impl Undecodable {
    /// For a codec of your own: the payload is not what it expects.
    pub fn payload(codec: &'static str, source: impl Into<HandlerError>) -> Self {
        Self::Payload {
            codec,
            source: source.into(),
        }
    }

    #[cfg(any(feature = "cbor", feature = "messagepack"))]
    pub(crate) fn trailing(codec: &'static str, bytes: usize) -> Self {
        Self::payload(codec, format!("{bytes} bytes follow the value"))
    }

    /// For an extractor of your own: the record lacks what it needs.
    pub fn argument(reason: impl Into<HandlerError>) -> Self {
        Self::Argument(reason.into())
    }
}

/// How one attempt at a record ended. Made by [`IntoOutcome`] and by generated code.
#[derive(Debug)]
pub struct Settled(pub(crate) Verdict);

#[derive(Debug)]
pub(crate) enum Verdict {
    Outcome(Outcome),
    Failed(Failed),
    Panicked(String),
    /// The key `timeout` was so long.
    TimedOut(Duration),
    /// Why, with its causes.
    Undecodable(String),
    /// The handler is done with it once these are stored.
    Replied(Outbox),
    /// Its replies are not stored yet, for this reason.
    Unstored(Outbox, PublishError),
}

/// An error of a handler, in words. It is asked for them once, as a part of the attempt: an error that panics when it is shown is a
/// panic of its handler, and nobody else's.
#[derive(Debug)]
pub(crate) struct Failed {
    /// With its causes.
    pub(crate) text: String,
    /// No repetition heals it.
    pub(crate) is_permanent: bool,
}

impl Verdict {
    pub(crate) fn failed(error: impl Into<HandlerError>) -> Self {
        let error = error.into();
        Self::Failed(Failed {
            text: Chain(&*error).to_string(),
            is_permanent: is_permanent(&*error),
        })
    }

    /// Whether the attempt failed, and another may not.
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            Self::Outcome(outcome) => matches!(outcome, Outcome::Retry | Outcome::RetryAfter(_)),
            Self::Failed(_) | Self::Panicked(_) | Self::TimedOut(_) => true,
            Self::Undecodable(_) | Self::Replied(_) | Self::Unstored(..) => false,
        }
    }
}

impl Settled {
    /// The record could not be given to its handler.
    pub(crate) fn undecodable(error: &Undecodable) -> Self {
        Self(Verdict::Undecodable(Chain(error).to_string()))
    }

    pub(crate) fn panicked(payload: &(dyn Any + Send)) -> Self {
        Self(Verdict::Panicked(panic_text(payload)))
    }
}

/// What a panic says.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a value that is not text".into())
}

impl From<Outcome> for Settled {
    fn from(outcome: Outcome) -> Self {
        Self(Verdict::Outcome(outcome))
    }
}

/// What a record handler may return: [`Outcome`], `Result<(), E>` or `Result<Outcome, E>`.
///
/// An `Err` is retried in place, with back-off: for as long as it takes, or as often as the key `retry(attempts = ..)` says. One that
/// no repetition heals is marked with [`permanent`](crate::permanent).
#[diagnostic::on_unimplemented(
    message = "a record handler cannot return `{Self}`",
    label = "not an outcome",
    note = "return `Outcome`, or `Result<(), E>` where `E: Into<HandlerError>`: an error that is `Send` and `Sync`, `String` or `&str`",
    note = "a `Keyed` value or a `Reply` is returned by a handler that says where it goes: `publish(Stream)`"
)]
pub trait IntoOutcome {
    /// Says what becomes of the record.
    fn into_outcome(self) -> Settled;
}

impl IntoOutcome for Outcome {
    fn into_outcome(self) -> Settled {
        self.into()
    }
}

#[diagnostic::do_not_recommend]
impl<T: OkOutcome, E: Into<HandlerError>> IntoOutcome for Result<T, E> {
    fn into_outcome(self) -> Settled {
        match self {
            Ok(value) => value.ok_outcome().into(),
            Err(error) => Settled(Verdict::failed(error)),
        }
    }
}

/// What may stand in the `Ok` of a handler's result: `()` for done, or an [`Outcome`].
#[diagnostic::on_unimplemented(
    message = "a record handler cannot return `Ok({Self})`",
    label = "not an outcome",
    note = "return `Result<(), E>` or `Result<Outcome, E>` where `E: Into<HandlerError>`",
    note = "a `Keyed` value or a `Reply` is returned by a handler that says where it goes: `publish(Stream)`"
)]
pub trait OkOutcome {
    /// What the `Ok` means.
    fn ok_outcome(self) -> Outcome;
}

impl OkOutcome for () {
    fn ok_outcome(self) -> Outcome {
        Outcome::Done
    }
}

impl OkOutcome for Outcome {
    fn ok_outcome(self) -> Outcome {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_err_is_a_failure_with_its_error_and_an_ok_is_done() {
        let failed = Err::<(), _>("sink is down").into_outcome();
        assert!(matches!(failed.0, Verdict::Failed(error) if error.text == "sink is down"));
        let done = Ok::<(), String>(()).into_outcome();
        assert!(matches!(done.0, Verdict::Outcome(Outcome::Done)));
        let skipped = Ok::<_, String>(Outcome::Skip).into_outcome();
        assert!(matches!(skipped.0, Verdict::Outcome(Outcome::Skip)));
    }
}
