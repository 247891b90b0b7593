//! One shard: a hash range, its lineage, its records in order.

use super::bucket::Bucket;
use super::record::Record;
use super::sequence::{ENDING_ORDINAL, SequenceNumber};
use super::{Encryption, HashRange, Moment};
use crate::limits;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// Kept as it is serialized, its records beside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Shard {
    pub(crate) index: u32,
    pub(crate) range: HashRange,
    pub(crate) parent: Option<u32>,
    pub(crate) adjacent_parent: Option<u32>,
    /// Grows with every creation and reshard of the service: the high digits of its numbers.
    pub(crate) epoch: u64,
    pub(crate) opened: Moment,
    pub(crate) closed: Option<Closed>,
    #[serde(skip)]
    pub(crate) records: VecDeque<Record>,
    /// The ordinal of the newest record; 0 before the first.
    pub(crate) last: u64,
    pub(crate) meters: Meters,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Closed {
    pub(crate) at: Moment,
    pub(crate) children: Vec<Child>,
}

/// A child as `GetRecords` shows it; kept here because it may be gone before its parent is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Child {
    pub(crate) index: u32,
    pub(crate) parents: Vec<u32>,
    pub(crate) range: HashRange,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Meters {
    pub(crate) write_bytes: Bucket,
    pub(crate) write_records: Bucket,
    pub(crate) read_bytes: Bucket,
    pub(crate) read_calls: Bucket,
    pub(crate) iterator_calls: Bucket,
}

impl Meters {
    fn new(now: Moment) -> Self {
        Self {
            write_bytes: Bucket::full(limits::SHARD_WRITE_BYTES_PER_SECOND, now),
            write_records: Bucket::full(limits::SHARD_WRITE_RECORDS_PER_SECOND as usize, now),
            read_bytes: Bucket::full(limits::SHARD_READ_BYTES_PER_SECOND, now),
            read_calls: Bucket::full(limits::GET_RECORDS_PER_SECOND as usize, now),
            iterator_calls: Bucket::full(limits::GET_SHARD_ITERATOR_PER_SECOND as usize, now),
        }
    }

    /// Whether one record of this size could be taken.
    pub(crate) fn covers_write(&mut self, bytes: usize, now: Moment) -> bool {
        self.write_bytes.covers(bytes, now) && self.write_records.covers(1, now)
    }

    /// Takes one record of this size, or nothing at all.
    pub(crate) fn take_write(&mut self, bytes: usize, now: Moment) -> bool {
        let fits = self.covers_write(bytes, now);
        fits && self.write_bytes.take(bytes, now) && self.write_records.take(1, now)
    }
}

pub(crate) fn shard_id(index: u32) -> String {
    format!("shardId-{index:012}")
}

/// `None` for a text that is no shard id of this service.
pub(crate) fn shard_index(id: &str) -> Option<u32> {
    let index = id.strip_prefix("shardId-")?.parse().ok()?;
    (shard_id(index) == id).then_some(index)
}

impl Shard {
    pub(crate) fn open(index: u32, range: HashRange, epoch: u64, now: Moment) -> Self {
        Self {
            index,
            range,
            parent: None,
            adjacent_parent: None,
            epoch,
            opened: now,
            closed: None,
            records: VecDeque::new(),
            last: 0,
            meters: Meters::new(now),
        }
    }

    pub(crate) fn id(&self) -> String {
        shard_id(self.index)
    }

    pub(super) fn sequence(&self, ordinal: u64, at: Moment) -> SequenceNumber {
        SequenceNumber {
            epoch: self.epoch,
            shard: self.index,
            ordinal,
            second: at.seconds(),
        }
    }

    pub(crate) fn starting_sequence(&self) -> SequenceNumber {
        self.sequence(0, self.opened)
    }

    pub(crate) fn ending_sequence(&self) -> Option<SequenceNumber> {
        let closed = self.closed.as_ref()?;
        Some(self.sequence(ENDING_ORDINAL, closed.at))
    }

    /// Whether the number is within the shard's range: that of a record put so far, trimmed or
    /// not, its starting number, or the ending number of a closed one.
    pub(crate) fn knows(&self, number: SequenceNumber) -> bool {
        let ending = self.closed.is_some() && number.ordinal == ENDING_ORDINAL;
        number.epoch == self.epoch
            && number.shard == self.index
            && (number.ordinal <= self.last || ending)
    }

    /// Puts a record back behind those that are there; false where it cannot have been.
    pub(super) fn put_back(&mut self, record: Record) -> bool {
        let newest = self.records.back().map_or(0, |record| record.ordinal);
        let fits = newest < record.ordinal && record.ordinal <= self.last;
        if fits {
            self.records.push_back(record);
        }
        fits
    }

    /// Returns the record's sequence number. `gap` is how far the ordinal moves; the service's own
    /// numbers are not consecutive either.
    pub(crate) fn append(
        &mut self,
        partition_key: Option<Arc<str>>,
        data: Bytes,
        encryption: Encryption,
        gap: u64,
        now: Moment,
    ) -> String {
        self.last += gap.max(1);
        let number = self.sequence(self.last, now).decimal();
        let record = Record::new(self.last, number, now, partition_key, data, encryption);
        self.records.push_back(record);
        number.to_string()
    }

    /// The place of the first kept record whose ordinal is at least `ordinal`.
    pub(crate) fn seek(&self, ordinal: u64) -> usize {
        self.records
            .partition_point(|record| record.ordinal < ordinal)
    }

    pub(crate) fn close(&mut self, now: Moment, children: Vec<Child>) {
        self.closed = Some(Closed { at: now, children });
    }

    /// Whether the shard was open at that time.
    pub(crate) fn was_open_at(&self, time: Moment) -> bool {
        self.opened <= time && self.closed.as_ref().is_none_or(|closed| time < closed.at)
    }

    /// Forgets records that arrived before `horizon`.
    pub(crate) fn trim_before(&mut self, horizon: Moment) {
        while self
            .records
            .front()
            .is_some_and(|record| record.arrival() < horizon)
        {
            self.records.pop_front();
        }
    }

    /// Whether retention has passed over the whole shard, so that it is listed no more.
    pub(crate) fn is_past(&self, horizon: Moment) -> bool {
        self.closed
            .as_ref()
            .is_some_and(|closed| closed.at < horizon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_record_uses_up_neither_records_nor_bytes() {
        let now = Moment::from_millis(0);
        let half = limits::SHARD_WRITE_BYTES_PER_SECOND / 2;
        let mut meters = Meters::new(now);
        assert!(meters.take_write(half + 1, now));
        assert!(!meters.take_write(half, now), "the bytes are used up");
        let records = limits::SHARD_WRITE_RECORDS_PER_SECOND - 1;
        assert!((0..records).all(|_| meters.take_write(0, now)));
        assert!(!meters.take_write(1, now), "the records are used up");
        let later = now.plus(std::time::Duration::from_millis(1));
        assert!(
            meters.take_write(half - 1, later),
            "and the bytes still there"
        );
    }

    #[test]
    fn a_shard_id_is_read_back_and_nothing_else_is_one() {
        for index in [0, 7, u32::MAX] {
            assert_eq!(shard_index(&shard_id(index)), Some(index));
        }
        let none = [
            "",
            "shardId-",
            "shardId-0",
            "shardId-0000000000001",
            "shardid-000000000001",
        ];
        assert!(none.iter().all(|id| shard_index(id).is_none()));
        assert_eq!(shard_index("shardId-+00000000001"), None);
    }
}
