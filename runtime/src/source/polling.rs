//! One shard, read page by page with GetRecords.

use std::{sync::Arc, time::Duration};

use aws_sdk_kinesis::types::{ChildShard, Record};
use kinesis_app_rules::defaults;
use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};

use super::{
    budget::{Account, Held},
    feed::Opened,
    kinesis::{Anchor, Kinesis},
    pace,
};
use crate::{
    dispatch::retry::Backoff,
    planted::{Bug, planted},
    pulse::Pulse,
    record::page::Page,
    service_error::{Class, ServiceError},
    shards::ListedShard,
    telemetry::{board::Line, observer::PageRead},
};

/// What a source hands on, in the order of the shard.
#[derive(Debug)]
pub(crate) enum Event {
    /// Records, in order. Never empty.
    Page(Page),
    /// A read that brought nothing, and how far behind the tip it was.
    Nothing { behind: Duration },
    /// The shard is closed and read to its end. An emulator may name no children; a listing does.
    End { children: Vec<ListedShard> },
    /// The shard does not exist any more; what was unread is gone.
    Vanished(ServiceError),
    /// No call of this kind will succeed.
    Fatal(ServiceError),
}

/// A polling reader of one shard.
#[derive(Debug)]
pub(crate) struct Polling {
    pub(crate) kinesis: Kinesis,
    pub(crate) shard_id: Arc<str>,
    pub(crate) batch_size: Option<u32>,
    pub(crate) interval: Duration,
    pub(crate) backoff: Backoff,
    pub(crate) health: Arc<Line>,
    pub(crate) opened: Opened,
}

impl Polling {
    /// Reads from an anchor, with an iterator for it if there is one, until the shard ends, no call can succeed, or the receiver is gone.
    pub(super) async fn run(
        self: Arc<Self>,
        account: Arc<Account>,
        (mut anchor, mut iterator): (Anchor, Option<String>),
        pages: mpsc::Sender<Event>,
        pulse: Arc<Pulse>,
    ) {
        let checkpoint = anchor.clone();
        if iterator.is_some() {
            self.opened.tell();
        }
        let mut failures = 0_u32;
        let mut record_bytes = defaults::UNKNOWN_RECORD_BYTES;
        let mut due = Instant::now();
        loop {
            // A page is asked for when there is room for it, so that at most one waits unseen.
            pulse.waits();
            let Ok(room) = pages.reserve().await else {
                return;
            };
            pulse.until(due);
            sleep_until(due).await;
            pulse.waits();
            let held = account.admit().await;
            let limit = smaller(self.batch_size, held.records(record_bytes));
            let sent = Instant::now();
            pulse.until(sent + defaults::ATTEMPT_TIMEOUT_KINESIS);
            let read = match iterator.take() {
                Some(iterator) => self.read(iterator, limit, held).await,
                None => match self.kinesis.iterator(&self.shard_id, &anchor).await {
                    Ok(first) => {
                        self.opened.tell();
                        pulse.until(Instant::now() + defaults::ATTEMPT_TIMEOUT_KINESIS);
                        self.read(first, limit, held).await
                    }
                    Err(error) => Err((None, error)),
                },
            };
            match read {
                Ok(read) => {
                    failures = 0;
                    self.health.answered();
                    let page = PageRead::new(read.records, read.bytes, read.behind);
                    self.health
                        .tell(|observer, shard| observer.read(shard, &page));
                    let done = pace::Done {
                        sent,
                        answered: Instant::now(),
                        bytes: read.bytes,
                        behind: read.behind,
                    };
                    due = pace::next(done, self.interval);
                    // Only what was read moves the anchor: an iterator that expires is rebuilt from here and skips nothing.
                    if let Some(sequence) = read.last {
                        anchor = Anchor::After { sequence };
                    }
                    if let Some(bytes) = read.bytes.checked_div(read.records) {
                        record_bytes = bytes.max(1);
                    }
                    let event = read.page.map_or(
                        Event::Nothing {
                            behind: read.behind,
                        },
                        Event::Page,
                    );
                    room.send(event);
                    match read.next {
                        Next::Iterator(next) => iterator = Some(next),
                        Next::Anchor => {}
                        Next::End { children } => {
                            // Nobody may be there to hear it; then nobody needs to.
                            pulse.waits();
                            let _ = pages.send(Event::End { children }).await;
                            return;
                        }
                    }
                }
                Err((kept, error)) => match error.class() {
                    // An iterator that waited for room expires, and the next one is read from at once. One that was just made does not.
                    Class::Expired if failures == 0 => {
                        tracing::debug!(shard = %self.shard_id, ?anchor, "iterator expired");
                        failures += 1;
                        if planted(Bug::IteratorFromCheckpoint) {
                            anchor = checkpoint.clone();
                        }
                        due = sent + defaults::CATCH_UP_INTERVAL;
                    }
                    Class::NotFound => return room.send(Event::Vanished(error)),
                    Class::AccessDenied | Class::Invalid => return room.send(Event::Fatal(error)),
                    Class::Throttled | Class::Transient | Class::InUse | Class::Expired => {
                        failures += 1;
                        self.health.failed(&error);
                        self.health
                            .tell(|observer, shard| observer.read_failed(shard, &error));
                        let wait = self.backoff.wait(failures);
                        // A jitter may be next to nothing, and what failed counts among the reads of a second.
                        due = (Instant::now() + wait).max(sent + defaults::CATCH_UP_INTERVAL);
                        if failures < defaults::MANY_FAILURES {
                            tracing::debug!(shard = %self.shard_id, failures, ?wait, %error, "read failed");
                        } else {
                            tracing::warn!(shard = %self.shard_id, failures, ?wait, %error, "read failed");
                        }
                        iterator = kept;
                    }
                },
            }
        }
    }

