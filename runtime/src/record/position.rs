use std::{
    fmt,
    time::{Duration, SystemTime},
};

use super::text::SharedText;
use crate::spec::Start;

/// A place in a stream: what [`StreamConfig::set_start`](crate::StreamConfig::set_start) and [`Seeker::seek`](crate::Seeker::seek) take, and
/// what a handler takes to know where its record lies.
///
/// As an extractor it is the record's own place, `Position::sequence(shard, sequence)`. Its text is stable:
/// `shardId-000000000000/49590338271490256608559692538361571095921575989136588898`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position(Place);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    Horizon,
    Latest,
    Timestamp {
        millis: i64,
    },
    Sequence {
        shard: SharedText,
        sequence: SharedText,
    },
}

/// Whom a position is for.
pub(crate) enum Scope<'a> {
    /// Every shard.
    Stream(Start),
    /// One of them.
    Shard { shard: &'a str, sequence: &'a str },
}

impl Position {
    /// The oldest record kept.
    pub const fn horizon() -> Self {
        Self(Place::Horizon)
    }

    /// Behind the newest record.
    pub const fn latest() -> Self {
        Self(Place::Latest)
    }

    /// The first record that arrived at `millis` milliseconds since the Unix epoch, or later.
    pub const fn timestamp_millis(millis: i64) -> Self {
        Self(Place::Timestamp { millis })
    }

    /// The first record that arrived at `at` or later, to the millisecond.
    pub fn timestamp(at: SystemTime) -> Self {
        let since = at
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or(Duration::ZERO);
        Self::timestamp_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// The record with this sequence number in this shard.
    pub fn sequence(shard_id: &str, sequence_number: &str) -> Self {
        Self(Place::Sequence {
            shard: shard_id.into(),
            sequence: sequence_number.into(),
        })
    }

    /// What a seek to it moves.
    pub(crate) fn scope(&self) -> Scope<'_> {
        match &self.0 {
            Place::Horizon => Scope::Stream(Start::TrimHorizon),
            Place::Latest => Scope::Stream(Start::Latest),
            Place::Timestamp { millis } => Scope::Stream(Start::Timestamp { millis: *millis }),
            Place::Sequence { shard, sequence } => Scope::Shard { shard, sequence },
        }
    }

    /// The position as a start, which names every shard.
    pub(crate) fn as_start(&self) -> Option<Start> {
        match self.scope() {
            Scope::Stream(start) => Some(start),
            Scope::Shard { .. } => None,
        }
    }

    pub(crate) fn of_record(shard: SharedText, sequence: SharedText) -> Self {
        Self(Place::Sequence { shard, sequence })
    }

    /// The shard, where the position names one.
    pub fn shard_id(&self) -> Option<&str> {
        match &self.0 {
            Place::Sequence { shard, .. } => Some(shard),
            _ => None,
        }
    }

    /// The sequence number, where the position names one.
    pub fn sequence_number(&self) -> Option<&str> {
        match &self.0 {
            Place::Sequence { sequence, .. } => Some(sequence),
            _ => None,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Place::Horizon => f.write_str("trim_horizon"),
            Place::Latest => f.write_str("latest"),
            Place::Timestamp { millis } => write!(f, "timestamp {millis}"),
            Place::Sequence { shard, sequence } => write!(f, "{shard}/{sequence}"),
        }
    }
}
