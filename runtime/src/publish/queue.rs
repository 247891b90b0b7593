//! Which records go into the next request: pure.
//!
//! The service promises no order within a request, and may store one entry and refuse the one before it. So of each partition key at
//! most one record is under way; what is behind it waits until it is stored or given up on.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use kinesis_app_rules::limits;
use tokio::time::Instant;

/// A record that is to be stored; `T` is who waits for it.
#[derive(Debug)]
pub(super) struct Queued<T> {
    pub(super) key: Arc<str>,
    pub(super) data: Bytes,
    pub(super) since: Instant,
    /// When it was sent for the first time.
    pub(super) sent: Option<Instant>,
    pub(super) failures: u32,
    /// A request of its own: one of several was refused, and nobody knows for which record.
    pub(super) alone: bool,
    pub(super) waiting: T,
}

impl<T> Queued<T> {
    /// As the service counts it.
    pub(super) fn size(&self) -> usize {
        self.key.len() + self.data.len()
    }
}

#[derive(Debug)]
pub(super) struct Queue<T> {
    linger: Duration,
    /// Every key that has a record here or under way. The order of this map decides nothing.
    keys: HashMap<Arc<str>, VecDeque<Queued<T>>>,
    /// Keys whose first record may go.
    ready: VecDeque<Arc<str>>,
    ready_bytes: usize,
    /// When the first of them has waited long enough for company.
    due: Option<Instant>,
    /// Keys whose first record waits for its next try; the number keeps the order of those that wait equally long.
    parked: BinaryHeap<Reverse<(Instant, u64, Arc<str>)>>,
    parkings: u64,
}

impl<T> Queue<T> {
    pub(super) fn new(linger: Duration) -> Self {
        Self {
            linger,
            keys: HashMap::new(),
            ready: VecDeque::new(),
            ready_bytes: 0,
            due: None,
            parked: BinaryHeap::new(),
            parkings: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.values().all(VecDeque::is_empty)
    }

    pub(super) fn push(&mut self, record: Queued<T>, now: Instant) {
        let key = Arc::clone(&record.key);
        if let Some(waiting) = self.keys.get_mut(&key) {
            waiting.push_back(record);
        } else {
            self.keys.insert(Arc::clone(&key), VecDeque::from([record]));
            self.make_ready(key, now);
        }
    }

    /// The record of this key that was under way is stored, or given up on.
    pub(super) fn settled(&mut self, key: &Arc<str>, now: Instant) {
        if self.keys.get(key).is_some_and(VecDeque::is_empty) {
            self.keys.remove(key);
        } else {
            self.make_ready(Arc::clone(key), now);
        }
    }

    /// A record that was under way is sent again, before all others of its key.
    pub(super) fn again(&mut self, record: Queued<T>, at: Instant) {
        let key = Arc::clone(&record.key);
        self.keys
            .entry(Arc::clone(&key))
            .or_default()
            .push_front(record);
        self.parkings += 1;
        self.parked.push(Reverse((at, self.parkings, key)));
    }

    /// Takes out what lies behind a record of this key that is given up on, and has waited since `before` or longer.
    pub(super) fn cut_behind(&mut self, key: &Arc<str>, before: Instant) -> Vec<Queued<T>> {
        let Some(waiting) = self.keys.get_mut(key) else {
            return Vec::new();
        };
        let stale = waiting.partition_point(|record| record.since <= before);
        waiting.drain(..stale).collect()
    }

    /// When there is something to do, if nothing else happens.
    pub(super) fn next(&self) -> Option<Instant> {
        let parked = self.parked.peek().map(|Reverse((at, ..))| *at);
        self.due.into_iter().chain(parked).min()
    }

    /// The next request, if one is due: full, or its first record has waited long enough. `hurry` waits for no company.
    pub(super) fn request(&mut self, now: Instant, hurry: bool) -> Option<Vec<Queued<T>>> {
        while let Some(Reverse((at, ..))) = self.parked.peek()
            && *at <= now
            && let Some(Reverse((_, _, key))) = self.parked.pop()
        {
            self.make_ready(key, now);
        }
        let is_full = self.ready.len() >= limits::PUT_RECORDS_RECORDS
            || self.ready_bytes >= limits::PUT_RECORDS_BYTES;
        let is_due = self.due.is_some_and(|due| due <= now || hurry);
        (is_due || is_full && !self.ready.is_empty()).then(|| self.take(now))
    }

    /// Whatever waits, in the order of each key.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Queued<T>> {
        self.ready.clear();
        self.parked.clear();
        self.due = None;
        std::mem::take(&mut self.keys).into_values().flatten()
    }

    fn make_ready(&mut self, key: Arc<str>, now: Instant) {
        self.ready_bytes += self.first(&key).map_or(0, Queued::size);
        self.ready.push_back(key);
        self.due.get_or_insert(now + self.linger);
    }

    fn first(&self, key: &Arc<str>) -> Option<&Queued<T>> {
        self.keys.get(key)?.front()
    }

    fn take(&mut self, now: Instant) -> Vec<Queued<T>> {
        let (mut taken, mut bytes) = (Vec::new(), 0);
        while taken.len() < limits::PUT_RECORDS_RECORDS
            && let Some(first) = self.ready.front().and_then(|key| self.first(key))
        {
            let (size, alone) = (first.size(), first.alone);
            let is_apart = alone && !taken.is_empty();
            if is_apart || bytes + size > limits::PUT_RECORDS_BYTES && !taken.is_empty() {
                break;
            }
            bytes += size;
            let record = self.ready.pop_front().and_then(|key| {
                let waiting = self.keys.get_mut(&key)?;
                waiting.pop_front()
            });
            if let Some(mut record) = record {
                record.sent.get_or_insert(now);
                taken.push(record);
            }
            if alone {
                break;
            }
        }
        self.ready_bytes -= bytes;
        if self.ready.is_empty() {
            self.due = None;
        }
        taken
    }
}

#[cfg(test)]
mod tests;
