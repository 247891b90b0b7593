//! What was asked of the tables, over the wire: counts for ever, a log of the newest.

use super::{ErrorCode, Operation};
use std::collections::{BTreeMap, VecDeque};
use std::ops::AddAssign;
use std::time::SystemTime;

/// One request that reached the emulator, or was lost on its way.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// When the request was sent.
    pub at: SystemTime,
    /// The link that it came over; `""` for that of [`DynamoDb::config`](super::DynamoDb::config).
    pub link: String,
    /// What was asked.
    pub operation: Operation,
    /// The tables that the request names.
    pub tables: Vec<String>,
    /// The text of the partition key, if the request is about one item and its key is text or a
    /// number.
    pub key: Option<String>,
    /// What it consumed, of all tables together.
    pub consumed: Capacity,
    /// How it ended for the service.
    pub outcome: Outcome,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Still under way: the answer is not sent yet, or never will be.
    Pending,
    /// Answered with success.
    Ok,
    /// Answered with an error.
    Refused(ErrorCode),
    /// Never reached the service.
    Lost,
    /// Carried out, with success or with an error; the answer was lost or cut.
    AnswerLost,
}

/// Capacity units, as `ConsumedCapacity` reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Capacity {
    /// Read units: one for each 4 KiB that is read consistently, half of it otherwise, twice in a
    /// transaction.
    pub read: f64,
    /// Write units: one for each KiB that is written, twice in a transaction. A write whose
    /// condition fails consumes as well.
    pub write: f64,
}

impl AddAssign for Capacity {
    fn add_assign(&mut self, other: Self) {
        self.read += other.read;
        self.write += other.write;
    }
}

/// What a request is about, as far as it can be told before it is carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) tables: Vec<String>,
    pub(crate) key: Option<String>,
}

#[derive(Debug)]
pub(crate) struct CallLog {
    counts: BTreeMap<Operation, u64>,
    per_table: BTreeMap<(Operation, String), u64>,
    consumed: BTreeMap<(Operation, String), Capacity>,
    newest: VecDeque<Call>,
    capacity: usize,
    /// How many calls were dropped from the front of `newest`.
    dropped: u64,
}

/// Names a call in the log until it is finished.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallId(u64);

impl CallLog {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            counts: BTreeMap::new(),
            per_table: BTreeMap::new(),
            consumed: BTreeMap::new(),
            newest: VecDeque::new(),
            capacity,
            dropped: 0,
        }
    }

    pub(crate) fn begin(&mut self, call: Call) -> CallId {
        *self.counts.entry(call.operation).or_default() += 1;
        for table in &call.tables {
            let key = (call.operation, table.clone());
            *self.per_table.entry(key).or_default() += 1;
        }
        let id = CallId(self.dropped + self.newest.len() as u64);
        self.newest.push_back(call);
        while self.newest.len() > self.capacity {
            self.newest.pop_front();
            self.dropped += 1;
        }
        id
    }

    pub(crate) fn consume(
        &mut self,
        id: CallId,
        operation: Operation,
        consumed: &[(String, Capacity)],
    ) {
        for (table, units) in consumed {
            let key = (operation, table.clone());
            *self.consumed.entry(key).or_default() += *units;
            if let Some(call) = self.logged(id) {
                call.consumed += *units;
            }
        }
    }

    pub(crate) fn finish(&mut self, id: CallId, outcome: Outcome) {
        if let Some(call) = self.logged(id) {
            call.outcome = outcome;
        }
    }

    /// A call that was dropped from the log meanwhile has no entry any more.
    fn logged(&mut self, id: CallId) -> Option<&mut Call> {
        let place = usize::try_from(id.0.checked_sub(self.dropped)?).ok()?;
        self.newest.get_mut(place)
    }

    pub(crate) fn count(&self, operation: Operation) -> u64 {
        self.counts.get(&operation).copied().unwrap_or_default()
    }

    pub(crate) fn count_for(&self, operation: Operation, table: &str) -> u64 {
        let key = (operation, table.to_owned());
        self.per_table.get(&key).copied().unwrap_or_default()
    }

    pub(crate) fn consumed(&self, operation: Operation, table: &str) -> Capacity {
        let key = (operation, table.to_owned());
        self.consumed.get(&key).copied().unwrap_or_default()
    }

    pub(crate) fn newest(&self) -> Vec<Call> {
        self.newest.iter().cloned().collect()
    }
}
