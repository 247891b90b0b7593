//! How things stand at one moment of the trace: records, shards, and the true rows of the table.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use crate::trace::{Event, MachineId, Row, RowChange, What};

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) time: Duration,
    pub(super) records: BTreeMap<u64, Record>,
    pub(super) shards: BTreeMap<String, Line>,
    pub(super) keys: BTreeMap<String, Line>,
    pub(super) parents: BTreeMap<String, Vec<String>>,
    pub(super) children: BTreeMap<String, Vec<String>>,
    pub(super) rows: BTreeMap<String, Standing>,
}

#[derive(Debug)]
pub(super) struct Record {
    pub(super) key: String,
    pub(super) shard_id: String,
    pub(super) arrival_millis: i64,
    /// Its place among the records of its shard, and of its key.
    pub(super) in_shard: usize,
    in_key: usize,
}

/// Records in their order, of a shard or of a key.
#[derive(Debug, Default)]
pub(super) struct Line {
    records: Vec<u64>,
    places: BTreeMap<String, usize>,
    settled: BTreeSet<usize>,
    /// Everything before has settled, or is not for the application.
    prefix: usize,
}

/// A row of the table, and what is known of it.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) row: Row,
    /// Whose machine the session is on.
    pub(super) holder: Option<MachineId>,
    /// When it last changed.
    pub(super) since: Duration,
    /// How many times it was taken.
    pub(super) tenures: u64,
}

impl Line {
    fn push(&mut self, record: u64, sequence: &str) -> usize {
        self.places.insert(sequence.to_owned(), self.records.len());
        self.records.push(record);
        self.records.len() - 1
    }

    fn settle(&mut self, place: usize) {
        if place >= self.prefix {
            self.settled.insert(place);
        }
        while self.settled.remove(&self.prefix) {
            self.prefix += 1;
        }
    }

    /// The first record that has not settled, if it stands before this place.
    pub(super) fn unsettled_before(&self, place: usize) -> Option<u64> {
        (self.prefix < place).then(|| self.records[self.prefix])
    }

    /// The place of a sequence number.
    pub(super) fn place(&self, sequence: &str) -> Option<usize> {
        self.places.get(sequence).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }
}

impl State {
    /// The first earlier record of the same key that has not settled.
    pub(super) fn overtaken(&self, record: u64) -> Option<u64> {
        let known = self.records.get(&record)?;
        self.keys.get(&known.key)?.unsettled_before(known.in_key)
    }

    pub(super) fn follow(&mut self, event: &Event, start_millis: Option<i64>) {
        match &event.what {
            What::Put {
                record,
                key,
                shard_id,
                sequence,
                arrival_millis,
            } => {
                let shard = self.shards.entry(shard_id.clone()).or_default();
                let in_shard = shard.push(*record, sequence);
                let line = self.keys.entry(key.clone()).or_default();
                let in_key = line.push(*record, sequence);
                let known = Record {
                    key: key.clone(),
                    shard_id: shard_id.clone(),
                    arrival_millis: *arrival_millis,
                    in_shard,
                    in_key,
                };
                self.records.insert(*record, known);
                if start_millis.is_some_and(|start| *arrival_millis < start) {
                    self.settle(*record);
                }
            }
            What::Reshard { parents, children } => {
                for child in children {
                    self.parents.insert(child.clone(), parents.clone());
                }
                for parent in parents {
                    self.children.insert(parent.clone(), children.clone());
                }
            }
            What::Settled(handling) | What::Skipped(handling) => self.settle(handling.record),
            What::Held(handling) => self.let_pass(handling.record),
            What::Row { machine, change } => self.row(*machine, change, event.at),
            _ => {}
        }
    }

    fn settle(&mut self, record: u64) {
        let Some(known) = self.records.get(&record) else {
            return;
        };
        if let Some(line) = self.shards.get_mut(&known.shard_id) {
            line.settle(known.in_shard);
        }
        self.let_pass(record);
    }

    /// Nothing of its key waits for it.
    fn let_pass(&mut self, record: u64) {
        let Some(known) = self.records.get(&record) else {
            return;
        };
        if let Some(line) = self.keys.get_mut(&known.key) {
            line.settle(known.in_key);
        }
    }

    fn row(&mut self, machine: MachineId, change: &RowChange, at: Duration) {
        let Some(row) = change.after.clone() else {
            self.rows.remove(&change.shard_id);
            return;
        };
        let before = self.rows.get(&change.shard_id);
        let taken =
            row.session.is_some() && before.is_none_or(|before| before.row.session != row.session);
        let holder = match (&row.session, before) {
            (None, _) => None,
            (Some(_), Some(before)) if !taken => before.holder,
            (Some(_), _) => Some(machine),
        };
        let tenures = before.map_or(0, |before| before.tenures) + u64::from(taken);
        let standing = Standing {
            row,
            holder,
            since: at,
            tenures,
        };
        self.rows.insert(change.shard_id.clone(), standing);
    }
}
