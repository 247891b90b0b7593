//! Which records make up the next batch: in the order of the shard, and none of them before an earlier one of its key has ended, unless
//! both are in it.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use tokio::time::Instant;

use crate::{
    dispatch::lanes::Lane,
    planted::{Bug, planted},
};

/// A record that has not ended.
#[derive(Debug)]
pub(crate) struct Entry<T> {
    pub(crate) number: u64,
    pub(crate) lane: Lane,
    /// When it came, or when it is to be tried again.
    pub(crate) ready_at: Instant,
    pub(crate) item: T,
}

/// Records that are given to the handler together.
#[derive(Debug)]
pub(crate) struct Group<T> {
    /// How often it failed as a whole.
    pub(crate) failures: u32,
    pub(crate) ready_at: Instant,
    /// In the order of the shard.
    pub(crate) entries: Vec<Entry<T>>,
}

/// Whether a batch that is not full waits for more records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    Waits,
    /// There are no more, or no room for them.
    Goes,
}

/// What an earlier record keeps others of its key from: all of them share a lane. A record without a key is alone in its own.
type LaneKey = (bool, u64);

/// Records of a lane that have begun, and those that wait for an earlier one or for their time.
#[derive(Debug)]
struct Closed<T> {
    /// Those that have begun and not ended.
    begun: BTreeSet<u64>,
    waiting: BTreeMap<u64, Entry<T>>,
}

/// The records of a shard that have not ended.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    max_records: usize,
    max_wait: Duration,
    /// Delivered, in the order of the shard.
    fresh: VecDeque<Entry<T>>,
    /// Their lane was closed and is open again; they come before what is fresh of it.
    freed: BTreeMap<u64, Entry<T>>,
    /// What could begin now, at most a batch.
    forming: BTreeMap<u64, Entry<T>>,
    /// When the first of them was ready.
    forming_since: Option<Instant>,
    closed: BTreeMap<LaneKey, Closed<T>>,
    /// Batches that failed as a whole, or the parts of one. Nothing else begins before they have ended.
    failed: VecDeque<Group<T>>,
    /// Records that failed alone, each by itself again when its time comes: in a batch it would fail all others. Their lanes stay closed.
    alone: BTreeMap<u64, Group<T>>,
    /// The last turn was one of these: what else there is goes first now, or many that fail would keep it from its turn for ever.
    alone_went: bool,
}

impl<T> Entry<T> {
    fn lane_key(&self) -> LaneKey {
        lane_key(self.lane, self.number)
    }
}

fn lane_key(lane: Lane, number: u64) -> LaneKey {
    match lane {
        Lane::Key(key) => (true, key),
        Lane::Free => (false, number),
    }
}

impl<T> Closed<T> {
    /// A record waits for none that lies behind it: that may wait for its dead letter for long.
    fn due(&self) -> Option<Instant> {
        let first = self.waiting.values().next()?;
        (!self.has_begun_before(first.number)).then_some(first.ready_at)
    }

    fn has_begun_before(&self, number: u64) -> bool {
        self.begun.first().is_some_and(|begun| *begun < number)
    }

    /// Later records of the lane, which are to be tried again later, keep none of the earlier ones from their turn.
    fn keeps(&self, number: u64) -> bool {
        let waiting = self.waiting.first_key_value();
        self.has_begun_before(number) || waiting.is_some_and(|(waiting, _)| *waiting < number)
    }

    fn is_over(&self) -> bool {
        self.begun.is_empty() && self.waiting.is_empty()
    }
}

impl<T> Queue<T> {
    pub(crate) fn new(max_records: u32, max_wait: Duration) -> Self {
        Self {
            max_records: max_records as usize,
            max_wait,
            fresh: VecDeque::new(),
            freed: BTreeMap::new(),
            forming: BTreeMap::new(),
            forming_since: None,
            closed: BTreeMap::new(),
            failed: VecDeque::new(),
            alone: BTreeMap::new(),
            alone_went: false,
        }
    }

