//! What is told of records: how many ended in which way, and how far the shard is done with.

use super::Desk;
use crate::{
    dispatch::outcome::Verdict, leases::tenure::Tenure, telemetry::observer::RecordCounts,
};

impl Desk {
    pub(super) fn count(&mut self, verdict: &Verdict) {
        self.counts.failed_attempts += u64::from(verdict.is_failure());
        match verdict {
            Verdict::TimedOut(_) => self.counts.timeouts += 1,
            Verdict::Undecodable(_) => self.counts.undecodable += 1,
            _ => {}
        }
    }

    /// What has happened is told, also by a worker whose lease is lost.
    pub(in crate::dispatch) fn tell_counts(&mut self) {
        self.stopwatch.read(&mut self.counts);
        let none = RecordCounts::of(self.rules.label);
        if self.counts != none {
            self.health.counted(&self.counts);
            self.counts = none;
        }
    }

    pub(in crate::dispatch) fn unpublished(&self) -> u32 {
        self.unpublished
    }

    /// Hands on how far the shard is done with. Two locks that hardly anybody else takes: cheap, but not free.
    pub(in crate::dispatch) fn publish(&mut self, tenure: &Tenure) {
        self.tell_counts();
        if std::mem::take(&mut self.unpublished) == 0 {
            return;
        }
        let mark = &self.reading.mark;
        if let Some(sequence) = mark.checkpoint() {
            tenure
                .readings()
                .publish(self.reading.number, sequence.clone());
        }
        let (settled, window) = (self.settled_before + mark.settled(), mark.window());
        // What was held in the reading before has settled when the mark moves: it came first.
        let held = self.holds.any();
        self.health.write(|health| {
            health.settled = settled;
            health.window = window;
            if !held {
                health.held = None;
            }
        });
    }
}
