//! What another system left of a shard in the same table: a checkpoint to go on behind, once it is certain that the system works no more.

use std::{collections::BTreeMap, time::Duration};

use tokio::time::Instant;

use super::row::Checkpoint;

/// The row of another system, which has one for each shard under `<stream>:<shard>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignRow {
    /// How far the shard was done with.
    pub checkpoint: Option<Checkpoint>,
    /// Everything that is stored, so that two readings can be compared.
    pub stands: String,
}

/// What is to be made of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// Nobody else was here.
    Nothing,
    /// It moves, or was not watched for long enough.
    Unsettled,
    /// It stood still for a lease duration.
    Checkpoint(Option<Checkpoint>),
}

/// What one instance saw of them. Whatever they say of times, no wall clock is compared.
#[derive(Debug, Default)]
pub(crate) struct ForeignRows(BTreeMap<String, (ForeignRow, Instant)>);

impl ForeignRows {
    /// Takes in a reading that was asked for and answered at these times. The wait runs from the answer of the first one to the sending of
    /// this one.
    pub(crate) fn observe(
        &mut self,
        shard_id: &str,
        row: ForeignRow,
        [sent, answered]: [Instant; 2],
        wait: Duration,
    ) -> Left {
        match self.0.get(shard_id) {
            Some((seen, first)) if *seen == row => {
                if sent.saturating_duration_since(*first) < wait {
                    return Left::Unsettled;
                }
                self.0.remove(shard_id);
                Left::Checkpoint(row.checkpoint)
            }
            _ => {
                self.0.insert(shard_id.into(), (row, answered));
                Left::Unsettled
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAIT: Duration = Duration::from_secs(10);

    fn row(stands: &str) -> ForeignRow {
        ForeignRow {
            checkpoint: Some(Checkpoint::After("7".into())),
            stands: stands.into(),
        }
    }

    #[test]
    fn a_foreign_row_counts_when_it_stood_still_from_an_answer_to_a_question_a_wait_later() {
        let mut seen = ForeignRows::default();
        let start = Instant::now();
        let mut look = |stands, sent, answered| {
            let at = [sent, answered].map(|secs| start + Duration::from_secs(secs));
            seen.observe("s", row(stands), at, WAIT)
        };
        assert_eq!(look("a", 0, 3), Left::Unsettled);
        assert_eq!(
            look("a", 12, 30),
            Left::Unsettled,
            "asked after nine seconds"
        );
        assert_eq!(look("b", 31, 31), Left::Unsettled, "it moves");
        assert_eq!(look("b", 40, 40), Left::Unsettled);
        assert_eq!(
            look("b", 41, 41),
            Left::Checkpoint(Some(Checkpoint::After("7".into())))
        );
    }
}
