//! One stream: its shards, and the state that it is in.

use super::bucket::Bucket;
use super::consumer::{Consumer, Consumers};
use super::metrics::Metrics;
use super::quota::DailyQuota;
use super::request::{Distribution, Encryption, Mode, NewStream};
use super::shard::{Child, Shard};
use super::{HashRange, Moment};
use crate::limits;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::time::Duration;

/// Kept as it is serialized, its shards beside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stream {
    pub(crate) created: Moment,
    /// Tells this stream from an earlier one of the same name.
    pub(crate) epoch: u64,
    pub(crate) mode: Mode,
    pub(crate) distribution: Distribution,
    pub(crate) record_bytes: usize,
    pub(crate) retention: Duration,
    /// Before this, records are gone even if the retention would keep them: it was shorter once.
    trimmed_to: Moment,
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) metrics: Metrics,
    /// The name of the key that records are encrypted by.
    pub(crate) key: Option<String>,
    pub(crate) phase: Phase,
    pub(crate) next_index: u32,
    pub(crate) list_calls: Bucket,
    pub(crate) scalings: DailyQuota,
    pub(crate) mode_changes: DailyQuota,
    pub(crate) encryption_starts: DailyQuota,
    pub(crate) encryption_stops: DailyQuota,
    /// Absent in files that were written before there were consumers.
    #[serde(default)]
    pub(crate) consumers: Consumers,
    #[serde(skip)]
    shards: BTreeMap<u32, Shard>,
    /// Start of range -> index, of the open shards alone.
    #[serde(skip)]
    open: BTreeMap<u128, u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Phase {
    Creating { until: Moment },
    Active,
    Updating { until: Moment, change: Change },
    Deleting { until: Moment },
}

impl Phase {
    pub(crate) const fn as_str(&self) -> &'static str {
        match self {
            Self::Creating { .. } => "CREATING",
            Self::Active => "ACTIVE",
            Self::Updating { .. } => "UPDATING",
            Self::Deleting { .. } => "DELETING",
        }
    }

    /// Whether records may be put and read.
    pub(crate) const fn serves(&self) -> bool {
        matches!(self, Self::Active | Self::Updating { .. })
    }
}

/// A change that is under way. Its outcome is fixed when it is asked for, and applied when the time
/// has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Change {
    /// The last step falls to the end of the change.
    Shards(VecDeque<Step>),
    Mode(Mode),
    Distribution(Distribution),
    RecordBytes(usize),
    Retention(Duration),
    Metrics(Metrics),
    Encryption(Option<String>),
}

/// One split or one merge, applied as a whole: no reader sees half of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) at: Moment,
    pub(crate) epoch: u64,
    pub(crate) children: Vec<Child>,
}

impl Stream {
    pub(crate) fn new(new: &NewStream, epoch: u64, retention: Duration, now: Moment) -> Self {
        let mut stream = Self {
            created: now.to_millis(),
            epoch,
            mode: new.mode,
            distribution: new.distribution,
            record_bytes: new.record_bytes,
            retention,
            trimmed_to: Moment::from_millis(0),
            tags: new.tags.clone(),
            metrics: Metrics::default(),
            key: None,
            phase: Phase::Active,
            next_index: new.shards,
            list_calls: Bucket::full(limits::LIST_SHARDS_PER_SECOND as usize, now),
            scalings: DailyQuota::default(),
            mode_changes: DailyQuota::default(),
            encryption_starts: DailyQuota::default(),
            encryption_stops: DailyQuota::default(),
            consumers: Consumers::default(),
            shards: BTreeMap::new(),
            open: BTreeMap::new(),
        };
        for (index, range) in (0..).zip(HashRange::divide(new.shards)) {
            stream.insert(Shard::open(index, range, epoch, now));
        }
        stream
    }

    fn insert(&mut self, shard: Shard) {
        self.open.insert(shard.range.start, shard.index);
        self.shards.insert(shard.index, shard);
    }

    /// Takes a shard as it was kept; `None` where there is one of its index, or of its hash keys.
    pub(super) fn put_back(&mut self, shard: Shard) -> Option<()> {
        let index = shard.index;
        if self.shards.contains_key(&index) || index >= self.next_index {
            return None;
        }
        if shard.closed.is_none() && self.open.insert(shard.range.start, index).is_some() {
            return None;
        }
        self.shards.insert(index, shard);
        Some(())
    }

    /// A shard, whatever retention says of it.
    pub(super) fn kept(&mut self, index: u32) -> Option<&mut Shard> {
        self.shards.get_mut(&index)
    }

    pub(super) fn shards(&self) -> impl Iterator<Item = &Shard> {
        self.shards.values()
    }

    /// Brings the stream to `now`. False when it is deleted by then.
    pub(crate) fn settle(&mut self, now: Moment) -> bool {
        self.consumers.settle(now);
        match &self.phase {
            Phase::Deleting { until } if *until <= now => return false,
            Phase::Creating { until } if *until <= now => self.phase = Phase::Active,
            Phase::Updating { .. } => self.progress(now),
            _ => {}
        }
        true
    }

