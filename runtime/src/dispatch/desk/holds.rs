//! Records that were left unhandled: the key goes on, the checkpoint does not.

use tokio::time::Instant;

use super::{
    Desk, Job, Reading,
    phase::Phase,
    prefetch::Prefetch,
    waiting::{Place, Waiting},
};
use crate::{
    dispatch::worker::Exit,
    planted::{Bug, planted},
    record::text::SharedText,
    telemetry::health::Activity,
};

/// The held records of one reading.
#[derive(Debug, Default)]
pub(super) struct Holds {
    count: u64,
    first: Option<First>,
    /// The first one of the reading before: if it is held again, it has been so all along.
    before: Option<First>,
    restart_at: Option<Instant>,
}

#[derive(Debug)]
struct First {
    number: u64,
    sequence: SharedText,
    since: Instant,
}

impl Holds {
    pub(super) fn any(&self) -> bool {
        self.count > 0
    }

    fn add(&mut self, number: u64, sequence: SharedText, now: Instant) {
        self.count += 1;
        if self
            .first
            .as_ref()
            .is_some_and(|first| first.number < number)
        {
            return;
        }
        let before = self.before.as_ref();
        let since = before
            .filter(|before| before.sequence == sequence)
            .map_or(now, |before| before.since);
        self.first = Some(First {
            number,
            sequence,
            since,
        });
    }

    fn next_reading(&mut self) {
        *self = Self {
            before: self.first.take(),
            ..Self::default()
        };
    }
}

impl Desk {
    pub(super) fn hold(&mut self, place: Place, job: &Job) {
        let sequence = job.page.names().shared_sequence(job.index);
        tracing::warn!(stream = self.stream, shard = %self.shard_id, %sequence, "record held by its handler");
        self.reading.waiting.end(place);
        self.counts.held += 1;
        self.holds.add(job.number, sequence, Instant::now());
        if let Some(first) = &self.holds.first {
            let (count, sequence, since) = (self.holds.count, first.sequence.clone(), first.since);
            self.health.held(count, &sequence, since);
        }
    }

    /// A shard that can only go on with its held records starts again at the first of them after the longest back-off.
    pub(super) fn next_restart(&mut self) -> Option<Instant> {
        let first = self.holds.first.as_ref()?.number;
        if self.holds.restart_at.is_none() && self.waits_for_held(first) {
            self.holds.restart_at = Some(Instant::now() + self.rules.backoff.max);
        }
        self.holds.restart_at
    }

    fn waits_for_held(&self, first: u64) -> bool {
        let mark = &self.reading.mark;
        match &self.phase {
            Phase::Draining(Some(Exit::ShardEnd { .. })) => self.reading.waiting.is_empty(),
            // What can still be handled comes first: it would be thrown away, and never come to its turn.
            Phase::Reading => {
                mark.window() >= self.rules.window
                    && mark.settled() == first
                    && self.reading.waiting.ready() == 0
            }
            _ => false,
        }
    }

    pub(super) fn mind_holds(&mut self, now: Instant) {
        // A stop that is under way stays one.
        let goes_on = matches!(self.phase, Phase::Reading | Phase::Draining(_));
        if goes_on && self.holds.restart_at.is_some_and(|at| now >= at) {
            self.reading.drop_waiting();
            self.feed.close();
            self.phase = Phase::Restarting;
        }
    }

    /// Begins the next reading. Nothing of the last one is left that could settle.
    pub(super) fn read_anew(&mut self) {
        let settled = if planted(Bug::RestartBehindHeld) {
            self.reading.mark.delivered()
        } else {
            self.reading.mark.settled()
        };
        let start = self.reading.anchor(settled);
        #[cfg(feature = "testing")]
        self.health.reads_from(&start);
        tracing::info!(stream = self.stream, shard = %self.shard_id, held = self.holds.count, ?start, "shard is read again from its first held record");
        self.settled_before += settled;
        self.holds.next_reading();
        let empty = Waiting::new(self.rules.batch);
        let waiting = std::mem::replace(&mut self.reading.waiting, empty);
        self.reading = Reading::from(self.reading.number, start.clone(), waiting);
        self.feed.go_to(start);
        self.prefetch = Prefetch::Unwatched;
        self.phase = Phase::Reading;
        self.health.write(|health| {
            health.activity = Activity::Reading;
            health.unstored = None;
        });
        self.health.letters(0, None);
    }
}
