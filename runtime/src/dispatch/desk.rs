//! A worker's books: which records it has, where each stands, and what it may do next.

use std::{collections::BTreeSet, num::NonZeroU32, sync::Arc};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

pub(super) use self::{batch::EndedBatch, waiting::Place};
use self::{
    holds::Holds,
    parcels::Parcels,
    phase::Phase,
    prefetch::Prefetch,
    source::Source,
    waiting::Waiting,
    weights::{Weight, Weights},
};
use super::{lanes::Lane, outcome::Settled, post::Parcel, rules::Rules, worker::Assignment};
use crate::{
    checkpoint::watermark::Watermark,
    record::{page::Page, text::SharedText},
    source::{budget::Account, feed::Feed, kinesis::Anchor},
    spec::Order,
    stop::Stopping,
    telemetry::{board::Line, observer::RecordCounts, watch::Stopwatch},
};

mod batch;
mod counts;
mod holds;
mod letters;
mod parcels;
mod phase;
mod prefetch;
mod replies;
mod source;
mod steps;
mod turns;
mod waiting;
mod weights;

/// One record on its way.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) page: Arc<Page>,
    pub(super) index: usize,
    pub(super) attempt: NonZeroU32,
    /// What is to be stored before it settles: its handler is done with it, and is not called again.
    parcel: Option<Parcel>,
    /// How often replies could not be stored.
    unstored: u32,
    /// What its replies take of the room for replies.
    replies: Option<Weight>,
    number: u64,
    pub(super) reading: u64,
}

impl Job {
    /// A record that waits for long keeps itself and not its page.
    fn leave_page(&mut self, account: &Account) {
        if self.page.len() > 1 {
            self.page = Arc::new(self.page.alone(self.index, account));
            self.index = 0;
        }
    }
}

/// One attempt that is over.
pub(super) enum Ended {
    Record(EndedRecord),
    Batch(EndedBatch),
}

/// One attempt at a record that is over.
pub(super) struct EndedRecord {
    pub(super) place: Place,
    pub(super) job: Job,
    pub(super) settled: Result<Settled, NotBegun>,
}

impl Ended {
    /// Not begun, for the deadline had passed.
    pub(super) fn is_late(&self) -> bool {
        let not_begun = match self {
            Self::Record(ended) => ended.settled.as_ref().err(),
            Self::Batch(ended) => ended.settled.as_ref().err(),
        };
        not_begun == Some(&NotBegun::Late)
    }
}

/// Why an attempt was not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotBegun {
    /// Nothing of its reading begins any more.
    Closed,
    /// The tenure's deadline has passed.
    Late,
}

pub(super) struct Desk {
    stream: &'static str,
    shard_id: SharedText,
    rules: Rules,
    health: Arc<Line>,
    leaving: Arc<Stopping>,
    feed: Feed,
    phase: Phase,
    source: Source,
    prefetch: Prefetch,
    holds: Holds,
    unpublished: u32,
    /// What replies that are not stored keep in memory.
    replies: Weights,
    /// Since they were told last.
    counts: RecordCounts,
    stopwatch: Stopwatch,
    /// How many records had settled before this reading.
    settled_before: u64,
    reading: Reading,
}

/// What dies with a reading: a seek begins another one, and so does a restart behind a held record.
struct Reading {
    /// As its tenure counts them, which a restart is not told to: nothing of the reading before it is left then.
    number: u64,
    /// Where it began.
    start: Anchor,
    /// What still runs of an older reading holds its lane.
    waiting: Waiting,
    mark: Watermark,
    /// Records whose replies could not be stored, and wait for the next try.
    unstored: BTreeSet<u64>,
    parcels: Parcels,
    /// A record needs a person: nothing more begins, also while the shard is left.
    has_halted: bool,
    /// No record with this number or a higher one has begun.
    front: u64,
    begins: u64,
}

impl Reading {
    fn from(number: u64, start: Anchor, waiting: Waiting) -> Self {
        Self {
            number,
            start,
            waiting,
            mark: Watermark::default(),
            unstored: BTreeSet::new(),
            parcels: Parcels::default(),
            has_halted: false,
            front: 0,
            begins: 0,
        }
    }

    /// The place behind its first so many records.
    fn anchor(&self, records: u64) -> Anchor {
        match self.mark.sequence_before(records) {
            Some(sequence) => Anchor::After {
                sequence: sequence.to_string(),
            },
            None => self.start.clone(),
        }
    }

    /// Nothing begins any more: only what runs is left.
    fn drop_waiting(&mut self) {
        self.waiting.clear();
        self.parcels.clear();
    }
}

impl Desk {
    pub(super) fn new(shard: &Assignment, feed: Feed, stopwatch: &Stopwatch) -> Self {
        let (reading, start) = (shard.tenure.readings().current(), feed.anchor().clone());
        #[cfg(feature = "testing")]
        shard.health.reads_from(&start);
        Self {
            stream: shard.stream,
            shard_id: shard.shard_id.clone(),
            rules: shard.rules.clone(),
            health: Arc::clone(&shard.health),
            leaving: Arc::clone(&shard.leaving),
            phase: Phase::Reading,
            source: Source::Speaking,
            prefetch: Prefetch::default(),
            holds: Holds::default(),
            unpublished: 0,
            replies: Weights::default(),
            counts: RecordCounts::of(shard.rules.label),
            stopwatch: stopwatch.clone(),
            settled_before: 0,
            reading: Reading::from(reading, start, Waiting::new(shard.rules.batch)),
            feed,
        }
    }

    pub(super) fn has_ready(&self) -> bool {
        // What is handled now is to be stored where the last replies still wait to be.
        self.replies.sum() <= defaults::REPLY_BYTES && self.reading.waiting.has_ready()
    }

    pub(super) fn begin(&mut self) -> Option<(Place, Job)> {
        let (place, mut job) = self.reading.waiting.begin()?;
        self.begins_with(&mut job);
        Some((place, job))
    }

    fn begins_with(&mut self, job: &mut Job) {
        self.reading.front = self.reading.front.max(job.number + 1);
        self.reading.begins += 1;
        #[cfg(feature = "testing")]
        self.health
            .begun(job.page.names().sequence(job.index), job.attempt);
        // With little room, a handler that may take for ever must not keep a page for the sake of one record.
        let account = self.feed.account();
        if account.is_short() {
            job.leave_page(account);
        }
    }

    fn deliver(&mut self, page: Page) {
        let first = self.reading.mark.deliver(page.names());
        let behind = page.behind();
        self.counts.delivered += page.len() as u64;
        let (page, now) = (Arc::new(page), Instant::now());
        for index in 0..page.len() {
            let lane = match self.rules.order {
                Order::PartitionKey => Lane::of_key(page.names().key(index)),
                Order::Shard => Lane::SHARD,
                Order::None => Lane::Free,
            };
            let (page, number) = (Arc::clone(&page), first + index as u64);
            self.reading.waiting.push(
                lane,
                Job {
                    page,
                    index,
                    attempt: NonZeroU32::MIN,
                    parcel: None,
                    unstored: 0,
                    replies: None,
                    number,
                    reading: self.reading.number,
                },
                now,
            );
        }
        let window = self.reading.mark.window();
        self.health.write(|health| {
            health.behind = behind;
            health.window = window;
        });
    }
}
