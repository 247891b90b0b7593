//! The writes that may change a lease row, and what each of them needs and does: pure, so that every store agrees on them.

use std::time::Duration;

use super::row::{Checkpoint, Holder, LeaseRow, Progress, Wanted};
use crate::planted::{Bug, planted};

/// A conditional write of a lease row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeaseWrite {
    /// Create a row. Needs: no row.
    Create(LeaseRow),
    /// Take a free or dead lease, whoever wanted it. Needs: the row as it was seen.
    Take {
        /// The row's key.
        key: String,
        /// The session that was seen, if any.
        seen_session: Option<String>,
        /// The counter that was seen.
        seen_counter: u64,
        /// Who takes it.
        holder: Holder,
    },
    /// The owner's heartbeat. Needs: session and counter.
    Beat {
        /// The owner's mark.
        held: Held,
        /// The owner's, which may not be that of who granted the lease.
        lease_duration: Duration,
        /// How far the shard is done with, if that changed.
        progress: Option<Progress>,
        /// What becomes of a request that stands in the row.
        answer: Answer,
    },
    /// Ask the holder for the lease. Needs: the session as it was seen, and that nobody else asked.
    Request {
        /// The row's key.
        key: String,
        /// The session that was seen.
        seen_session: String,
        /// Who asks.
        wanted: Wanted,
    },
    /// Who asked for the lease asks no more. Needs: that his request stands.
    Withdraw {
        /// The row's key.
        key: String,
        /// The session that asked.
        session: String,
    },
    /// The owner hands the lease to another, who works with it after his own first beat. Needs: session and counter.
    Grant {
        /// The owner's mark.
        held: Held,
        /// Who gets it.
        to: Wanted,
        /// How far the shard is done with, if that changed.
        progress: Option<Progress>,
    },
    /// The owner lets go. Needs: session and counter.
    Release {
        /// The owner's mark.
        held: Held,
        /// How far the shard is done with, if that changed.
        progress: Option<Progress>,
    },
    /// The shard is read to its end and settled; its children have rows. Needs: session and counter.
    End {
        /// The owner's mark.
        held: Held,
        /// The generation in which it was read.
        generation: u64,
    },
    /// Forget a finished shard that is not listed any more. Needs: `SHARD_END`, no owner, and the counter as seen.
    Delete {
        /// The row's key.
        key: String,
        /// The counter that was seen.
        seen_counter: u64,
    },
}

/// What a heartbeat says to who asked for the lease.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Answer {
    /// Nothing yet: the request stands.
    #[default]
    Open,
    /// The owner keeps the lease: the request goes.
    Refused,
}

/// What an owner's write must find in the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The row's key.
    pub key: String,
    /// The owner's session.
    pub session: String,
    /// The counter that his last write left.
    pub counter: u64,
}

/// The row did not meet the write's condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the lease row is not as the write needs it")]
pub struct Refused;

impl LeaseWrite {
    /// The row it is for.
    pub fn key(&self) -> &str {
        match self {
            Self::Create(row) => &row.key,
            Self::Take { key, .. }
            | Self::Request { key, .. }
            | Self::Withdraw { key, .. }
            | Self::Delete { key, .. } => key,
            Self::Beat { held, .. }
            | Self::Grant { held, .. }
            | Self::Release { held, .. }
            | Self::End { held, .. } => &held.key,
        }
    }

    /// The row after the write, `None` for no row.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the row does not meet the write's condition.
    pub fn apply(&self, row: Option<&LeaseRow>) -> Result<Option<LeaseRow>, Refused> {
        let Some(row) = row else {
            return match self {
                Self::Create(new) => Ok(Some(new.clone())),
                _ => Err(Refused),
            };
        };
        if !self.is_met_by(row) {
            return Err(Refused);
        }
        let mut after = row.clone();
        match self {
            // A creation is met by no row.
            Self::Create(_) | Self::Delete { .. } => return Ok(None),
            Self::Request { wanted, .. } => {
                after.wanted_by = Some(wanted.clone());
                return Ok(Some(after));
            }
            Self::Withdraw { .. } => {
                after.wanted_by = None;
                return Ok(Some(after));
            }
            Self::Take { holder, .. } => {
                after.holder = Some(holder.clone());
                after.wanted_by = None;
            }
            Self::Beat {
                lease_duration,
                progress,
                answer,
                ..
            } => {
                if *answer == Answer::Refused {
                    after.wanted_by = None;
                }
                if let Some(holder) = &mut after.holder {
                    holder.lease_duration = *lease_duration;
                }
                after.reach(progress.as_ref());
            }
            Self::Grant { to, progress, .. } => {
                if let Some(holder) = &mut after.holder {
                    holder.owner_id.clone_from(&to.owner_id);
                    holder.session.clone_from(&to.session);
                }
                after.wanted_by = None;
                after.reach(progress.as_ref());
            }
            Self::Release { progress, .. } => {
                after.holder = None;
                after.reach(progress.as_ref());
            }
            Self::End { generation, .. } => {
                after.holder = None;
                after.reach(Some(&end_of(*generation)));
            }
        }
        after.counter += 1;
        Ok(Some(after))
    }

