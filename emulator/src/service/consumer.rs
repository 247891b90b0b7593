//! The registered consumers of one stream: names, states, what their subscriptions have used up.

use super::Moment;
use super::bucket::Bucket;
use crate::limits;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Kept as a part of its stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Consumer {
    /// Its ARN ends in the second of this.
    pub(crate) created: Moment,
    pub(crate) phase: ConsumerPhase,
    pub(crate) tags: BTreeMap<String, String>,
    /// By the index of the shard.
    readings: BTreeMap<u32, Reading>,
}

/// What a consumer has used up at one shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Reading {
    /// How often it subscribed: the newest subscription is the one that goes on.
    pub(crate) turn: u64,
    /// When it subscribed last.
    pub(crate) since: Option<Moment>,
    pub(crate) calls: Bucket,
    pub(crate) bytes: Bucket,
}

impl Consumer {
    pub(crate) fn reading(&mut self, shard: u32, now: Moment) -> &mut Reading {
        self.readings.entry(shard).or_insert_with(|| Reading {
            turn: 0,
            since: None,
            calls: Bucket::full(limits::SUBSCRIBE_TO_SHARD_PER_SECOND as usize, now),
            bytes: Bucket::full(limits::CONSUMER_READ_BYTES_PER_SECOND, now),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ConsumerPhase {
    Creating { until: Moment },
    Active,
    Deleting { until: Moment },
}

impl ConsumerPhase {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Creating { .. } => "CREATING",
            Self::Active => "ACTIVE",
            Self::Deleting { .. } => "DELETING",
        }
    }
}

/// All consumers of one stream, with the rates that are counted per stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Consumers {
    by_name: BTreeMap<String, Consumer>,
    /// The latest second of the ARN of a consumer that is gone: no later one has that ARN again.
    retired: u64,
    pub(crate) describe_calls: Bucket,
    pub(crate) list_calls: Bucket,
    pub(crate) deregister_calls: Bucket,
}

impl Default for Consumers {
    fn default() -> Self {
        let full = |rate: u32| Bucket::full(rate as usize, Moment::from_millis(0));
        Self {
            by_name: BTreeMap::new(),
            retired: 0,
            describe_calls: full(limits::DESCRIBE_STREAM_CONSUMER_PER_SECOND),
            list_calls: full(limits::CONTROL_PER_SECOND),
            deregister_calls: full(limits::CONTROL_PER_SECOND),
        }
    }
}

impl Consumers {
    pub(crate) fn count(&self) -> usize {
        self.by_name.len()
    }

    pub(crate) fn creating(&self) -> usize {
        let creating = |one: &&Consumer| matches!(one.phase, ConsumerPhase::Creating { .. });
        self.by_name.values().filter(creating).count()
    }

    /// In the order of their names.
    pub(crate) fn behind(&self, after: Option<&str>) -> impl Iterator<Item = (&str, &Consumer)> {
        use std::ops::Bound;
        let begin = after.map_or(Bound::Unbounded, Bound::Excluded);
        let found = self.by_name.range::<str, _>((begin, Bound::Unbounded));
        found.map(|(name, consumer)| (name.as_str(), consumer))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Consumer> {
        self.by_name.get(name)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Consumer> {
        self.by_name.get_mut(name)
    }

    /// Adds a consumer under a name that none has.
    pub(crate) fn register(
        &mut self,
        name: &str,
        tags: BTreeMap<String, String>,
        creating: Duration,
        now: Moment,
    ) -> &Consumer {
        let earliest = Moment::from_millis((self.retired + 1).saturating_mul(1_000));
        let consumer = Consumer {
            created: now.to_millis().max(earliest),
            phase: if creating.is_zero() {
                ConsumerPhase::Active
            } else {
                let until = now.plus(creating);
                ConsumerPhase::Creating { until }
            },
            tags,
            readings: BTreeMap::new(),
        };
        self.by_name.entry(name.to_owned()).or_insert(consumer)
    }

    /// Brings all of them to `now`.
    pub(crate) fn settle(&mut self, now: Moment) {
        let retired = &mut self.retired;
        self.by_name.retain(|_, consumer| {
            match consumer.phase {
                ConsumerPhase::Creating { until } if until <= now => {
                    consumer.phase = ConsumerPhase::Active;
                }
                ConsumerPhase::Deleting { until } if until <= now => {
                    *retired = (*retired).max(consumer.created.seconds());
                    return false;
                }
                _ => {}
            }
            true
        });
    }
}
