//! What becomes of a batch that failed as a whole.

use std::num::NonZeroU32;

use crate::dispatch::outcome::Verdict;

/// What a batch that failed comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// All of it is tried again, after a back-off.
    Again,
    /// Its halves are tried: one of them may be rid of what is wrong.
    Split,
    /// It is one record, which answers for the failure as a record does.
    Alone,
}

/// Whether another try at the same records may go better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    Passing,
    Permanent,
}

impl Failure {
    pub(crate) fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Failed(error) if error.is_permanent => Self::Permanent,
            _ => Self::Passing,
        }
    }
}

/// `failures` counts this one; `attempts` of none is for ever.
pub(crate) fn then(
    records: usize,
    failures: u32,
    failure: Failure,
    attempts: Option<NonZeroU32>,
) -> Then {
    let is_used_up = attempts.is_some_and(|attempts| failures >= attempts.get());
    match failure {
        _ if records <= 1 => Then::Alone,
        Failure::Passing if !is_used_up => Then::Again,
        Failure::Passing | Failure::Permanent => Then::Split,
    }
}