    /// Applies as much of a change as is due.
    fn progress(&mut self, now: Moment) {
        let phase = std::mem::replace(&mut self.phase, Phase::Active);
        let Phase::Updating { until, mut change } = phase else {
            self.phase = phase;
            return;
        };
        if let Change::Shards(steps) = &mut change {
            while let Some(step) = steps.pop_front_if(|step| step.at <= now) {
                self.apply(&step);
            }
        }
        if now < until {
            self.phase = Phase::Updating { until, change };
            return;
        }
        match change {
            Change::Shards(_) => {}
            Change::Mode(mode) => self.mode = mode,
            Change::Distribution(distribution) => self.distribution = distribution,
            Change::RecordBytes(bytes) => self.record_bytes = bytes,
            Change::Metrics(metrics) => self.metrics = metrics,
            Change::Encryption(key) => self.key = key,
            Change::Retention(retention) => {
                // What is gone by now does not come back when more is kept from here on.
                self.trimmed_to = self.retained_from(until);
                self.retain(until);
                self.retention = retention;
            }
        }
    }

    /// The earliest arrival that is kept.
    pub(crate) fn retained_from(&self, now: Moment) -> Moment {
        now.minus(self.retention).max(self.trimmed_to)
    }

    pub(crate) const fn encryption(&self) -> Encryption {
        match self.key {
            Some(_) => Encryption::Kms,
            None => Encryption::None,
        }
    }

    /// Closes the parents and opens the children.
    fn apply(&mut self, change: &Step) {
        let at = change.at;
        for child in &change.children {
            for parent in &child.parents {
                let Some(parent) = self.shards.get_mut(parent) else {
                    continue;
                };
                self.open.remove(&parent.range.start);
                parent.close(at, change.children.clone());
            }
        }
        for child in &change.children {
            let mut shard = Shard::open(child.index, child.range, change.epoch, at);
            shard.parent = child.parents.first().copied();
            shard.adjacent_parent = child.parents.get(1).copied();
            self.insert(shard);
        }
    }

    /// Forgets what retention has passed over: records, and shards that were closed before.
    pub(crate) fn retain(&mut self, now: Moment) {
        let horizon = self.retained_from(now);
        self.shards.retain(|_, shard| {
            shard.trim_before(horizon);
            !shard.is_past(horizon)
        });
    }

    pub(crate) fn forget(&mut self, index: u32) {
        self.shards.remove(&index);
    }

    /// The shards that a listing shows behind one of them, or all; none while the stream is being
    /// created.
    pub(crate) fn listed(&self, after: Option<u32>) -> impl Iterator<Item = &Shard> {
        let hidden = matches!(self.phase, Phase::Creating { .. });
        let begin = after.map_or(Bound::Unbounded, Bound::Excluded);
        let shards = self.shards.range((begin, Bound::Unbounded));
        shards.map(|(_, shard)| shard).filter(move |_| !hidden)
    }

    /// In the order of their hash keys.
    pub(crate) fn open_shards(&self) -> impl Iterator<Item = (u32, HashRange)> {
        let shards = self
            .open
            .values()
            .filter_map(|index| self.shards.get(index));
        shards.map(|shard| (shard.index, shard.range))
    }

    pub(crate) fn open_count(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn shard_at(&mut self, index: u32, now: Moment) -> Option<&mut Shard> {
        let horizon = self.retained_from(now);
        retained(&mut self.shards, index, horizon)
    }

    /// A shard, and who reads it.
    pub(crate) fn shard_and_consumer(
        &mut self,
        index: u32,
        consumer: &str,
        now: Moment,
    ) -> (Option<&mut Shard>, Option<&mut Consumer>) {
        let horizon = self.retained_from(now);
        let shard = retained(&mut self.shards, index, horizon);
        (shard, self.consumers.get_mut(consumer))
    }

    /// When time alone changes something next.
    pub(crate) fn due(&self) -> Option<Moment> {
        match &self.phase {
            Phase::Active => None,
            Phase::Updating {
                until,
                change: Change::Shards(steps),
            } => Some(steps.front().map_or(*until, |step| step.at)),
            Phase::Creating { until }
            | Phase::Updating { until, .. }
            | Phase::Deleting { until } => Some(*until),
        }
    }

    /// The open shard of a hash key.
    pub(crate) fn route(&self, hash_key: u128) -> u32 {
        let (_, index) = self
            .open
            .range(..=hash_key)
            .next_back()
            .expect("the open shards cover every hash key from 0 up");
        *index
    }
}

/// The shard with what retention leaves of it.
fn retained(shards: &mut BTreeMap<u32, Shard>, index: u32, horizon: Moment) -> Option<&mut Shard> {
    let shard = shards.get_mut(&index)?;
    if shard.is_past(horizon) {
        return None;
    }
    shard.trim_before(horizon);
    Some(shard)
}
