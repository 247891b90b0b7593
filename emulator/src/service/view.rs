//! What the handle shows of the inside, and what it takes away.

use super::record::Record;
use super::shard::{shard_id, shard_index};
use super::{Moment, Service};
use crate::error::ServiceError;
use crate::views::{ShardView, StoredRecord, Trim};

impl Record {
    pub(super) fn view(&self) -> StoredRecord {
        StoredRecord {
            sequence_number: self.number.to_string(),
            partition_key: self.partition_key.clone(),
            data: self.data.clone(),
            arrival: self.arrival().into(),
        }
    }
}

impl Service {
    pub(crate) fn view_shards(
        &mut self,
        name: &str,
        now: Moment,
    ) -> Result<Vec<ShardView>, ServiceError> {
        let stream = self.stream(name, now)?;
        stream.retain(now);
        let view = |shard: &super::shard::Shard| ShardView {
            shard_id: shard.id(),
            parent: shard.parent.map(shard_id),
            adjacent_parent: shard.adjacent_parent.map(shard_id),
            open: shard.closed.is_none(),
            hash_range: shard.range,
            records: shard.records.len(),
        };
        Ok(stream.listed(None).map(view).collect())
    }

    pub(crate) fn view_records(
        &mut self,
        name: &str,
        shard: &str,
        now: Moment,
    ) -> Vec<StoredRecord> {
        let Some(shard) = self
            .stream(name, now)
            .ok()
            .and_then(|stream| stream.shard_at(shard_index(shard)?, now))
        else {
            return Vec::new();
        };
        shard.records.iter().map(Record::view).collect()
    }

    pub(crate) fn trim(
        &mut self,
        name: &str,
        id: &str,
        trim: Trim,
        now: Moment,
    ) -> Result<usize, ServiceError> {
        let stream = self.stream(name, now)?;
        let Some(shard) = shard_index(id).and_then(|index| stream.shard_at(index, now)) else {
            return Err(self.settings.shard_not_found(name, id));
        };
        let before = shard.records.len();
        match trim {
            Trim::Oldest(count) => drop(shard.records.drain(..count.min(before))),
            Trim::Before(time) => shard.trim_before(Moment::from(time)),
            Trim::All => shard.records.clear(),
        }
        let trimmed = before - shard.records.len();
        if shard.closed.is_some() && shard.records.is_empty() {
            let index = shard.index;
            stream.forget(index);
        }
        Ok(trimmed)
    }
}
