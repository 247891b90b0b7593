//! A lease row, the writes that may change it, and what each of them needs and does: pure, so that every store agrees on them.

use std::time::Duration;

/// The name of a row: `<app>:<stream>:<shard>`, or `<app>:<stream>` for the stream's own. No part may hold a colon.
pub(crate) fn stream_key(app: &str, stream: &str) -> String {
    format!("{app}:{stream}")
}

pub(crate) fn lease_key(app: &str, stream: &str, shard_id: &str) -> String {
    format!("{app}:{stream}:{shard_id}")
}

/// The stored row of one shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseRow {
    /// `<app>:<stream>:<shard>`.
    pub key: String,
    /// The shard's id.
    pub shard_id: String,
    /// The shards it came from: none, one after a split, two after a merge.
    pub parents: Vec<String>,
    /// Who reads it; none if it is free.
    pub holder: Option<Holder>,
    /// Grows by one with every write of an owner.
    pub counter: u64,
    /// How far its records have settled; none if not even the first one has.
    pub checkpoint: Option<Checkpoint>,
    /// The seek generation that the checkpoint, or its absence, belongs to.
    pub generation: u64,
}

/// Who holds a lease, and what a write of his must find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The instance's id, for people.
    pub owner_id: String,
    /// Random per process start: two processes with one id are two owners.
    pub session: String,
    /// Others wait at least this long before they call the holder dead.
    pub lease_duration: Duration,
}

/// How far a shard is done with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checkpoint {
    /// Everything up to and with this sequence number.
    After(String),
    /// All of it: the shard is closed and its last record has settled.
    ShardEnd,
}

impl LeaseRow {
    /// Whether the shard needs no reader any more.
    pub fn is_finished(&self) -> bool {
        self.checkpoint == Some(Checkpoint::ShardEnd)
    }
}

/// The stored row of one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamRow {
    /// `<app>:<stream>`.
    pub key: String,
    /// The stream's creation time: another stream under the same name has another.
    pub created_millis: i64,
    /// Where every shard without a checkpoint begins.
    pub start: StoredStart,
    /// Grows by one with every seek.
    pub generation: u64,
}

/// A start position that means the same to everybody and for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredStart {
    /// The oldest record kept.
    TrimHorizon,
    /// The first record that arrived at this time or later.
    At {
        /// Milliseconds since the Unix epoch.
        millis: i64,
    },
}

/// A conditional write of a lease row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeaseWrite {
    /// Create a row. Needs: no row.
    Create(LeaseRow),
    /// Take a free or dead lease. Needs: the row as it was seen.
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
    /// The owner's heartbeat, with the checkpoint if it moved. Needs: session and counter.
    Beat {
        /// The owner's mark.
        held: Held,
        /// The new checkpoint.
        checkpoint: Option<Checkpoint>,
    },
    /// The owner lets go. Needs: session and counter.
    Release {
        /// The owner's mark.
        held: Held,
        /// The last checkpoint.
        checkpoint: Option<Checkpoint>,
    },
    /// The shard is read to its end and settled; its children have rows. Needs: session and counter.
    End {
        /// The owner's mark.
        held: Held,
    },
    /// Forget a finished shard that is not listed any more. Needs: `SHARD_END` and the counter as seen.
    Delete {
        /// The row's key.
        key: String,
        /// The counter that was seen.
        seen_counter: u64,
    },
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

impl LeaseWrite {
    /// The row it is for.
    pub fn key(&self) -> &str {
        match self {
            Self::Create(row) => &row.key,
            Self::Take { key, .. } | Self::Delete { key, .. } => key,
            Self::Beat { held, .. } | Self::Release { held, .. } | Self::End { held } => &held.key,
        }
    }

    /// The row after the write, `None` for no row.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the row does not meet the write's condition.
    pub fn apply(&self, row: Option<&LeaseRow>) -> Result<Option<LeaseRow>, Refused> {
        match (self, row) {
            (Self::Create(new), None) => Ok(Some(new.clone())),
            (
                Self::Take {
                    seen_session,
                    seen_counter,
                    holder,
                    ..
                },
                Some(row),
            ) if row.counter == *seen_counter && row.session() == seen_session.as_deref() => {
                Ok(Some(LeaseRow {
                    holder: Some(holder.clone()),
                    counter: row.counter + 1,
                    ..row.clone()
                }))
            }
            (Self::Beat { held, checkpoint }, Some(row)) if held.fits(row) => {
                Ok(Some(row.written(row.holder.clone(), checkpoint.clone())))
            }
            (Self::Release { held, checkpoint }, Some(row)) if held.fits(row) => {
                Ok(Some(row.written(None, checkpoint.clone())))
            }
            (Self::End { held }, Some(row)) if held.fits(row) => {
                Ok(Some(row.written(None, Some(Checkpoint::ShardEnd))))
            }
            (Self::Delete { seen_counter, .. }, Some(row))
                if row.counter == *seen_counter && row.is_finished() =>
            {
                Ok(None)
            }
            _ => Err(Refused),
        }
    }

    /// Whether a row that was read after an unanswered or refused write shows that the write was applied: everything that it set or
    /// removed stands there, and the counter is the one that it wrote.
    pub fn stands_in(&self, row: Option<&LeaseRow>) -> bool {
        match (self, row) {
            (Self::Create(new), Some(row)) => row == new,
            (
                Self::Take {
                    seen_counter,
                    holder,
                    ..
                },
                Some(row),
            ) => row.counter == seen_counter + 1 && row.holder.as_ref() == Some(holder),
            (Self::Beat { held, checkpoint }, Some(row)) => {
                row.counter == held.counter + 1
                    && row.session() == Some(&*held.session)
                    && checkpoint
                        .as_ref()
                        .is_none_or(|checkpoint| row.checkpoint.as_ref() == Some(checkpoint))
            }
            (Self::Release { held, checkpoint }, Some(row)) => {
                row.counter == held.counter + 1
                    && row.holder.is_none()
                    && checkpoint
                        .as_ref()
                        .is_none_or(|checkpoint| row.checkpoint.as_ref() == Some(checkpoint))
            }
            (Self::End { held }, Some(row)) => {
                row.counter == held.counter + 1 && row.holder.is_none() && row.is_finished()
            }
            (Self::Delete { .. }, None) => true,
            _ => false,
        }
    }
}

impl Held {
    fn fits(&self, row: &LeaseRow) -> bool {
        row.counter == self.counter && row.session() == Some(&*self.session)
    }
}

impl LeaseRow {
    pub(crate) fn session(&self) -> Option<&str> {
        self.holder.as_ref().map(|holder| &*holder.session)
    }

    fn written(&self, holder: Option<Holder>, checkpoint: Option<Checkpoint>) -> Self {
        Self {
            holder,
            counter: self.counter + 1,
            checkpoint: checkpoint.or_else(|| self.checkpoint.clone()),
            ..self.clone()
        }
    }
}

/// The row did not meet the write's condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the lease row is not as the write needs it")]
pub struct Refused;

#[cfg(test)]
mod tests;
