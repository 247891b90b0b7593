//! A lease row: who reads a shard, and how far it is done with.

use std::time::Duration;

/// The name of a row: `<app>:<stream>:<shard>`. No part may hold a colon.
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
    /// Who asked its holder for it; none if nobody did.
    pub wanted_by: Option<Wanted>,
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

/// Who asks a lease's holder for it, and to whom it is granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The instance's id, for people.
    pub owner_id: String,
    /// The session that the lease is granted to.
    pub session: String,
}

/// How far a shard is done with, in which generation: one value, for each means nothing without the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The seek generation in which the shard is read.
    pub generation: u64,
    /// How far; none if not even the first record from the generation's position on has settled.
    pub checkpoint: Option<Checkpoint>,
}

/// How far a shard is done with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checkpoint {
    /// Everything up to and with this sequence number.
    After(String),
    /// Everything before this sequence number: a seek to a record, which is to be delivered again.
    At(String),
    /// All of it: the shard is closed and its last record has settled.
    ShardEnd,
}

impl LeaseRow {
    /// Whether the shard was read to its end, in whatever generation.
    pub fn is_finished(&self) -> bool {
        self.checkpoint == Some(Checkpoint::ShardEnd)
    }

    /// Whether the shard needs no reader any more: a row of an older generation stands at the seek's position, `SHARD_END` included.
    pub fn is_finished_in(&self, generation: u64) -> bool {
        self.is_finished() && self.generation == generation
    }

    pub(crate) fn session(&self) -> Option<&str> {
        self.holder.as_ref().map(|holder| &*holder.session)
    }

    /// Whether this session's request stands.
    pub(crate) fn is_wanted_by(&self, session: &str) -> bool {
        let wanted = self.wanted_by.as_ref();
        wanted.is_some_and(|wanted| wanted.session == session)
    }
}
