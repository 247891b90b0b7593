//! The way to the observer, if there is one: a panic of his ends there.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

use super::{
    health::ShardName,
    observer::{LeaseChange, Observer, RecordCounts},
};
use crate::{dispatch::outcome::panic_text, leases::row::Checkpoint};

/// Filled once, when the application has its state. Empty, it costs a load.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch(Arc<OnceLock<Sink>>);

#[derive(Debug)]
struct Sink {
    observer: Arc<dyn Observer>,
    has_panicked: AtomicBool,
}

impl Watch {
    /// Before anything is read.
    pub(crate) fn begin(&self, observer: Arc<dyn Observer>) {
        let sink = Sink {
            observer,
            has_panicked: AtomicBool::new(false),
        };
        let filled = self.0.set(sink);
        debug_assert!(filled.is_ok(), "an application starts once");
    }

    pub(crate) fn is_on(&self) -> bool {
        self.0.get().is_some()
    }

    pub(crate) fn tell(&self, event: impl FnOnce(&dyn Observer)) {
        let Some(sink) = self.0.get() else { return };
        if sink.has_panicked.load(Ordering::Relaxed) {
            return;
        }
        let told = catch_unwind(AssertUnwindSafe(|| event(&*sink.observer)));
        if let Err(panic) = told
            && !sink.has_panicked.swap(true, Ordering::Relaxed)
        {
            tracing::error!(
                panic = panic_text(&*panic),
                help = "mend the `#[observe]` function's observer and start the application anew; `Running::health` goes on",
                "observer panicked, and is not called any more"
            );
        }
    }

    pub(crate) fn shard(&self, shard: ShardName) -> ShardWatch {
        ShardWatch {
            watch: self.clone(),
            shard,
        }
    }
}

/// The same for what concerns one shard.
#[derive(Debug, Clone)]
pub(crate) struct ShardWatch {
    watch: Watch,
    pub(super) shard: ShardName,
}

impl ShardWatch {
    pub(crate) fn tell(&self, event: impl FnOnce(&dyn Observer, &ShardName)) {
        self.watch.tell(|observer| event(observer, &self.shard));
    }

    /// A clock for calls of the handler, if anybody wants to know.
    pub(crate) fn stopwatch(&self) -> Stopwatch {
        Stopwatch(self.watch.is_on().then(Arc::default))
    }
}

/// How long calls of a handler took since it was last asked. Off, it does not read the clock.
#[derive(Debug, Clone)]
pub(crate) struct Stopwatch(Option<Arc<Times>>);

#[derive(Debug, Default)]
struct Times {
    calls: AtomicU64,
    nanos: AtomicU64,
    longest: AtomicU64,
}

impl Stopwatch {
    pub(crate) fn begin(&self) -> Option<Instant> {
        self.0.is_some().then(Instant::now)
    }

    pub(crate) fn end(&self, begun: Option<Instant>) {
        if let (Some(times), Some(begun)) = (&self.0, begun) {
            let nanos = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
            times.calls.fetch_add(1, Ordering::Relaxed);
            times.nanos.fetch_add(nanos, Ordering::Relaxed);
            times.longest.fetch_max(nanos, Ordering::Relaxed);
        }
    }

    /// Moves what was measured to the counts.
    pub(crate) fn read(&self, counts: &mut RecordCounts) {
        let Some(times) = &self.0 else { return };
        let take = |of: &AtomicU64| of.swap(0, Ordering::Relaxed);
        counts.calls = take(&times.calls);
        counts.call_time = Duration::from_nanos(take(&times.nanos));
        counts.longest_call = Duration::from_nanos(take(&times.longest));
    }
}

/// One tenure, as its reader and its row's writer tell of it: who of them sees its end first says so.
#[derive(Debug)]
pub(crate) struct LeaseWatch {
    shard: ShardWatch,
    has_ended: AtomicBool,
}

impl LeaseWatch {
    pub(crate) fn taken(shard: ShardWatch, token: u64) -> Arc<Self> {
        shard.tell(|observer, shard| observer.lease(shard, &LeaseChange::Taken { token }));
        Arc::new(Self {
            shard,
            has_ended: AtomicBool::new(false),
        })
    }

    pub(crate) fn stored(&self, checkpoint: &Checkpoint) {
        self.shard
            .tell(|observer, shard| observer.checkpoint(shard, checkpoint));
    }

    pub(crate) fn ended(&self, change: &LeaseChange<'_>) {
        if !self.has_ended.swap(true, Ordering::Relaxed) {
            self.shard
                .tell(|observer, shard| observer.lease(shard, change));
        }
    }
}

impl Drop for LeaseWatch {
    /// A reader that panicked, or was dropped, had no word for it.
    fn drop(&mut self) {
        self.ended(&LeaseChange::Lost {
            reason: "its reader ended without a word",
        });
    }
}
