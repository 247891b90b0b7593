//! The stream: records and shards.

use std::time::UNIX_EPOCH;

use kinesis_app_emulator::{Kinesis, Trim};

use super::{KEYS, SHARDS, STREAM, World};
use crate::{
    app::{number, payload},
    trace::{Trace, What},
};

pub(super) fn create(kinesis: &Kinesis, trace: &Trace) {
    kinesis.create_stream(STREAM, SHARDS).expect("a new stream");
    let created_millis = millis(kinesis);
    trace.write(What::Created { created_millis });
}

/// As the service stamps them: whole milliseconds.
fn millis(kinesis: &Kinesis) -> i64 {
    let since = kinesis.now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl World {
    pub(super) fn put(&mut self, count: u32) {
        for _ in 0..count {
            let record = self.counts.records;
            self.counts.records += 1;
            let key = format!("k{}", self.rng.u32(0..KEYS));
            let padding = self.rng.usize(0..self.nature.padding);
            let padding = if record.is_multiple_of(4) { padding } else { 0 };
            let bytes = payload(self.seed, record, self.nature.shape, padding);
            let stored = self.kinesis.put(STREAM, &key, bytes.clone());
            let stored = stored.expect("the stream is there");
            self.trace.write(What::Put {
                record,
                key,
                shard_id: stored.shard_id,
                sequence: stored.sequence_number,
                arrival_millis: millis(&self.kinesis),
                bytes,
            });
        }
    }

    fn open_shards(&self) -> Vec<String> {
        let shards = self.kinesis.shards(STREAM).expect("the stream is there");
        let mut open: Vec<_> = shards.into_iter().filter(|shard| shard.open).collect();
        open.sort_by_key(|shard| shard.hash_range.start);
        open.into_iter().map(|shard| shard.shard_id).collect()
    }

    pub(super) fn split(&mut self) {
        let open = self.open_shards();
        let shard = open[self.rng.usize(0..open.len())].clone();
        if open.len() < 12
            && let Ok(children) = self.kinesis.split(STREAM, &shard)
        {
            self.resharded(vec![shard], children.into());
        }
    }

    pub(super) fn merge(&mut self) {
        let open = self.open_shards();
        let lower = self.rng.usize(0..open.len() - 1);
        let parents = vec![open[lower].clone(), open[lower + 1].clone()];
        if open.len() > 2
            && let Ok(child) = self.kinesis.merge(STREAM, &parents[0], &parents[1])
        {
            self.resharded(parents, vec![child]);
        }
    }

    /// A closed shard is over by its retention, whoever has not read it yet. Its parents were closed before it, and went before it.
    pub(super) fn trim(&mut self) {
        let shards = self.kinesis.shards(STREAM).expect("the stream is there");
        let is_kept = |id: &String| shards.iter().any(|shard| shard.shard_id == *id);
        let oldest = shards.iter().filter(|shard| {
            let mut parents = shard.parent.iter().chain(&shard.adjacent_parent);
            !shard.open && !parents.any(is_kept)
        });
        let oldest: Vec<_> = oldest.collect();
        let Some(shard) = self.rng.choice(oldest) else {
            return;
        };
        let shard_id = shard.shard_id.clone();
        let stored = self.kinesis.records(STREAM, &shard_id);
        let records = stored.iter().filter_map(|stored| number(&stored.data));
        let records = records.collect();
        let trimmed = self.kinesis.trim(STREAM, &shard_id, Trim::All);
        trimmed.expect("the shard is there");
        self.counts.trims += 1;
        self.trace.write(What::Trimmed { shard_id, records });
    }

    pub(super) fn recreate(&mut self) {
        let deleted = self.kinesis.delete_stream(STREAM);
        deleted.expect("the stream is there");
        create(&self.kinesis, &self.trace);
    }

    fn resharded(&mut self, parents: Vec<String>, children: Vec<String>) {
        self.counts.reshards += 1;
        self.trace.write(What::Reshard { parents, children });
    }
}
