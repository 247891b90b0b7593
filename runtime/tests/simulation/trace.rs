//! What happened in one run, in order: written by everybody, read by the judge alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kinesis_app::LeaseWrite;
use tokio::time::Instant;

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
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    /// The service stored a record.
    Put {
        record: u64,
        key: String,
        shard_id: String,
        sequence: String,
        arrival_millis: i64,
    },
    /// Shards were closed, and others opened in their place.
    Reshard {
        parents: Vec<String>,
        children: Vec<String>,
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
    Begun(Handling),
    /// It ended in what settles the record.
    Settled(Handling),
    /// It settles the record without having done it.
    Skipped(Handling),
    /// It leaves the record unhandled: its key goes on, its checkpoint does not.
    Held(Handling),
    /// It failed, and will be tried again.
    Failed(Handling),
    /// It was dropped, or it panicked.
    Cut(Handling),
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Applied,
    Refused,
    None,
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowChange {
    /// The shard of the row; the stream's own row is not told.
    pub(crate) shard_id: String,
    pub(crate) before: Option<Row>,
    pub(crate) after: Option<Row>,
}

pub(crate) const SHARD_END: &str = "SHARD_END";

/// What of some records has not settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    Nothing,
    /// Records that were held, and no others.
    Held,
    Some,
}

/// Where everybody writes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trace(Arc<Mutex<Book>>);

#[derive(Debug, Default)]
struct Book {
    /// By the clock of the run's own runtime, so not before it is there.
    began: Option<Instant>,
    events: Vec<Event>,
    settled: BTreeSet<u64>,
    /// How often each record was held.
    held: BTreeMap<u64, u32>,
}

impl Trace {
    pub(crate) fn begin(&self) {
        self.book().began = Some(Instant::now());
    }

    pub(crate) fn write(&self, what: What) {
        let mut book = self.book();
        let at = book.began.map_or(Duration::ZERO, |began| began.elapsed());
        match &what {
            What::Settled(handling) | What::Skipped(handling) => {
                book.settled.insert(handling.record);
            }
            What::Held(handling) => *book.held.entry(handling.record).or_default() += 1,
            _ => {}
        }
        book.events.push(Event { at, what });
    }

    pub(crate) fn times_held(&self, record: u64) -> u32 {
        self.book().held.get(&record).copied().unwrap_or_default()
    }

    /// What is left of these records.
    pub(crate) fn left_of(&self, records: impl Iterator<Item = u64>) -> Left {
        let book = self.book();
        let mut left = records
            .filter(|record| !book.settled.contains(record))
            .peekable();
        if left.peek().is_none() {
            Left::Nothing
        } else if left.all(|record| book.held.contains_key(&record)) {
            Left::Held
        } else {
            Left::Some
        }
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.book().events.clone()
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line for people, and for the comparison of two runs: no session in it, for those differ from run to run.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.at.as_secs_f64();
        write!(f, "{secs:9.3}  ")?;
        match &self.what {
            What::Put {
                record,
                key,
                shard_id,
                ..
            } => write!(f, "put {record} of {key} into {}", short(shard_id)),
            What::Reshard { parents, children } => {
                write!(f, "reshard {} -> {}", list(parents), list(children))
            }
            What::Sent {
                machine,
                call,
                write,
            } => write!(f, "{machine} sends #{call} {}", shown(write)),
            What::Answered {
                machine,
                call,
                answer,
            } => write!(f, "{machine} hears #{call} {answer:?}"),
            What::Row { machine, change } => write!(f, "{machine} wrote {change}"),
            What::Begun(handling) => write!(f, "begun {handling}"),
            What::Settled(handling) => write!(f, "settled {handling}"),
            What::Skipped(handling) => write!(f, "skipped {handling}"),
            What::Held(handling) => write!(f, "held {handling}"),
            What::Failed(handling) => write!(f, "failed {handling}"),
            What::Cut(handling) => write!(f, "cut {handling}"),
            What::Deed(deed) => write!(f, "{deed:?}"),
            What::Works {
                machine,
                shards,
                prefetch,
                ..
            } => write!(
                f,
                "{machine} works on {} with {prefetch} bytes",
                list(shards)
            ),
            What::ToldSkip { sequence } => write!(f, "told of the skip of {}", tail(sequence)),
        }
    }
}

impl fmt::Display for Handling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            machine,
            shard_id,
            record,
            attempt,
            token,
        } = self;
        write!(
            f,
            "{record} on {machine} from {} attempt {attempt} token {token}",
            short(shard_id)
        )
    }
}

impl fmt::Display for RowChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}", short(&self.shard_id))?;
        match &self.after {
            None => f.write_str(" deleted"),
            Some(row) => {
                let held = if row.session.is_some() {
                    "held"
                } else {
                    "free"
                };
                let at = row.checkpoint.as_deref().map_or("-", tail);
                write!(f, " {held} counter {} at {at}", row.counter)
            }
        }
    }
}

fn shown(write: &LeaseWrite) -> String {
    let text = match write {
        LeaseWrite::Create(_) => "create".to_owned(),
        LeaseWrite::Take { seen_counter, .. } => format!("take at {seen_counter}"),
        LeaseWrite::Beat { held, .. } => format!("beat at {}", held.counter),
        LeaseWrite::Request { wanted, .. } => format!("request for {}", wanted.owner_id),
        LeaseWrite::Grant { held, .. } => format!("grant at {}", held.counter),
        LeaseWrite::Release { held, .. } => format!("release at {}", held.counter),
        LeaseWrite::End { held, .. } => format!("end at {}", held.counter),
        LeaseWrite::Delete { seen_counter, .. } => format!("delete at {seen_counter}"),
    };
    format!("{text} of {}", short(shard_of(write.key()).unwrap_or("-")))
}

/// The shard in a row's key `<app>:<stream>:<shard>`; none in the stream's own.
pub(crate) fn shard_of(key: &str) -> Option<&str> {
    key.splitn(3, ':').nth(2)
}

fn short(shard_id: &str) -> String {
    let number = shard_id.trim_start_matches("shardId-");
    format!("s{}", number.trim_start_matches('0'))
}

fn list(shards: &[String]) -> String {
    let shards: Vec<_> = shards.iter().map(|shard| short(shard)).collect();
    shards.join(" ")
}

/// Sequence numbers differ in their last digits.
fn tail(sequence: &str) -> &str {
    &sequence[sequence.len().saturating_sub(12)..]
}
