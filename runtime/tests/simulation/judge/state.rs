//! How things stand at one moment of the trace: streams, generations, and the true rows of the table.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use kinesis_app::LeaseWrite;

use super::{progress::Progress, stream::Stream};
use crate::trace::{Event, Handling, MachineId, Owed, Row, RowChange, StreamPlace, Told, What};

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) time: Duration,
    pub(super) records: BTreeMap<u64, Record>,
    /// Under the one name, one after the other.
    streams: Vec<Stream>,
    pub(super) generations: BTreeMap<u64, Generation>,
    pub(super) rows: BTreeMap<String, Standing>,
    /// Whose machine a session is on.
    pub(super) sessions: BTreeMap<String, MachineId>,
    /// How many seeks of a machine may still be carried out.
    seeking: BTreeMap<MachineId, u32>,
    /// What is to be stored for records before they have ended.
    pub(super) owed: Owed,
    /// The batch that began last: whose, its number, and those of its records that have begun.
    batch: Option<(MachineId, u64)>,
    batched: BTreeSet<u64>,
}

#[derive(Debug)]
pub(super) struct Record {
    pub(super) stream: usize,
    pub(super) key: String,
    pub(super) shard_id: String,
    pub(super) sequence: String,
    pub(super) arrival_millis: i64,
    /// Its place among the records of its shard, and of its key.
    pub(super) in_shard: usize,
    in_key: usize,
}

/// What the stream's row said from a moment on: all shards begin again.
#[derive(Debug)]
pub(super) struct Generation {
    pub(super) stream: usize,
    pub(super) begins_at: Option<i64>,
    /// What has settled since, or is not for the application.
    shards: BTreeMap<String, Progress>,
}

/// A row of the table, and what is known of it.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) row: Row,
    /// Whose machine the session is on.
    pub(super) holder: Option<MachineId>,
    /// When it last changed.
    pub(super) since: Duration,
}

impl Generation {
    fn settle(&mut self, record: &Record) {
        let line = self.shards.entry(record.shard_id.clone()).or_default();
        line.settle(record.in_shard);
    }

    /// The place of the first record of a shard that has not settled, if it lies before this one.
    pub(super) fn unsettled_before(&self, shard_id: &str, place: usize) -> Option<usize> {
        match self.shards.get(shard_id) {
            Some(line) => line.unsettled_before(place),
            None => (place > 0).then_some(0),
        }
    }
}

impl State {
    /// The stream that was read in a generation.
    pub(super) fn stream_of(&self, generation: u64) -> Option<&Stream> {
        self.streams.get(self.generations.get(&generation)?.stream)
    }

    /// The one that has the name, and its number.
    pub(super) fn last_stream(&self) -> Option<(usize, &Stream)> {
        self.streams.iter().enumerate().next_back()
    }

    pub(super) fn last_generation(&self) -> Option<u64> {
        let (last, _) = self.generations.last_key_value()?;
        Some(*last)
    }

    /// Whether a machine was asked to reposition the stream, and may do so now.
    pub(super) fn is_seeking(&self, machine: MachineId) -> bool {
        self.seeking.get(&machine).is_some_and(|seeks| *seeks > 0)
    }

    /// The first earlier record of the same key that has not ended, and does not stand before it in its batch.
    pub(super) fn overtaken(&self, handling: &Handling) -> Option<u64> {
        let known = self.records.get(&handling.record)?;
        let stream = self.streams.get(known.stream)?;
        let is_of_batch = self.batch.is_some() && self.batch == batch(handling);
        stream.overtaken(&known.key, known.in_key, |record| {
            is_of_batch && self.batched.contains(&record)
        })
    }

