//! The stream's own row, and the writes that may change it: where shards begin, and in which generation. Pure.

use super::write::Refused;

/// The name of the row: `<app>:<stream>`. Neither part may hold a colon.
pub(crate) fn stream_key(app: &str, stream: &str) -> String {
    format!("{app}:{stream}")
}

/// The stored row of one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamRow {
    /// `<app>:<stream>`.
    pub key: String,
    /// The stream's creation time: another stream under the same name has another.
    pub created_millis: i64,
    /// Where every shard without a checkpoint begins before the first seek.
    pub start: StoredStart,
    /// Grows by one with every seek.
    pub generation: u64,
    /// Where the last seek went; none before the first one.
    pub position: Option<StoredStart>,
    /// Grows by one when others should look at the table.
    pub bell: u64,
}

/// A start position that means the same to everybody and for ever. The earlier of two is the lesser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StoredStart {
    /// The oldest record kept.
    TrimHorizon,
    /// The first record that arrived at this time or later.
    At {
        /// Milliseconds since the Unix epoch.
        millis: i64,
    },
}

impl StreamRow {
    /// Where every shard begins that has no checkpoint in the row's generation.
    pub fn begins_at(&self) -> StoredStart {
        self.position.unwrap_or(self.start)
    }
}

/// A write of a stream's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamWrite {
    /// Others should look at the table. Needs: a row.
    Ring {
        /// The row's key.
        key: String,
    },
    /// Every shard begins again, at a position. Needs: the generation as it was seen.
    Seek {
        /// The row's key.
        key: String,
        /// The generation that was seen.
        seen_generation: u64,
        /// Where every shard begins.
        position: StoredStart,
    },
    /// Another stream has the name: nothing that is stored counts any more. Needs: the generation as it was seen.
    Restart {
        /// The row's key.
        key: String,
        /// The generation that was seen.
        seen_generation: u64,
        /// The new stream's creation time.
        created_millis: i64,
        /// Where every shard begins.
        start: StoredStart,
    },
    /// The row was deleted or put back by hand, and is behind what is read or stored of its shards: it catches up with them. Needs: the
    /// generation as it was seen.
    Lift {
        /// The row's key.
        key: String,
        /// The generation that was seen.
        seen_generation: u64,
        /// The one that it is to stand in.
        generation: u64,
        /// The creation time of the stream that is read.
        created_millis: i64,
        /// Where every shard begins that has no checkpoint in that generation.
        position: StoredStart,
    },
}

impl StreamWrite {
    /// The row it is for.
    pub fn key(&self) -> &str {
        match self {
            Self::Ring { key }
            | Self::Seek { key, .. }
            | Self::Restart { key, .. }
            | Self::Lift { key, .. } => key,
        }
    }

    /// The generation that it needs; none if any will do.
    pub fn seen_generation(&self) -> Option<u64> {
        match self {
            Self::Ring { .. } => None,
            Self::Seek {
                seen_generation, ..
            }
            | Self::Restart {
                seen_generation, ..
            }
            | Self::Lift {
                seen_generation, ..
            } => Some(*seen_generation),
        }
    }

    /// The generation that the row is in after it; none if that is the one before.
    pub fn generation(&self) -> Option<u64> {
        match self {
            Self::Lift { generation, .. } => Some(*generation),
            write => write.seen_generation().map(|seen| seen + 1),
        }
    }

    /// The row after the write.
    ///
    /// # Errors
    ///
    /// [`Refused`] if there is no row, or it does not meet the write's condition.
    pub fn apply(&self, row: Option<&StreamRow>) -> Result<StreamRow, Refused> {
        let seen = self.seen_generation();
        let row = row
            .filter(|row| seen.is_none_or(|seen| row.generation == seen))
            .ok_or(Refused)?;
        let mut after = row.clone();
        after.generation = self.generation().unwrap_or(row.generation);
        after.bell += 1;
        match self {
            Self::Ring { .. } => {}
            Self::Seek { position, .. } => after.position = Some(*position),
            Self::Restart {
                created_millis,
                start,
                ..
            } => {
                after.created_millis = *created_millis;
                after.start = *start;
                after.position = None;
            }
            Self::Lift {
                created_millis,
                position,
                ..
            } => {
                after.created_millis = *created_millis;
                after.position = Some(*position);
            }
        }
        Ok(after)
    }

    /// Whether a row that was read after an unanswered or refused write shows that the write was applied. No row shows who rang.
    pub fn stands_in(&self, row: &StreamRow) -> bool {
        self.generation() == Some(row.generation)
            && match self {
                Self::Ring { .. } => false,
                Self::Seek { position, .. } => row.position == Some(*position),
                Self::Restart {
                    created_millis,
                    start,
                    ..
                } => {
                    row.created_millis == *created_millis
                        && row.start == *start
                        && row.position.is_none()
                }
                Self::Lift {
                    created_millis,
                    position,
                    ..
                } => row.created_millis == *created_millis && row.position == Some(*position),
            }
    }
}

#[cfg(test)]
mod tests;
