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

impl StreamRow {
    /// Where every shard begins that has no checkpoint in the row's generation.
    pub fn begins_at(&self) -> StoredStart {
        self.position.unwrap_or(self.start)
    }
}

/// A conditional write of a stream's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamWrite {
    /// Every shard begins again, at a position. Needs: the generation as it was seen.
    Seek {
        /// The row's key.
        key: String,
        /// The generation that was seen.
        seen_generation: u64,
        /// Where every shard begins.
        position: StoredStart,
    },
}

impl StreamWrite {
    /// The row it is for.
    pub fn key(&self) -> &str {
        match self {
            Self::Seek { key, .. } => key,
        }
    }

    /// The row after the write.
    ///
    /// # Errors
    ///
    /// [`Refused`] if there is no row, or it does not meet the write's condition.
    pub fn apply(&self, row: Option<&StreamRow>) -> Result<StreamRow, Refused> {
        match (self, row) {
            (
                Self::Seek {
                    seen_generation,
                    position,
                    ..
                },
                Some(row),
            ) if row.generation == *seen_generation => Ok(StreamRow {
                generation: row.generation + 1,
                position: Some(*position),
                bell: row.bell + 1,
                ..row.clone()
            }),
            _ => Err(Refused),
        }
    }

    /// Whether a row that was read after an unanswered or refused write shows that the write was applied.
    pub fn stands_in(&self, row: &StreamRow) -> bool {
        match self {
            Self::Seek {
                seen_generation,
                position,
                ..
            } => row.generation == seen_generation + 1 && row.position == Some(*position),
        }
    }
}

#[cfg(test)]
mod tests;
