//! What becomes of a record after an attempt, by what its handler's attribute says: pure.

use std::{fmt, num::NonZeroU32, time::Duration};

use super::outcome::{Outcome, Reason, Verdict};
use crate::{
    publish::{Outbox, PublishError},
    spec::{GiveUp, HandlerSpec, StreamRef},
};

/// When a handler's records are given up on, and where they go then.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Policy {
    /// `None` tries until the record passes.
    attempts: Option<NonZeroU32>,
    exhausted: GiveUp,
    undecodable: GiveUp,
}

/// What is to be done with a record.
#[derive(Debug)]
pub(crate) enum Step {
    /// The checkpoint may pass it.
    Done,
    /// It is tried again.
    Again { wait: Wait, cause: Cause },
    /// The checkpoint may pass it, though it was not handled.
    Skip(Cause),
    /// It is left as it is, and what lies behind it goes on.
    Hold,
    /// Its shard stops before it, for this reason.
    Halt(String),
    /// It is stored in this stream, and the checkpoint may pass it then.
    DeadLetter(StreamRef, Cause),
    /// Its handler is done with it, and the checkpoint may pass it when these are stored.
    Store(Outbox),
    /// These are tried to be stored again; this is what they failed with.
    StoreAgain(Outbox, PublishError),
}

/// How long a record waits for its next attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// As the handler's back-off says after so many attempts.
    Backoff,
    /// As its handler asked for.
    For(Duration),
}

/// Why a record was not done.
#[derive(Debug)]
pub(crate) enum Cause {
    /// Its handler leaves it out.
    LeftOut,
    /// Its handler asks for another attempt.
    Asked,
    /// An error, with its causes.
    Failed(String),
    Panicked(String),
    TimedOut(Duration),
    Undecodable(String),
    /// Its handler gives it up.
    GivenUp(Reason),
}

impl Policy {
    pub(crate) fn of(handler: &HandlerSpec) -> Self {
        Self {
            attempts: handler.retry.attempts,
            exhausted: handler.exhausted,
            undecodable: handler.undecodable,
        }
    }

    pub(crate) fn attempts(&self) -> Option<NonZeroU32> {
        self.attempts
    }

    /// `attempt` is the one that ended like this; the first is 1.
    pub(crate) fn decide(&self, verdict: Verdict, attempt: NonZeroU32) -> Step {
        match verdict {
            Verdict::Outcome(Outcome::Done) => Step::Done,
            Verdict::Outcome(Outcome::Skip) => Step::Skip(Cause::LeftOut),
            Verdict::Outcome(Outcome::Hold) => Step::Hold,
            Verdict::Outcome(Outcome::Halt(reason)) => Step::Halt(reason.to_string()),
            Verdict::Outcome(Outcome::DeadLetter(reason)) => self.dead_letter(reason),
            Verdict::Outcome(Outcome::Retry) => self.failed(Cause::Asked, Wait::Backoff, attempt),
            Verdict::Outcome(Outcome::RetryAfter(wait)) => {
                self.failed(Cause::Asked, Wait::For(wait), attempt)
            }
            Verdict::Undecodable(error) => give_up(self.undecodable, Cause::Undecodable(error)),
            Verdict::Failed(error) if error.is_permanent => {
                give_up(self.exhausted, Cause::Failed(error.text))
            }
            Verdict::Replied(outbox) => Step::Store(outbox),
            Verdict::Unstored(outbox, error) => Step::StoreAgain(outbox, error),
            verdict @ (Verdict::Failed(_) | Verdict::Panicked(_) | Verdict::TimedOut(_)) => {
                self.failed(Cause::of(verdict), Wait::Backoff, attempt)
            }
        }
    }

    fn failed(&self, cause: Cause, wait: Wait, attempt: NonZeroU32) -> Step {
        match (self.attempts, self.exhausted) {
            (Some(attempts), GiveUp::Halt) if attempt >= attempts => {
                Step::Halt(format!("attempt {attempt} of {attempts} failed: {cause}"))
            }
            (Some(attempts), exhausted) if attempt >= attempts => give_up(exhausted, cause),
            _ => Step::Again { wait, cause },
        }
    }

