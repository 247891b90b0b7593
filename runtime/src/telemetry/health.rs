//! What each shard is doing, as a value.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// What the application's streams and shards are doing at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// Every shard that this instance holds, by stream (the struct's name) and shard id.
    pub shards: BTreeMap<(String, String), ShardHealth>,
}

impl Health {
    /// Whether no shard needs a person.
    pub fn is_good(&self) -> bool {
        self.shards
            .values()
            .all(|shard| !matches!(shard.activity, Activity::Halted { .. }))
    }
}

/// What one shard is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShardHealth {
    /// Whether it moves.
    pub activity: Activity,
    /// How far behind its tip the last read was.
    pub behind: Duration,
    /// Records that settled since this instance took the lease.
    pub settled: u64,
    /// Of these, records that were skipped.
    pub skipped: u64,
    /// Attempts that failed and were or will be repeated.
    pub failed_attempts: u64,
    /// Records past the first unsettled one.
    pub window: u64,
}

/// Whether a shard moves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Activity {
    /// It is read and handled.
    Reading,
    /// It is closed and read to its end; its last records are being handled.
    Ending,
    /// It stands before a record that needs a person. Its lease and its checkpoint are kept.
    Halted {
        /// The record's sequence number.
        sequence_number: String,
        /// Why it stands.
        reason: String,
    },
}

/// The board that readers write on and [`Running::health`](crate::Running::health) copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Board(Arc<Mutex<BTreeMap<(String, String), ShardHealth>>>);

impl Board {
    pub(crate) fn snapshot(&self) -> Health {
        Health {
            shards: self.rows().clone(),
        }
    }

    /// A line for one shard, gone when it is dropped.
    pub(crate) fn line(&self, stream: &str, shard_id: &str) -> Line {
        let key = (stream.to_owned(), shard_id.to_owned());
        let fresh = ShardHealth {
            activity: Activity::Reading,
            behind: Duration::ZERO,
            settled: 0,
            skipped: 0,
            failed_attempts: 0,
            window: 0,
        };
        self.rows().insert(key.clone(), fresh);
        Line {
            board: self.clone(),
            key,
        }
    }

    fn rows(&self) -> MutexGuard<'_, BTreeMap<(String, String), ShardHealth>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(crate) struct Line {
    board: Board,
    key: (String, String),
}

impl Line {
    pub(crate) fn write(&self, change: impl FnOnce(&mut ShardHealth)) {
        if let Some(row) = self.board.rows().get_mut(&self.key) {
            change(row);
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.board.rows().remove(&self.key);
    }
}
