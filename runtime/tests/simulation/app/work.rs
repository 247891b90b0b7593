//! What becomes of each record, by its number: the same on whatever machine.

use std::time::Duration;

use kinesis_app::{HandlerError, permanent};

use super::Shape;

/// How often a record is tried in applications that give records up.
pub(super) const ATTEMPTS: u32 = 3;

/// What a handler does with a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work {
    pub(super) takes: Duration,
    deed: Deed,
}

#[derive(Debug, Clone, Copy)]
enum Deed {
    Done,
    /// It has so many replies.
    Reply(u32),
    Skip,
    /// It is left unhandled so many times, and done when it comes again.
    Hold(u32),
    /// So many attempts fail, each in its way.
    Fail {
        times: u32,
        how: Failure,
    },
}

/// How an attempt ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    Done,
    Replies(u32),
    Skip,
    Hold,
    Failed(Failure),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Failure {
    Error,
    Panic,
    Permanent,
    RetryAfter(Duration),
    DeadLetter,
}

impl Work {
    pub(super) fn of(seed: u64, record: u64, shape: Shape, holds: bool) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed ^ (record + 1).wrapping_mul(0x9e37_79b9));
        let times = rng.u32(1..4);
        let mut takes = Duration::ZERO;
        let fail = |times, how| Deed::Fail { times, how };
        let deed = match rng.u32(0..100) {
            0..3 => fail(times, Failure::Error),
            3..5 => fail(times, Failure::Panic),
            5..7 => {
                let wait = Duration::from_millis(rng.u64(0..9_000));
                fail(1, Failure::RetryAfter(wait))
            }
            7..9 => Deed::Skip,
            9..12 => {
                takes = Duration::from_millis(rng.u64(2_000..14_000));
                Deed::Done
            }
            12..40 => {
                takes = Duration::from_millis(rng.u64(20..600));
                Deed::Done
            }
            40..42 if holds => Deed::Hold(times),
            _ => Deed::Done,
        };
        let deed = match (shape, rng.u32(0..100)) {
            (Shape::Plain, _) => deed,
            (_, 0..2) => fail(u32::MAX, Failure::Error),
            (_, 2) => fail(u32::MAX, Failure::Panic),
            (_, 3) => fail(u32::MAX, Failure::RetryAfter(Duration::ZERO)),
            (_, 4..6) => fail(u32::MAX, Failure::Permanent),
            (_, 6..8) => fail(u32::MAX, Failure::DeadLetter),
            (Shape::Records, 8..18) => Deed::Reply(times),
            _ => deed,
        };
        Self { takes, deed }
    }

    /// How this attempt at it ends; it was held so many times before.
    pub(super) fn end(self, attempt: u32, held: u32) -> End {
        match self.deed {
            Deed::Reply(replies) => End::Replies(replies),
            Deed::Skip => End::Skip,
            Deed::Hold(times) if held < times => End::Hold,
            Deed::Fail { times, how } if attempt <= times => End::Failed(how),
            Deed::Done | Deed::Hold(_) | Deed::Fail { .. } => End::Done,
        }
    }
}

impl Failure {
    /// Whether a batch with such a record fails as a whole.
    pub(super) fn is_whole(self) -> bool {
        matches!(self, Self::Error | Self::Panic | Self::Permanent)
    }

    /// Whether the record is given up on after this attempt.
    pub(super) fn gives_up(self, attempt: u32) -> bool {
        matches!(self, Self::Permanent | Self::DeadLetter) || attempt >= ATTEMPTS
    }

    /// What its dead letter is to say.
    pub(super) fn cause(self, record: u64) -> String {
        match self {
            Self::Error => format!("the sink is down for {record}"),
            Self::Panic => "the handler panicked: planned".into(),
            Self::Permanent => format!("{record} is refused"),
            Self::RetryAfter(_) => "the handler asks for another attempt".into(),
            Self::DeadLetter => format!("{record} is closed"),
        }
    }

    /// What of a handler that fails so is no outcome.
    ///
    /// # Panics
    ///
    /// As planned.
    pub(super) fn error(self, record: u64) -> Option<HandlerError> {
        match self {
            Self::Error => Some(self.cause(record).into()),
            Self::Permanent => Some(permanent(self.cause(record)).into()),
            Self::Panic => panic!("planned"),
            Self::RetryAfter(_) | Self::DeadLetter => None,
        }
    }
}
