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
mod tests {
    use super::*;

    const KEY: &str = "billing:orders:shardId-000000000000";

    fn row() -> LeaseRow {
        LeaseRow {
            key: KEY.into(),
            shard_id: "shardId-000000000000".into(),
            parents: vec![],
            holder: None,
            counter: 0,
            checkpoint: None,
            generation: 0,
        }
    }

    fn holder(session: &str) -> Holder {
        Holder {
            owner_id: "host-1".into(),
            session: session.into(),
            lease_duration: Duration::from_secs(10),
        }
    }

    fn take(seen: &LeaseRow, session: &str) -> LeaseWrite {
        LeaseWrite::Take {
            key: KEY.into(),
            seen_session: seen.session().map(Into::into),
            seen_counter: seen.counter,
            holder: holder(session),
        }
    }

    fn held(session: &str, counter: u64) -> Held {
        Held {
            key: KEY.into(),
            session: session.into(),
            counter,
        }
    }

    fn after(sequence: &str) -> Checkpoint {
        Checkpoint::After(sequence.into())
    }

    #[test]
    fn a_row_is_created_once() {
        let create = LeaseWrite::Create(row());
        assert_eq!(create.apply(None), Ok(Some(row())));
        assert_eq!(create.apply(Some(&row())), Err(Refused));
    }

    #[test]
    fn of_two_takers_who_saw_the_same_row_one_wins() {
        let seen = row();
        let taken = take(&seen, "a")
            .apply(Some(&seen))
            .expect("free")
            .expect("a row");
        assert_eq!((taken.counter, taken.session()), (1, Some("a")));
        assert_eq!(take(&seen, "b").apply(Some(&taken)), Err(Refused));
    }

    #[test]
    fn only_the_session_that_holds_the_lease_writes_and_the_counter_fences_its_older_writes() {
        let taken = take(&row(), "a")
            .apply(Some(&row()))
            .expect("free")
            .expect("a row");
        let beat = LeaseWrite::Beat {
            held: held("a", 1),
            checkpoint: Some(after("7")),
        };
        let beaten = beat.apply(Some(&taken)).expect("held").expect("a row");
        assert_eq!(
            (beaten.counter, beaten.checkpoint.clone()),
            (2, Some(after("7")))
        );
        assert_eq!(
            beat.apply(Some(&beaten)),
            Err(Refused),
            "the same write does not apply twice"
        );
        assert_eq!(
            LeaseWrite::Beat {
                held: held("b", 2),
                checkpoint: None
            }
            .apply(Some(&beaten)),
            Err(Refused)
        );
        let stolen = take(&beaten, "b")
            .apply(Some(&beaten))
            .expect("as seen")
            .expect("a row");
        let late = LeaseWrite::Release {
            held: held("a", 2),
            checkpoint: Some(after("9")),
        };
        assert_eq!(
            late.apply(Some(&stolen)),
            Err(Refused),
            "a late release is refused"
        );
    }

    #[test]
    fn a_beat_without_a_checkpoint_keeps_the_one_that_stands() {
        let taken = LeaseRow {
            holder: Some(holder("a")),
            counter: 4,
            checkpoint: Some(after("7")),
            ..row()
        };
        let beaten = LeaseWrite::Beat {
            held: held("a", 4),
            checkpoint: None,
        }
        .apply(Some(&taken))
        .expect("held")
        .expect("a row");
        assert_eq!(beaten.checkpoint, Some(after("7")));
    }

    #[test]
    fn a_lost_answer_counts_as_applied_only_if_everything_it_set_stands_there() {
        let before = LeaseRow {
            holder: Some(holder("a")),
            counter: 4,
            ..row()
        };
        let beat = LeaseWrite::Beat {
            held: held("a", 4),
            checkpoint: Some(after("7")),
        };
        let applied = beat.apply(Some(&before)).expect("held").expect("a row");
        assert!(beat.stands_in(Some(&applied)));
        assert!(!beat.stands_in(Some(&before)));
        assert!(
            !beat.stands_in(Some(&LeaseRow {
                checkpoint: Some(after("6")),
                ..applied.clone()
            })),
            "another checkpoint"
        );
        assert!(
            !beat.stands_in(Some(&LeaseRow {
                holder: Some(holder("b")),
                ..applied.clone()
            })),
            "another owner"
        );
        let release = LeaseWrite::Release {
            held: held("a", 5),
            checkpoint: None,
        };
        let released = release.apply(Some(&applied)).expect("held").expect("a row");
        assert!(release.stands_in(Some(&released)));
        assert!(!release.stands_in(Some(&applied)));
        let end = LeaseWrite::End { held: held("a", 5) };
        let ended = end.apply(Some(&applied)).expect("held").expect("a row");
        assert!(end.stands_in(Some(&ended)) && ended.holder.is_none());
        assert!(
            take(&released, "c").stands_in(
                take(&released, "c")
                    .apply(Some(&released))
                    .expect("free")
                    .as_ref()
            )
        );
    }

    #[test]
    fn only_a_finished_row_that_nobody_touched_is_deleted() {
        let delete = LeaseWrite::Delete {
            key: KEY.into(),
            seen_counter: 3,
        };
        let finished = LeaseRow {
            counter: 3,
            checkpoint: Some(Checkpoint::ShardEnd),
            ..row()
        };
        assert_eq!(delete.apply(Some(&finished)), Ok(None));
        assert_eq!(
            delete.apply(Some(&LeaseRow {
                counter: 4,
                ..finished.clone()
            })),
            Err(Refused)
        );
        assert_eq!(
            delete.apply(Some(&LeaseRow {
                checkpoint: None,
                ..finished
            })),
            Err(Refused)
        );
        assert!(delete.stands_in(None));
    }
}