    fn dead_letter(&self, reason: Reason) -> Step {
        match (self.exhausted, self.undecodable) {
            (GiveUp::DeadLetter(stream), _) | (_, GiveUp::DeadLetter(stream)) => {
                Step::DeadLetter(stream, Cause::GivenUp(reason))
            }
            _ => Step::Halt(format!(
                "`Outcome::DeadLetter` has no stream to go to, for the handler has no `exhausted(dead_letter(Stream))`: {reason}"
            )),
        }
    }
}

impl Cause {
    /// Of an attempt that was not done.
    pub(crate) fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Failed(error) => Self::Failed(error.text),
            Verdict::Panicked(text) => Self::Panicked(text),
            Verdict::TimedOut(after) => Self::TimedOut(after),
            Verdict::Undecodable(error) => Self::Undecodable(error),
            Verdict::Outcome(_) | Verdict::Replied(_) | Verdict::Unstored(..) => Self::Asked,
        }
    }
}

fn give_up(place: GiveUp, cause: Cause) -> Step {
    match place {
        GiveUp::Halt => Step::Halt(cause.to_string()),
        GiveUp::Skip => Step::Skip(cause),
        GiveUp::DeadLetter(stream) => Step::DeadLetter(stream, cause),
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeftOut => f.write_str("the handler skips it"),
            Self::Asked => f.write_str("the handler asks for another attempt"),
            Self::Failed(text) | Self::Undecodable(text) => f.write_str(text),
            Self::Panicked(text) => write!(f, "the handler panicked: {text}"),
            Self::TimedOut(after) => write!(f, "the handler took longer than {after:?}"),
            Self::GivenUp(reason) => reason.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;

    use super::*;
    use crate::{Settled, Undecodable, permanent};

    struct Rejected;
    struct Broken;

    const REJECTED: GiveUp = GiveUp::DeadLetter(StreamRef {
        stream: TypeId::of::<Rejected>(),
        label: "Rejected",
    });
    const BROKEN: GiveUp = GiveUp::DeadLetter(StreamRef {
        stream: TypeId::of::<Broken>(),
        label: "Broken",
    });

    fn policy(attempts: u32, exhausted: GiveUp, undecodable: GiveUp) -> Policy {
        Policy {
            attempts: NonZeroU32::new(attempts),
            exhausted,
            undecodable,
        }
    }

    fn decide(policy: Policy, verdict: Verdict, attempt: u32) -> String {
        let attempt = NonZeroU32::new(attempt).expect("attempts count from 1");
        match policy.decide(verdict, attempt) {
            Step::Done => "done".into(),
            Step::Hold => "hold".into(),
            Step::Again {
                wait: Wait::Backoff,
                cause,
            } => format!("again: {cause}"),
            Step::Again {
                wait: Wait::For(wait),
                cause,
            } => format!("again after {wait:?}: {cause}"),
            Step::Skip(cause) => format!("skip: {cause}"),
            Step::Halt(reason) => format!("halt: {reason}"),
            Step::DeadLetter(stream, cause) => format!("to {}: {cause}", stream.label),
            Step::Store(_) => "store".into(),
            Step::StoreAgain(_, error) => format!("store again: {error}"),
        }
    }

    /// Everything that counts as a failed attempt.
    fn failures() -> [(Verdict, &'static str); 5] {
        let asked = "the handler asks for another attempt";
        [
            (Verdict::Outcome(Outcome::Retry), asked),
            (Verdict::Outcome(Outcome::RetryAfter(Duration::ZERO)), asked),
            (Verdict::failed("sink is down"), "sink is down"),
            (
                Verdict::Panicked("at the disco".into()),
                "the handler panicked: at the disco",
            ),
            (
                Verdict::TimedOut(Duration::from_secs(30)),
                "the handler took longer than 30s",
            ),
        ]
    }

    #[test]
    fn every_kind_of_failure_is_repeated_until_attempts_are_used_up() {
        for attempt in [1, 2, 1_000_000] {
            for (verdict, _) in failures() {
                let step = decide(policy(0, REJECTED, GiveUp::Halt), verdict, attempt);
                assert!(step.starts_with("again"), "{step}");
            }
        }
        for (verdict, cause) in failures() {
            let step = decide(policy(3, REJECTED, GiveUp::Halt), verdict, 2);
            assert!(step.starts_with("again") && step.ends_with(cause), "{step}");
        }
        for (place, word) in [
            (GiveUp::Halt, "halt: attempt 3 of 3 failed"),
            (GiveUp::Skip, "skip"),
            (REJECTED, "to Rejected"),
        ] {
            for (verdict, cause) in failures() {
                let step = decide(policy(3, place, GiveUp::Halt), verdict, 3);
                assert_eq!(step, format!("{word}: {cause}"));
            }
        }
    }

    #[test]
    fn a_wait_that_the_handler_asks_for_is_its_own() {
        let asked = Verdict::Outcome(Outcome::RetryAfter(Duration::from_secs(7)));
        assert_eq!(
            decide(policy(0, GiveUp::Halt, GiveUp::Halt), asked, 1),
            "again after 7s: the handler asks for another attempt"
        );
    }

    #[test]
    fn a_permanent_error_is_exhausted_by_its_first_attempt() {
        let permanent = || Verdict::failed(permanent("no such account"));
        for attempts in [0, 5] {
            for (place, step) in [
                (GiveUp::Halt, "halt: no such account"),
                (GiveUp::Skip, "skip: no such account"),
                (REJECTED, "to Rejected: no such account"),
            ] {
                assert_eq!(
                    decide(policy(attempts, place, BROKEN), permanent(), 1),
                    step
                );
            }
        }
    }

    #[test]
    fn what_does_not_decode_goes_its_own_way_at_once() {
        let undecodable = || Settled::undecodable(&Undecodable::NoPartitionKey).0;
        let text = Undecodable::NoPartitionKey.to_string();
        for (place, word) in [
            (GiveUp::Halt, "halt"),
            (GiveUp::Skip, "skip"),
            (BROKEN, "to Broken"),
        ] {
            let step = decide(policy(5, REJECTED, place), undecodable(), 1);
            assert_eq!(step, format!("{word}: {text}"));
        }
    }

    #[test]
    fn a_handlers_dead_letter_goes_where_failures_go_and_else_where_undecodable_records_go() {
        let letter = || Verdict::Outcome(Outcome::dead_letter("closed account"));
        let to = |exhausted, undecodable| decide(policy(0, exhausted, undecodable), letter(), 1);
        assert_eq!(to(REJECTED, BROKEN), "to Rejected: closed account");
        assert_eq!(to(GiveUp::Skip, BROKEN), "to Broken: closed account");
        let halted = to(GiveUp::Halt, GiveUp::Skip);
        assert!(
            halted.starts_with("halt: ")
                && halted.contains("`exhausted(dead_letter(Stream))`")
                && halted.ends_with("closed account"),
            "{halted}"
        );
    }

    #[test]
    fn what_the_handler_decides_needs_no_policy() {
        let any = policy(1, REJECTED, BROKEN);
        assert_eq!(decide(any, Verdict::Outcome(Outcome::Done), 9), "done");
        assert_eq!(decide(any, Verdict::Outcome(Outcome::Hold), 9), "hold");
        assert_eq!(
            decide(any, Verdict::Outcome(Outcome::Skip), 9),
            "skip: the handler skips it"
        );
        assert_eq!(
            decide(any, Verdict::Outcome(Outcome::halt("ledger is locked")), 9),
            "halt: ledger is locked"
        );
    }
}
