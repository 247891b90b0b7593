//! Readings that begin while others still run.

use kinesis_app_rules::defaults;

use super::{
    Desk, Prefetch, Reading, holds::Holds, phase::Phase, source::Source, waiting::Waiting,
};
use crate::{
    dispatch::worker::Exit,
    leases::{generation::Known, readings::Turn, tenure::Tenure},
    planted::{Bug, planted},
    source::kinesis::Anchor,
    telemetry::health::Activity,
};

impl Desk {
    pub(in crate::dispatch) fn reading(&self) -> u64 {
        self.reading.number
    }

    /// The worker was told something. Whoever is on the way out stays so: what he was told is for his successor.
    pub(in crate::dispatch) fn turn(&mut self, turn: Turn, tenure: &Tenure, known: &Known) {
        if matches!(self.phase, Phase::Leaving { .. } | Phase::Left(_)) {
            return;
        }
        let readings = tenure.readings();
        match turn {
            Turn::Adopt {
                generation,
                begins_at,
            } if generation > readings.generation() => {
                let number = readings.adopt(generation);
                tracing::info!(stream = self.stream, shard = %self.shard_id, generation, ?begins_at, "shard is read in another generation");
                self.begin_reading(number, begins_at.into());
                self.feed
                    .begin_with(known.take_iterator(generation, &self.shard_id));
            }
            Turn::Rewound {
                reading,
                sequence,
                iterator,
            } if reading == readings.current() => {
                tracing::info!(stream = self.stream, shard = %self.shard_id, sequence, "shard is read from a record again");
                self.begin_reading(reading, Anchor::At { sequence });
                self.feed.begin_with(Some(iterator));
            }
            // Something later was told and done.
            Turn::Adopt { .. } | Turn::Rewound { .. } => {}
            Turn::HandOver if planted(Bug::GrantBeforeHandlersEnd) => {
                self.feed.close();
                self.phase = Phase::Left(Some(Exit::Stopped));
            }
            Turn::HandOver => self.leave(Exit::Stopped, defaults::HANDOVER),
            Turn::GiveBack => self.leave(Exit::Outdated, defaults::HANDOVER),
        }
    }

    /// What waits is dropped; what runs goes on, settles nothing, and holds its key until it ends.
    fn begin_reading(&mut self, number: u64, start: Anchor) {
        #[cfg(feature = "testing")]
        self.health.reads_from(&start);
        self.reading.drop_waiting();
        self.settled_before += self.reading.mark.settled();
        let empty = Waiting::new(self.rules.batch);
        let waiting = std::mem::replace(&mut self.reading.waiting, empty);
        self.reading = Reading::from(number, start.clone(), waiting);
        self.unpublished = 0;
        self.holds = Holds::default();
        self.prefetch = Prefetch::Unwatched;
        self.source = Source::Speaking;
        self.phase = Phase::Reading;
        // Pages that handlers of the last reading keep do not keep this one from reading.
        self.feed.renew_account();
        self.feed.go_to(start);
        self.health.write(|health| {
            health.activity = Activity::Reading;
            health.window = 0;
            health.held = None;
            health.unstored = None;
        });
        self.health.letters(0, None);
    }
}
