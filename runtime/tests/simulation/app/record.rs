//! Records, handled one by one.

use std::time::SystemTime;

use kinesis_app::{
    HandlerError, IntoReply, Keyed, Outcome, Outgoing, Position, Reply, Seeker, Settled,
    codec::Raw, spec::StreamRef,
};
use tokio::time::sleep;

use super::{
    BACK, Desk, Orders, SEEKS_EVERY,
    cut::Cut,
    work::{End, Failure},
};
use crate::{
    app::seek,
    trace::{Handling, What},
};

/// What a handler says of a record: what becomes of it, or its replies.
#[derive(Debug)]
pub(super) enum Said {
    Outcome(Outcome),
    Replies(Vec<Keyed<String>>),
}

impl Said {
    /// Of an application without receipts.
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Outcome(outcome) => outcome,
            Self::Replies(_) => Outcome::Done,
        }
    }
}

impl IntoReply<Raw> for Said {
    fn into_reply(self, to: StreamRef) -> Settled {
        match self {
            Self::Outcome(outcome) => {
                IntoReply::<Raw>::into_reply(Reply::<String>::Outcome(outcome), to)
            }
            Self::Replies(replies) => IntoReply::<Raw>::into_reply(replies, to),
        }
    }
}

impl Desk {
    /// Some records send the stream back to a little before them.
    pub(super) async fn seek_perhaps(&self, record: u64, at: SystemTime, seeker: &Seeker<Orders>) {
        if record.is_multiple_of(SEEKS_EVERY) && !self.hurries() && self.has_seek() {
            let to = Position::timestamp(at - BACK);
            seek(&self.trace, self.machine, seeker, to).await;
        }
    }

    pub(super) async fn handle(&self, handling: Handling) -> Result<Said, HandlerError> {
        let record = handling.record;
        self.trace.write(What::Begun(handling.clone()));
        let mut cut = Cut::new(&self.trace, vec![handling.clone()]);
        let work = self.work(record);
        if !work.takes.is_zero() && !self.hurries() {
            sleep(work.takes).await;
        }
        let end = work.end(handling.attempt, self.times_held(record));
        cut.is_over();
        self.trace.write(self.told(handling, end));
        Ok(match end {
            End::Done => Said::Outcome(Outcome::Done),
            End::Skip => Said::Outcome(Outcome::Skip),
            End::Hold => Said::Outcome(Outcome::Hold),
            End::Replies(replies) => Said::Replies(receipts(record, replies)),
            End::Failed(failure) => match failure.error(record) {
                Some(error) => return Err(error),
                None => Said::Outcome(outcome(failure, record)),
            },
        })
    }

    /// How an attempt at a record ended.
    pub(super) fn told(&self, handling: Handling, end: End) -> What {
        match end {
            End::Done => What::Settled(handling),
            End::Skip => What::Skipped(handling),
            End::Hold => What::Held(handling),
            End::Replies(replies) => What::Replied { handling, replies },
            End::Failed(failure)
                if self.shape.has_sinks() && failure.gives_up(handling.attempt) =>
            {
                let cause = failure.cause(handling.record);
                What::GivenUp { handling, cause }
            }
            End::Failed(_) => What::Failed(handling),
        }
    }
}

/// Of a failure that is no error.
pub(super) fn outcome(failure: Failure, record: u64) -> Outcome {
    match failure {
        Failure::DeadLetter => Outcome::dead_letter(failure.cause(record)),
        Failure::RetryAfter(wait) => Outcome::RetryAfter(wait),
        Failure::Error | Failure::Panic | Failure::Permanent => Outcome::Retry,
    }
}

/// One key for two of them: one is stored behind the other.
fn receipts(record: u64, replies: u32) -> Vec<Keyed<String>> {
    let receipt = |index| format!("{record} {index} {replies}").keyed(format!("r{}", index % 2));
    (0..replies).map(receipt).collect()
}