    /// One GetRecords. A failure gives the iterator back, which a retry of the same read needs.
    async fn read(
        &self,
        iterator: String,
        limit: Option<u32>,
        mut held: Held,
    ) -> Result<ReadPage, (Option<String>, ServiceError)> {
        let answer = match self.kinesis.get_records(&iterator, limit).await {
            Ok(answer) => answer,
            Err(error) if error.class() == Class::Expired => return Err((None, error)),
            Err(error) => return Err((Some(iterator), error)),
        };
        let behind = Duration::from_millis(
            answer
                .millis_behind_latest
                .unwrap_or_default()
                .unsigned_abs(),
        );
        let mut records = answer.records;
        let (bytes, count) = (records.iter().map(size).sum(), records.len());
        let kept = held.room_for(records.iter().map(size)).min(count);
        let next = if kept < count {
            tracing::debug!(shard = %self.shard_id, bytes, count, kept, "a page larger than the room for it was cut");
            records.truncate(kept);
            Next::Anchor
        } else {
            next(answer.next_shard_iterator, answer.child_shards)
        };
        held.settle(records.iter().map(size).sum());
        Ok(ReadPage {
            last: records.last().map(|record| record.sequence_number.clone()),
            page: (!records.is_empty()).then(|| Page::new(records, behind, held)),
            bytes,
            records: count,
            behind,
            next,
        })
    }
}

/// What the service answered, and of it the page that there was room for.
struct ReadPage {
    page: Option<Page>,
    last: Option<String>,
    bytes: usize,
    records: usize,
    behind: Duration,
    next: Next,
}

/// Where the next read begins.
enum Next {
    Iterator(String),
    /// Behind the last record that was kept.
    Anchor,
    End {
        children: Vec<ListedShard>,
    },
}

fn next(iterator: Option<String>, children: Option<Vec<ChildShard>>) -> Next {
    match iterator {
        Some(iterator) => Next::Iterator(iterator),
        None => Next::End {
            children: children
                .unwrap_or_default()
                .into_iter()
                .map(|child| ListedShard {
                    shard_id: child.shard_id,
                    parents: child.parent_shards,
                })
                .collect(),
        },
    }
}

fn size(record: &Record) -> usize {
    record.data.as_ref().len() + record.partition_key.as_deref().map_or(0, str::len)
}

fn smaller(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
