//! What happened in one run, in order: written by everybody, read by the judge alone.

mod book;
mod ledger;
mod lines;
mod owed;
mod sinks;

use std::{fmt, time::Duration};

use bytes::Bytes;
use kinesis_app::{LeaseWrite, SeekError};

pub(crate) use self::{
    book::Trace,
    ledger::Left,
    owed::Owed,
    sinks::{Hook, HookCall, Letter, Receipt, Step},
};

/// An instance's machine, by its number; its link to the services has the number as its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MachineId(pub(crate) u32);

impl fmt::Display for MachineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{}", self.0)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// Since the run began.
    pub(crate) at: Duration,
    pub(crate) what: What,
}

/// One time that a handler was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Handling {
    pub(crate) machine: MachineId,
    pub(crate) shard_id: String,
    pub(crate) record: u64,
    pub(crate) attempt: u32,
    /// Of the lease.
    pub(crate) token: u64,
    /// Of those that a machine was given; none of a record that was handled alone.
    pub(crate) batch: Option<u64>,
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    /// A stream came into being; whatever had its name before is gone.
    Created {
        created_millis: i64,
    },
    /// The service stored a record.
    Put {
        record: u64,
        key: String,
        shard_id: String,
        sequence: String,
        arrival_millis: i64,
        bytes: Bytes,
    },
    /// Shards were closed, and others opened in their place.
    Reshard {
        parents: Vec<String>,
        children: Vec<String>,
    },
    /// The service forgot a closed shard and its records.
    Trimmed {
        shard_id: String,
        records: Vec<u64>,
    },
    /// A machine sends a write of a lease row.
    Sent {
        machine: MachineId,
        call: u64,
        write: LeaseWrite,
    },
    /// The write's end for the machine; no answer also if it gave the write up.
    Answered {
        machine: MachineId,
        call: u64,
        answer: Answer,
    },
    /// The table holds another row than before.
    Row {
        machine: MachineId,
        change: RowChange,
    },
    /// The stream's own row is another than before.
    StreamRow {
        machine: MachineId,
        row: StreamPlace,
    },
    /// A machine is asked to reposition the stream.
    Seeks {
        machine: MachineId,
        to: String,
    },
    /// What it was told; nobody may know whether it was done.
    Sought {
        machine: MachineId,
        told: Told,
    },
    /// A batch that begins has this record among its own, and its handler is not given it.
    LeftOut {
        machine: MachineId,
        batch: u64,
        record: u64,
    },
    Begun(Handling),
    /// It ended in what settles the record.
    Settled(Handling),
    /// It settles the record without having done it.
    Skipped(Handling),
    /// It leaves the record unhandled: its key goes on, its checkpoint does not.
    Held(Handling),
    /// It failed or panicked, and will be tried again.
    Failed(Handling),
    /// It was dropped.
    Cut(Handling),
    /// It has so many replies, and settles the record when all of them are stored.
    Replied {
        handling: Handling,
        replies: u32,
    },
    /// It failed for the last time: a dead letter with this cause settles the record when it is stored.
    GivenUp {
        handling: Handling,
        cause: String,
    },
    /// A dead letter was stored.
    Letter(Letter),
    /// A reply was stored.
    Receipt(Receipt),
    /// Something else than a receipt stands where receipts belong.
    Stray {
        machine: MachineId,
        key: String,
    },
    Hook(HookCall, Step),
    /// What the environment does.
    Deed(Deed),
    /// What a machine says of itself.
    Works {
        machine: MachineId,
        shards: Vec<String>,
        /// Bytes of unhandled records, and what they may be.
        prefetch: usize,
        allowance: usize,
    },
    /// The log says that the record with this sequence number was skipped.
    ToldSkip {
        sequence: String,
    },
    /// The log says that this shard is gone before it was read to its end.
    ToldGone {
        shard_id: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Applied,
    Refused,
    None,
}

/// What somebody who seeks is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    Done,
    Failed,
    Unknown,
}

impl Told {
    pub(crate) fn of(answer: &Result<(), SeekError>) -> Self {
        match answer {
            Ok(()) => Self::Done,
            Err(error) if error.is_unknown() => Self::Unknown,
            Err(_) => Self::Failed,
        }
    }
}

/// What the environment does to a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Deed {
    Started(MachineId),
    Stopping(MachineId),
    Stopped {
        machine: MachineId,
        clean: bool,
    },
    Killed(MachineId),
    Frozen(MachineId),
    Suspended(MachineId),
    Thawed(MachineId),
    /// Its wall clock was set, so many milliseconds ahead of the service's.
    ClockSet {
        machine: MachineId,
        ahead_millis: i64,
    },
    /// Everything else: for people.
    Other(String),
}

/// A lease row as the table holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) session: Option<String>,
    pub(crate) counter: u64,
    pub(crate) checkpoint: Option<String>,
    pub(crate) generation: u64,
}

/// What the stream's own row says: of which stream it is, and where shards begin in its generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StreamPlace {
    pub(crate) created_millis: i64,
    pub(crate) generation: u64,
    /// By arrival; none is the horizon.
    pub(crate) begins_at: Option<i64>,
}

impl StreamPlace {
    /// The service tells times in seconds with a fraction, in which a millisecond may be lost.
    pub(crate) fn is_of(&self, created_millis: i64) -> bool {
        (self.created_millis..=self.created_millis + 1).contains(&created_millis)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowChange {
    /// The shard of the row; the stream's own row is not told.
    pub(crate) shard_id: String,
    pub(crate) before: Option<Row>,
    pub(crate) after: Option<Row>,
}

pub(crate) const SHARD_END: &str = "SHARD_END";

/// The shard in a row's key `<app>:<stream>:<shard>`; none in the stream's own.
pub(crate) fn shard_of(key: &str) -> Option<&str> {
    key.splitn(3, ':').nth(2)
}
