//! What applications with sinks leave: dead letters, receipts, and calls of shard hooks.

use bytes::Bytes;

use super::MachineId;

/// A dead letter that its stream has taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Letter {
    /// Who sent it.
    pub(crate) machine: MachineId,
    pub(crate) key: String,
    pub(crate) payload: Bytes,
    /// As its headers say, without the part of their names that all of them have.
    pub(crate) headers: Vec<(String, String)>,
}

/// A reply that its stream has taken in: which of how many, to which record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Receipt {
    pub(crate) machine: MachineId,
    pub(crate) key: String,
    pub(crate) record: u64,
    pub(crate) index: u32,
    pub(crate) of: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hook {
    Start,
    End,
}

/// A shard's hook in one tenure.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HookCall {
    pub(crate) machine: MachineId,
    pub(crate) shard_id: String,
    /// Of the lease.
    pub(crate) token: u64,
    pub(crate) hook: Hook,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Begun,
    Succeeded,
    /// Or panicked.
    Failed,
}

impl Letter {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| &**value)
    }

    /// Of the record that it stands for.
    pub(crate) fn sequence(&self) -> Option<&str> {
        self.header("sequence-number")
    }
}