    /// Nothing waits, and what has begun has ended.
    pub(crate) fn is_empty(&self) -> bool {
        self.ready() == 0 && self.closed.is_empty() && self.failed.is_empty()
    }

    /// How many records no earlier one is known to stand before.
    pub(crate) fn ready(&self) -> usize {
        self.forming.len() + self.freed.len() + self.fresh.len()
    }

    /// Adds a record behind all others.
    pub(crate) fn push(&mut self, entry: Entry<T>) {
        self.fresh.push_back(entry);
    }

    /// The next batch, if there is one now. To be asked when the last one has come back. The lanes of its records are closed until
    /// each of them [ends](Self::end).
    pub(crate) fn next(&mut self, now: Instant, patience: Patience) -> Option<Group<T>> {
        let group = if self.alone_went {
            let others = self.next_of_others(now, patience);
            others.or_else(|| self.next_alone(now))
        } else {
            let alone = self.next_alone(now);
            alone.or_else(|| self.next_of_others(now, patience))
        }?;
        for entry in &group.entries {
            let key = entry.lane_key();
            self.lane(key).begun.insert(entry.number);
        }
        Some(group)
    }

    fn next_alone(&mut self, now: Instant) -> Option<Group<T>> {
        let waiting = self.alone.iter();
        let ready = waiting.filter(|(_, group)| group.ready_at <= now);
        // Not the earliest record: one that fails sooner than its call takes would leave no turn to the others.
        let (&number, _) = ready.min_by_key(|(number, group)| (group.ready_at, **number))?;
        self.alone_went = true;
        self.alone.remove(&number)
    }

    fn next_of_others(&mut self, now: Instant, patience: Patience) -> Option<Group<T>> {
        let group = self.next_failed(now).or_else(|| {
            // A lane must not open while a part of a failed batch may hold later records of it.
            if self.failed.is_empty() {
                self.next_formed(now, patience)
            } else {
                None
            }
        })?;
        self.alone_went = false;
        Some(group)
    }

    fn next_failed(&mut self, now: Instant) -> Option<Group<T>> {
        while self.failed.front()?.ready_at <= now {
            let mut group = self.failed.pop_front()?;
            let (open, closed) = group
                .entries
                .into_iter()
                .partition(|entry| !self.is_kept(entry));
            group.entries = open;
            let closed: Vec<_> = closed;
            for entry in closed {
                self.wait(entry);
            }
            if !group.entries.is_empty() {
                return Some(group);
            }
        }
        None
    }

    fn next_formed(&mut self, now: Instant, patience: Patience) -> Option<Group<T>> {
        self.open_lanes(now);
        self.fill();
        let since = self.forming_since?;
        let goes = self.forming.len() >= self.max_records
            || patience == Patience::Goes
            || now.saturating_duration_since(since) >= self.max_wait;
        if !goes {
            return None;
        }
        self.forming_since = None;
        Some(Group {
            failures: 0,
            ready_at: since,
            entries: std::mem::take(&mut self.forming).into_values().collect(),
        })
    }

    fn open_lanes(&mut self, now: Instant) {
        let freed = &mut self.freed;
        self.closed.retain(|_, lane| {
            while lane.due().is_some_and(|due| due <= now) {
                freed.extend(lane.waiting.pop_first());
            }
            !lane.is_over()
        });
    }

    /// An earlier record of its lane has not ended.
    fn is_kept(&self, entry: &Entry<T>) -> bool {
        let lane = self.closed.get(&entry.lane_key());
        lane.is_some_and(|lane| lane.keeps(entry.number))
    }

