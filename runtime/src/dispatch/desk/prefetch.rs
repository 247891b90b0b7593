//! What a shard that stands still does with the pages it has read ahead.

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::{Desk, phase::Phase};
use crate::{dispatch::worker::Exit, telemetry::health::Activity};

/// A shard that began nothing for a while gives its unread pages back if others are short of room. With room for all it keeps them:
/// to read them again would cost reads that the shard's other consumers need.
#[derive(Debug, Default)]
pub(super) enum Prefetch {
    #[default]
    Unwatched,
    /// So many had begun when the watch was set; it ends then.
    Watched { begins: u64, until: Instant },
    /// Nothing is read until a record ends, or until then.
    Returned { until: Instant },
}

impl Prefetch {
    pub(super) fn rests(&self) -> bool {
        matches!(self, Self::Returned { .. })
    }

    /// A slot is free, or a lane moves.
    pub(super) fn moved(&mut self) {
        if self.rests() {
            *self = Self::Unwatched;
        }
    }
}

impl Desk {
    /// When to look after the pages. The watch costs a clock reading every few seconds, and none per record.
    pub(super) fn next_return(&mut self) -> Option<Instant> {
        match self.prefetch {
            Prefetch::Watched { until, .. } | Prefetch::Returned { until } => Some(until),
            Prefetch::Unwatched if self.has_unread() => {
                let until = Instant::now() + defaults::PREFETCH_IDLE;
                let begins = self.reading.begins;
                self.prefetch = Prefetch::Watched { begins, until };
                Some(until)
            }
            Prefetch::Unwatched => None,
        }
    }

    fn has_unread(&self) -> bool {
        self.reading.mark.delivered() > self.reading.front || self.feed.waits()
    }

    pub(super) fn mind_prefetch(&mut self, now: Instant, has_idle_slot: bool) {
        match self.prefetch {
            Prefetch::Watched { begins, until } if now >= until => {
                self.prefetch = Prefetch::Unwatched;
                if begins == self.reading.begins && self.feed.account().is_short() {
                    self.return_unread(now, has_idle_slot);
                }
            }
            Prefetch::Returned { until } if now >= until => {
                self.prefetch = if has_idle_slot {
                    Prefetch::Unwatched
                } else {
                    // Nothing could begin anyway.
                    self.resting(now)
                };
            }
            _ => {}
        }
    }

    fn resting(&self, now: Instant) -> Prefetch {
        Prefetch::Returned {
            until: now + self.rules.backoff.max,
        }
    }

    /// Drops what lies behind the last begun record, to be read again. What lies before it is not read again, so it is kept, each record
    /// by itself.
    fn return_unread(&mut self, now: Instant, has_idle_slot: bool) {
        match &self.phase {
            Phase::Reading => {}
            Phase::Draining(Some(Exit::ShardEnd { .. })) => {
                self.phase = Phase::Reading;
                self.health
                    .write(|health| health.activity = Activity::Reading);
            }
            // There is nothing to read it from.
            _ => return,
        }
        let has_unseen = self.feed.has_unseen();
        let reading = &mut self.reading;
        let (front, account) = (reading.front, self.feed.account());
        let unread = reading.mark.delivered() - front;
        reading.waiting.cut(front);
        reading.mark.truncate(front);
        for job in reading.waiting.waiting_mut() {
            job.leave_page(account);
        }
        tracing::debug!(stream = self.stream, shard = %self.shard_id, unread, "unread pages are given back");
        self.feed.renew_account();
        self.feed.go_to(reading.anchor(front));
        let window = reading.mark.window();
        self.health.write(|health| health.window = window);
        // With nothing to give back it stood still for want of room, which it has now.
        self.prefetch = if unread == 0 && !has_unseen && has_idle_slot {
            Prefetch::Unwatched
        } else {
            self.resting(now)
        };
    }
}
