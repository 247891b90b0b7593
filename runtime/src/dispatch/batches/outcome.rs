use crate::{Outcome, cause::HandlerError, dispatch::outcome::Verdict};

/// What becomes of the records of a batch. Made by [`Batch::done`](crate::Batch::done) and [`Batch::settle`](crate::Batch::settle), or
/// by [`BatchOutcome::done`] when the batch is used up.
#[derive(Debug)]
#[must_use = "it says what becomes of the records"]
pub struct BatchOutcome(Said);

#[derive(Debug)]
enum Said {
    Done,
    /// In the order of the batch.
    Each(Vec<Outcome>),
}

impl BatchOutcome {
    /// All records of the batch are handled.
    pub fn done() -> Self {
        Self(Said::Done)
    }

    pub(super) fn each(outcomes: Vec<Outcome>) -> Self {
        Self(Said::Each(outcomes))
    }
}

/// How one attempt at a batch ended. Made by [`IntoBatchOutcome`] and by generated code.
#[derive(Debug)]
pub struct BatchSettled(pub(crate) BatchVerdict);

#[derive(Debug)]
pub(crate) enum BatchVerdict {
    Said(BatchOutcome),
    /// It failed as a whole.
    Failed(Verdict),
}

/// Why a batch was not given to its handler.
#[derive(Debug)]
pub enum NotGiven {
    /// No record of it decodes, and each of them is given up on by itself.
    Nothing,
    /// An argument could not be taken from the batch, which has failed as if the handler had said so.
    Argument(HandlerError),
}

impl From<HandlerError> for NotGiven {
    fn from(error: HandlerError) -> Self {
        Self::Argument(error)
    }
}

impl From<NotGiven> for BatchSettled {
    fn from(why: NotGiven) -> Self {
        match why {
            NotGiven::Nothing => BatchOutcome::done().into(),
            NotGiven::Argument(error) => Self::failed(error),
        }
    }
}

impl BatchSettled {
    fn failed(error: HandlerError) -> Self {
        Self(BatchVerdict::Failed(Verdict::failed(error)))
    }
}

impl From<BatchOutcome> for BatchSettled {
    fn from(outcome: BatchOutcome) -> Self {
        Self(BatchVerdict::Said(outcome))
    }
}

/// What a batch handler may return: [`BatchOutcome`], `Result<BatchOutcome, E>` or `Result<(), E>`.
///
/// After an `Err` the whole batch is tried again, with back-off. A batch that failed so often as the key `retry(attempts = ..)` says, or
/// with an error that is marked with [`permanent`](crate::permanent), is halved until what fails is found: only a record that fails
/// alone is given up on.
#[diagnostic::on_unimplemented(
    message = "a batch handler cannot return `{Self}`",
    label = "not an outcome of a batch",
    note = "return `BatchOutcome`, made by `batch.done()` or `batch.settle(..)`, or `Result<(), E>` where `E: Into<HandlerError>`: an error that is `Send` and `Sync`, `String` or `&str`"
)]
pub trait IntoBatchOutcome {
    /// Says what becomes of the records.
    fn into_batch_outcome(self) -> BatchSettled;
}

impl IntoBatchOutcome for BatchOutcome {
    fn into_batch_outcome(self) -> BatchSettled {
        self.into()
    }
}

#[diagnostic::do_not_recommend]
impl<T: OkBatchOutcome, E: Into<HandlerError>> IntoBatchOutcome for Result<T, E> {
    fn into_batch_outcome(self) -> BatchSettled {
        match self {
            Ok(value) => value.ok_batch_outcome().into(),
            Err(error) => BatchSettled::failed(error.into()),
        }
    }
}

/// What may stand in the `Ok` of a batch handler's result: `()` for done, or a [`BatchOutcome`].
#[diagnostic::on_unimplemented(
    message = "a batch handler cannot return `Ok({Self})`",
    label = "not an outcome of a batch",
    note = "return `Result<(), E>` or `Result<BatchOutcome, E>` where `E: Into<HandlerError>`"
)]
pub trait OkBatchOutcome {
    /// What the `Ok` means.
    fn ok_batch_outcome(self) -> BatchOutcome;
}

impl OkBatchOutcome for () {
    fn ok_batch_outcome(self) -> BatchOutcome {
        BatchOutcome::done()
    }
}

impl OkBatchOutcome for BatchOutcome {
    fn ok_batch_outcome(self) -> BatchOutcome {
        self
    }
}

/// A record that was left out of its batch, by its place among the records that the batch was made from.
#[derive(Debug)]
pub(crate) struct LeftOut {
    pub(crate) index: usize,
    pub(crate) why: String,
}

/// What was said of the records of an attempt: of those that the handler was not given, and of the rest.
#[derive(Debug)]
pub(crate) enum Assessed {
    /// One verdict a record, in order.
    Each(Vec<Verdict>),
    /// `None` of a record that the handler was given: it shares the failure.
    Failed {
        left_out: Vec<Option<Verdict>>,
        whole: Verdict,
    },
}

/// `left_out` is in order.
pub(crate) fn assess(records: usize, left_out: Vec<LeftOut>, verdict: BatchVerdict) -> Assessed {
    let given = records - left_out.len();
    let verdict = match verdict {
        // It was kept from another batch.
        BatchVerdict::Said(BatchOutcome(Said::Each(outcomes))) if outcomes.len() != given => {
            let text = format!(
                "the outcome is that of a batch of {}, and this one has {given} records",
                outcomes.len()
            );
            BatchVerdict::Failed(Verdict::failed(text))
        }
        other => other,
    };
    let mut left_out = left_out.into_iter().peekable();
    let alone = (0..records).map(|at| {
        let left_out = left_out.next_if(|left_out| left_out.index == at)?;
        Some(Verdict::Undecodable(left_out.why))
    });
    match verdict {
        BatchVerdict::Failed(whole) => Assessed::Failed {
            left_out: alone.collect(),
            whole,
        },
        BatchVerdict::Said(BatchOutcome(said)) => {
            let mut outcomes = match said {
                Said::Done => Vec::new(),
                Said::Each(outcomes) => outcomes,
            }
            .into_iter();
            let each = alone.map(|alone| {
                alone.unwrap_or_else(|| Verdict::Outcome(outcomes.next().unwrap_or(Outcome::Done)))
            });
            Assessed::Each(each.collect())
        }
    }
}
