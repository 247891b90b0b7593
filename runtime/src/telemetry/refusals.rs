//! What is refused in a way that no retry heals: since when, how often, and in whose words, until it is answered again.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::time::Instant;

use super::health::{
    Activity, Failing, Health, ShardHealth, ShardName, StreamActivity, StreamHealth,
};

/// The troubles of all streams and of those shards that have one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refusals(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    streams: BTreeMap<&'static str, Option<Trouble>>,
    shards: BTreeMap<ShardName, Trouble>,
}

#[derive(Debug)]
struct Trouble {
    kind: Kind,
    since: Instant,
    times: u32,
    error: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Failing,
    Refused,
    /// An answer of the service does not heal it.
    Panicked,
}

impl Refusals {
    /// The stream is consumed: health shows it from now on.
    pub(crate) fn consumed(&self, stream: &'static str) {
        self.inner().streams.entry(stream).or_default();
    }

    /// A call for the stream failed, and will be repeated.
    pub(crate) fn stream_failed(&self, stream: &'static str, error: &impl ToString) {
        let trouble = &mut *self.inner();
        let trouble = trouble.streams.entry(stream).or_default();
        note(trouble, Kind::Failing, error);
    }

    /// The stream is refused. The answer is how many times in a row.
    pub(crate) fn stream_refused(&self, stream: &'static str, error: &impl ToString) -> u32 {
        let trouble = &mut *self.inner();
        let trouble = trouble.streams.entry(stream).or_default();
        note(trouble, Kind::Refused, error)
    }

    /// The stream is looked after again. Whether it was refused before.
    pub(crate) fn stream_answered(&self, stream: &'static str) -> bool {
        let trouble = self.inner().streams.insert(stream, None).flatten();
        trouble.is_some_and(|trouble| trouble.kind == Kind::Refused)
    }

    /// A shard is refused. The answer is how many times in a row.
    pub(crate) fn shard_refused(&self, shard: ShardName, error: &impl ToString) -> u32 {
        self.note_shard(shard, Kind::Refused, error)
    }

    /// The reader of a shard panicked. The answer is how many times in a row.
    pub(crate) fn shard_panicked(&self, shard: ShardName, words: &impl ToString) -> u32 {
        self.note_shard(shard, Kind::Panicked, words)
    }

    fn note_shard(&self, shard: ShardName, kind: Kind, error: &impl ToString) -> u32 {
        let shards = &mut self.inner().shards;
        let mut trouble = shards.remove(&shard);
        let times = note(&mut trouble, kind, error);
        shards.extend(trouble.map(|trouble| (shard, trouble)));
        times
    }

    /// A read of a shard was answered.
    pub(crate) fn shard_answered(&self, shard: &ShardName) {
        let panicked = |trouble: &Trouble| trouble.kind == Kind::Panicked;
        if !self.inner().shards.get(shard).is_none_or(panicked) {
            self.shard_is_over(shard);
        }
    }

    /// A shard is read again, by this instance or another, or there is nothing more to read.
    pub(crate) fn shard_is_over(&self, shard: &ShardName) {
        if self.inner().shards.remove(shard).is_some() {
            tracing::info!(stream = shard.stream, shard = %shard.shard_id, "shard is in no trouble any more");
        }
    }

    /// Puts it on what the shards show of themselves.
    pub(super) fn show(&self, health: &mut Health, now: Instant) {
        let inner = self.inner();
        for (stream, trouble) in &inner.streams {
            let refused = trouble
                .as_ref()
                .is_some_and(|trouble| trouble.kind == Kind::Refused);
            let shown = StreamHealth {
                activity: if refused {
                    StreamActivity::Refused
                } else {
                    StreamActivity::Reading
                },
                failing: trouble.as_ref().map(|trouble| trouble.shown(now)),
            };
            health.streams.insert(stream, shown);
        }
        for (shard, trouble) in &inner.shards {
            let shown = health
                .shards
                .entry(shard.clone())
                .or_insert_with(ShardHealth::begun);
            if trouble.kind == Kind::Refused {
                shown.activity = Activity::Refused;
            }
            shown.failing = Some(trouble.shown(now));
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One more failure; a refusal that comes after other failures is the first of its kind.
fn note(trouble: &mut Option<Trouble>, kind: Kind, error: &impl ToString) -> u32 {
    let before = trouble.take().filter(|before| before.kind == kind);
    let (since, times) = before.map_or((Instant::now(), 0), |before| (before.since, before.times));
    let times = times.saturating_add(1);
    *trouble = Some(Trouble {
        kind,
        since,
        times,
        error: error.to_string(),
    });
    times
}

impl Trouble {
    fn shown(&self, now: Instant) -> Failing {
        Failing {
            for_how_long: now.saturating_duration_since(self.since),
            error: self.error.clone(),
        }
    }
}