    fn is_met_by(&self, row: &LeaseRow) -> bool {
        match self {
            Self::Create(_) => false,
            Self::Take {
                seen_session,
                seen_counter,
                ..
            } => row.counter == *seen_counter && row.session() == seen_session.as_deref(),
            Self::Beat { held, .. }
            | Self::Grant { held, .. }
            | Self::Release { held, .. }
            | Self::End { held, .. } => {
                row.counter == held.counter && row.session() == Some(&*held.session)
            }
            Self::Request { seen_session, .. } => {
                row.session() == Some(&**seen_session) && row.wanted_by.is_none()
            }
            Self::Withdraw { session, .. } => row.is_wanted_by(session),
            Self::Delete { seen_counter, .. } => {
                row.counter == *seen_counter && row.is_finished() && row.holder.is_none()
            }
        }
    }

    /// Whether a row that was read after an unanswered or refused write shows that the write was applied: everything that it set or
    /// removed stands there, and the counter is the one that it wrote.
    pub fn stands_in(&self, row: Option<&LeaseRow>) -> bool {
        let Some(row) = row else {
            return matches!(self, Self::Delete { .. });
        };
        match self {
            Self::Create(new) => row == new,
            Self::Take {
                seen_counter,
                holder,
                ..
            } => {
                row.counter == seen_counter + 1
                    && (row.holder.as_ref() == Some(holder) || planted(Bug::RereadWithoutSession))
                    && row.wanted_by.is_none()
            }
            // Another may have asked as soon as a refusal took the first request away: the row need not show it.
            Self::Beat {
                held,
                lease_duration,
                progress,
                answer: _,
            } => {
                let ours = |holder: &Holder| {
                    (holder.session == held.session || planted(Bug::RereadWithoutSession))
                        && holder.lease_duration == *lease_duration
                };
                row.counter == held.counter + 1
                    && row.holder.as_ref().is_some_and(ours)
                    && row.stands_at(progress.as_ref())
            }
            Self::Request { wanted, .. } => row.wanted_by.as_ref() == Some(wanted),
            // Whoever took it away: it is gone.
            Self::Withdraw { session, .. } => !row.is_wanted_by(session),
            Self::Grant { held, to, progress } => {
                let theirs = |holder: &Holder| {
                    holder.session == to.session && holder.owner_id == to.owner_id
                };
                row.counter == held.counter + 1
                    && row.holder.as_ref().is_some_and(theirs)
                    && row.wanted_by.is_none()
                    && row.stands_at(progress.as_ref())
            }
            Self::Release { held, progress } => {
                row.counter == held.counter + 1
                    && row.holder.is_none()
                    && row.stands_at(progress.as_ref())
            }
            Self::End { held, generation } => {
                row.counter == held.counter + 1
                    && row.holder.is_none()
                    && row.is_finished_in(*generation)
            }
            Self::Delete { .. } => false,
        }
    }
}

fn end_of(generation: u64) -> Progress {
    Progress {
        generation,
        checkpoint: Some(Checkpoint::ShardEnd),
    }
}

impl LeaseRow {
    /// Both or neither: a generation without its checkpoint would give the row the checkpoint of another.
    fn reach(&mut self, progress: Option<&Progress>) {
        if let Some(Progress {
            generation,
            checkpoint,
        }) = progress
        {
            self.generation = *generation;
            self.checkpoint.clone_from(checkpoint);
        }
    }

    fn stands_at(&self, progress: Option<&Progress>) -> bool {
        progress.is_none_or(|progress| {
            self.generation == progress.generation && self.checkpoint == progress.checkpoint
        })
    }
}

#[cfg(test)]
mod tests;
