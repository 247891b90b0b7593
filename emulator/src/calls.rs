//! What was asked of the emulator, over the wire: counts for ever, a log of the newest.

use crate::Operation;
use crate::error::ErrorCode;
use std::collections::{BTreeMap, VecDeque};
use std::time::SystemTime;

/// One request that reached the emulator, or was lost on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// When the request was sent.
    pub at: SystemTime,
    /// The link that it came over; `""` for that of [`Kinesis::config`](crate::Kinesis::config).
    pub link: String,
    /// What was asked.
    pub operation: Operation,
    /// The stream, if the request names one.
    pub stream: Option<String>,
    /// The shards that the request names, or whose iterator it carries, or to which its records go.
    pub shards: Vec<String>,
    /// How many records it read or stored, as far as the service is concerned.
    pub records: usize,
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

/// What a request is about, as far as it can be told before it is carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) stream: Option<String>,
    pub(crate) shards: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct CallLog {
    counts: BTreeMap<Operation, u64>,
    /// Per operation, stream and shard; the shard is empty for the stream as a whole.
    scoped: BTreeMap<(Operation, String, String), u64>,
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
            scoped: BTreeMap::new(),
            newest: VecDeque::new(),
            capacity,
            dropped: 0,
        }
    }

    pub(crate) fn begin(&mut self, call: Call) -> CallId {
        *self.counts.entry(call.operation).or_default() += 1;
        if let Some(stream) = &call.stream {
            let whole = std::iter::once(String::new());
            for shard in whole.chain(call.shards.iter().cloned()) {
                let key = (call.operation, stream.clone(), shard);
                *self.scoped.entry(key).or_default() += 1;
            }
        }
        let id = CallId(self.dropped + self.newest.len() as u64);
        self.newest.push_back(call);
        while self.newest.len() > self.capacity {
            self.newest.pop_front();
            self.dropped += 1;
        }
        id
    }

    pub(crate) fn finish(&mut self, id: CallId, records: usize, outcome: Outcome) {
        // A call that was dropped from the log meanwhile has no entry to finish.
        let place = id.0.checked_sub(self.dropped).map(usize::try_from);
        if let Some(Ok(place)) = place
            && let Some(call) = self.newest.get_mut(place)
        {
            call.records = records;
            call.outcome = outcome;
        }
    }

    pub(crate) fn count(&self, operation: Operation) -> u64 {
        self.counts.get(&operation).copied().unwrap_or_default()
    }

    pub(crate) fn count_for(&self, operation: Operation, stream: &str, shard: &str) -> u64 {
        let key = (operation, stream.to_owned(), shard.to_owned());
        self.scoped.get(&key).copied().unwrap_or_default()
    }

    pub(crate) fn newest(&self) -> Vec<Call> {
        self.newest.iter().cloned().collect()
    }
}
