//! The application: it replays what its stream keeps, and jumps to the tip at a marker.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kinesis_app::prelude::{Position, kinesis_app};
use serde::{Deserialize, Serialize};

/// The job at which the replay ends.
pub const MARKER: u32 = 999;

/// What the stream holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub struct Job {
    /// Its number.
    pub id: u32,
}

/// Where a job was handled: its shard and sequence number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handled {
    /// The shard.
    pub shard: String,
    /// The sequence number.
    pub sequence: String,
}

/// What the handler did, in order.
#[derive(Debug, Clone, Default)]
pub struct Journal(Arc<Mutex<Vec<Handled>>>);

impl Journal {
    /// All that was handled so far.
    pub fn handled(&self) -> Vec<Handled> {
        self.entries().clone()
    }

    fn write(&self, at: &Position) {
        if let (Some(shard), Some(sequence)) = (at.shard_id(), at.sequence_number()) {
            self.entries().push(Handled {
                shard: shard.into(),
                sequence: sequence.into(),
            });
        }
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Handled>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Replays the jobs that the stream keeps, until it comes to the marker.
#[kinesis_app(name = "replay", leases(memory), shutdown_timeout = "5s")]
pub mod jobs {
    use kinesis_app::prelude::*;

    use super::{Job, Journal, MARKER};

    /// Jobs of several tenants.
    #[stream(name = "jobs", start(trim_horizon), poll_interval = "500ms")]
    #[derive(Debug)]
    pub struct Jobs;

    /// The journal is the caller's.
    #[on_start]
    async fn open() -> Result<Journal, String> {
        Ok(Journal::default())
    }

    /// At the marker the rest of the backlog is left out. If that fails, the marker is handled again.
    #[on_record(Jobs, concurrency = 4)]
    async fn replay(
        job: Job,
        at: Position,
        State(journal): State<Journal>,
        seeker: Seeker<Jobs>,
    ) -> Result<(), SeekError> {
        if job.id == MARKER {
            seeker.seek(Position::latest()).await?;
        }
        journal.write(&at);
        Ok(())
    }
}