    pub(super) fn follow(&mut self, event: &Event) {
        if let Some((_, record)) = self.owed.ended(&event.what) {
            self.settle(record);
        }
        self.owed.note(&event.what);
        match &event.what {
            What::Created { created_millis } => {
                if let Some(stream) = self.streams.last_mut() {
                    stream.is_deleted = true;
                }
                self.streams.push(Stream::created_at(*created_millis));
            }
            What::Put {
                record,
                key,
                shard_id,
                sequence,
                arrival_millis,
                ..
            } => self.put(*record, key, shard_id, sequence, *arrival_millis),
            What::Reshard { parents, children } => {
                if let Some(stream) = self.streams.last_mut() {
                    stream.reshard(parents, children);
                }
            }
            What::Trimmed { shard_id, records } => {
                if let Some(stream) = self.streams.last_mut() {
                    stream.trim(shard_id, records);
                }
                for record in records {
                    self.settle(*record);
                }
            }
            What::StreamRow { row, .. } => self.begin(row),
            What::Seeks { machine, .. } => *self.seeking.entry(*machine).or_default() += 1,
            // Which seek was carried out by now, and which will be later, nobody can tell.
            What::Sought { machine, told } if *told != Told::Unknown => {
                if let Some(seeks) = self.seeking.get_mut(machine) {
                    *seeks -= 1;
                }
            }
            What::Settled(handling) | What::Skipped(handling) => self.settle(handling.record),
            What::LeftOut {
                machine,
                batch,
                record,
            } => self.begin_in_batch(Some((*machine, *batch)), *record),
            What::Begun(handling) => self.begin_in_batch(batch(handling), handling.record),
            What::Held(handling) => self.let_pass(handling.record),
            What::Sent { machine, write, .. } => self.meet(*machine, write),
            What::Row { machine, change } => self.row(*machine, change, event.at),
            _ => {}
        }
    }

    /// Records of a batch begin one right behind the other.
    fn begin_in_batch(&mut self, batch: Option<(MachineId, u64)>, record: u64) {
        if batch.is_none() || self.batch != batch {
            self.batch = batch;
            self.batched.clear();
        }
        self.batched.insert(record);
    }

    fn put(&mut self, record: u64, key: &str, shard_id: &str, sequence: &str, arrival_millis: i64) {
        let Some(stream) = self.streams.last_mut() else {
            return;
        };
        let (in_shard, in_key) = stream.put(record, key, shard_id, sequence);
        let known = Record {
            stream: self.streams.len() - 1,
            key: key.to_owned(),
            shard_id: shard_id.to_owned(),
            sequence: sequence.to_owned(),
            arrival_millis,
            in_shard,
            in_key,
        };
        self.records.insert(record, known);
    }

    /// Another generation: nothing has settled in it but what it leaves out.
    fn begin(&mut self, row: &StreamPlace) {
        let mut streams = self.streams.iter();
        let stream = streams.position(|stream| row.is_of(stream.created_millis));
        let Some(stream) = stream.filter(|_| !self.generations.contains_key(&row.generation))
        else {
            return;
        };
        let mut generation = Generation {
            stream,
            begins_at: row.begins_at,
            shards: BTreeMap::new(),
        };
        let trimmed = self.streams[stream].trimmed();
        for (number, record) in &self.records {
            let is_early = Some(record.arrival_millis) < row.begins_at;
            if record.stream == stream && (is_early || trimmed.contains(number)) {
                generation.settle(record);
                self.streams[stream].let_pass(&record.key, record.in_key);
            }
        }
        self.generations.insert(row.generation, generation);
    }

    fn meet(&mut self, machine: MachineId, write: &LeaseWrite) {
        let session = match write {
            LeaseWrite::Take { holder, .. } => &holder.session,
            LeaseWrite::Request { wanted, .. } => &wanted.session,
            _ => return,
        };
        self.sessions.insert(session.clone(), machine);
    }

    fn settle(&mut self, record: u64) {
        let Some(known) = self.records.get(&record) else {
            return;
        };
        let generations = self.generations.values_mut();
        for generation in generations.filter(|generation| generation.stream == known.stream) {
            generation.settle(known);
        }
        self.let_pass(record);
    }

    /// Nothing of its key waits for it.
    fn let_pass(&mut self, record: u64) {
        let Some(known) = self.records.get(&record) else {
            return;
        };
        if let Some(stream) = self.streams.get_mut(known.stream) {
            stream.let_pass(&known.key, known.in_key);
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
            // It may have been granted by another machine.
            (Some(session), _) => Some(self.sessions.get(session).copied().unwrap_or(machine)),
        };
        // A request is no sign of life of the holder.
        let since = match before {
            Some(before) if before.row == row => before.since,
            _ => at,
        };
        let standing = Standing { row, holder, since };
        self.rows.insert(change.shard_id.clone(), standing);
    }
}

fn batch(handling: &Handling) -> Option<(MachineId, u64)> {
    Some((handling.machine, handling.batch?))
}
