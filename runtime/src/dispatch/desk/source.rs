//! What a worker hears from its source, and does when it hears nothing.

use std::task::{Context, Poll};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::{Desk, phase::Phase};
use crate::{
    dispatch::worker::Exit, service_error::ServiceError, source::polling::Event,
    telemetry::health::Activity,
};

/// What the source is trusted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Speaking,
    /// It was silent, and has said nothing since it was built anew.
    Rebuilt,
}

impl Desk {
    /// A page is taken in when the last one is nearly begun and the window has room. Until then it waits in the channel, and the source
    /// waits with it.
    fn reads(&self) -> bool {
        matches!(self.phase, Phase::Reading)
            && self.reading.waiting.ready() < self.rules.nearly_begun()
            && self.reading.mark.window() < self.rules.window
            && !self.prefetch.rests()
    }

    pub(in crate::dispatch) fn poll_source(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        if self.reads() {
            self.feed.poll_next(cx)
        } else {
            Poll::Pending
        }
    }

    pub(in crate::dispatch) fn take_in(&mut self, event: Option<Event>) {
        if event.is_some() && self.source == Source::Rebuilt {
            self.source = Source::Speaking;
            self.health
                .write(|health| health.activity = Activity::Reading);
        }
        match event {
            Some(Event::Page(page)) => self.deliver(page),
            Some(Event::Nothing { behind }) => self.health.write(|health| health.behind = behind),
            Some(Event::End { children }) => {
                self.health
                    .write(|health| health.activity = Activity::Ending);
                self.phase = Phase::Draining(Some(Exit::ShardEnd {
                    children,
                    reading: self.reading.number,
                }));
            }
            Some(Event::Vanished(error)) => {
                self.phase = Phase::Draining(Some(Exit::Vanished(error)));
            }
            Some(Event::Fatal(error)) => self.fail(error),
            // A source ends with a word of its own, unless it panicked.
            None => self.rebuild_source("it ended without a word"),
        }
    }

    fn fail(&mut self, error: ServiceError) {
        tracing::debug!(stream = self.stream, shard = %self.shard_id, %error, "shard cannot be read any more");
        self.leave(Exit::Fatal(error), defaults::HANDOVER);
    }

    pub(super) fn mind_source(&mut self, now: Instant) {
        if matches!(self.phase, Phase::Reading) && self.feed.silent_at().is_some_and(|at| now >= at)
        {
            self.rebuild_source("it reports nothing");
        }
    }

    /// A source that is silent or gone is built anew behind the last record that it delivered: what is being handled hears nothing of it.
    /// One that says nothing even then costs the lease: another process may fare better.
    fn rebuild_source(&mut self, why: &'static str) {
        match self.source {
            Source::Speaking => {
                tracing::error!(stream = self.stream, shard = %self.shard_id, why, "source is built anew");
                self.source = Source::Rebuilt;
                self.health
                    .write(|health| health.activity = Activity::Silent);
                let delivered = self.reading.mark.delivered();
                self.feed.go_to(self.reading.anchor(delivered));
            }
            Source::Rebuilt => {
                tracing::error!(stream = self.stream, shard = %self.shard_id, why, "source was built anew in vain; the lease is given back");
                self.leave(Exit::Silent, defaults::HANDOVER);
            }
        }
    }
}