    /// In the order of the shard, so also of each key.
    fn fill(&mut self) {
        while self.forming.len() < self.max_records {
            let freed = self.freed.first_key_value().map(|(number, _)| *number);
            let fresh = self.fresh.front().map(|entry| entry.number);
            let next = match (freed, fresh) {
                (Some(freed), Some(fresh)) if fresh < freed => self.fresh.pop_front(),
                (Some(_), _) => self.freed.pop_first().map(|(_, entry)| entry),
                (None, _) => self.fresh.pop_front(),
            };
            let Some(entry) = next else { return };
            if self.is_kept(&entry) {
                self.wait(entry);
                continue;
            }
            let since = self.forming_since.get_or_insert(entry.ready_at);
            *since = entry.ready_at.min(*since);
            self.forming.insert(entry.number, entry);
        }
    }

    /// When time alone lets something begin: a batch has waited long enough, or is tried again. Asked when nothing can begin now.
    pub(crate) fn due(&self) -> Option<Instant> {
        let alone = self.alone.values().map(|group| group.ready_at).min();
        if let Some(group) = self.failed.front() {
            return alone.into_iter().chain([group.ready_at]).min();
        }
        let formed = self.forming_since.map(|since| since + self.max_wait);
        let opens = self.closed.values().filter_map(Closed::due);
        formed.into_iter().chain(alone).chain(opens).min()
    }

    /// A begun record has ended, unless it is told to wait then.
    pub(crate) fn end(&mut self, lane: Lane, number: u64) {
        let key = lane_key(lane, number);
        if let Some(lane) = self.closed.get_mut(&key) {
            lane.begun.remove(&number);
            if lane.is_over() {
                self.closed.remove(&key);
            }
        }
    }

    /// The record is tried again when it is ready; later ones of its key wait for it.
    pub(crate) fn wait(&mut self, entry: Entry<T>) {
        let lane = self.lane(entry.lane_key());
        lane.waiting.insert(entry.number, entry);
    }

    fn lane(&mut self, key: LaneKey) -> &mut Closed<T> {
        self.closed.entry(key).or_insert_with(|| Closed {
            begun: BTreeSet::new(),
            waiting: BTreeMap::new(),
        })
    }

    /// The batch is tried again as it is, before anything else.
    pub(crate) fn again(&mut self, group: Group<T>) {
        self.failed.push_front(group);
    }

    /// A record that failed alone is tried again by itself. It has not ended: its lane stays closed, and other lanes go on.
    pub(crate) fn again_alone(&mut self, group: Group<T>) {
        if let Some(first) = group.entries.first() {
            self.alone.insert(first.number, group);
        }
    }

    /// The halves of the batch are tried, one after the other, before anything else.
    pub(crate) fn split(&mut self, mut group: Group<T>) {
        let behind = group.entries.split_off(group.entries.len() / 2);
        if !planted(Bug::ForgottenHalf) {
            self.failed.push_front(Group {
                entries: behind,
                ..group
            });
        }
        self.failed.push_front(group);
    }

    /// Forgets the records from this number on. Whatever of them has begun is not here.
    pub(crate) fn cut(&mut self, from: u64) {
        self.fresh.retain(|entry| entry.number < from);
        self.freed.split_off(&from);
        self.forming.split_off(&from);
        if self.forming.is_empty() {
            self.forming_since = None;
        }
        for lane in self.closed.values_mut() {
            lane.waiting.split_off(&from);
        }
        for group in self.alone.split_off(&from).into_values() {
            for entry in group.entries {
                self.end(entry.lane, entry.number);
            }
        }
        self.closed.retain(|_, lane| !lane.is_over());
        for group in &mut self.failed {
            group.entries.retain(|entry| entry.number < from);
        }
        self.failed.retain(|group| !group.entries.is_empty());
    }

    /// Records that wait, in no order.
    pub(crate) fn waiting_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let closed = self
            .closed
            .values_mut()
            .flat_map(|lane| lane.waiting.values_mut());
        let failed = self.failed.iter_mut().chain(self.alone.values_mut());
        let failed = failed.flat_map(|group| &mut group.entries);
        self.fresh
            .iter_mut()
            .chain(self.freed.values_mut())
            .chain(self.forming.values_mut())
            .chain(closed)
            .chain(failed)
            .map(|entry| &mut entry.item)
    }
}
