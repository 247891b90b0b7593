//! The end of a run: whatever the weather left is done, in its time.

use std::{sync::atomic::Ordering, time::Duration};

use tokio::time::{Instant, sleep};

use super::{Run, World};
use crate::{
    machine::TABLE,
    trace::{Left, What},
};

/// What may take that long afterwards: retries of half a minute each, one after the other, and leases that must die first.
const PATIENCE: Duration = Duration::from_mins(10);

impl World {
    /// The weather is over: everything gets the time that it needs.
    pub(super) async fn clear_up(mut self) -> Run {
        self.kinesis.clear_faults();
        self.kinesis.dynamodb().clear_faults();
        self.hurry.store(true, Ordering::Relaxed);
        for (_, spell) in std::mem::take(&mut self.spells) {
            self.lift(spell);
        }
        self.deed("the weather clears up".into());
        let until = Instant::now() + PATIENCE;
        let mut deployed = false;
        let start_millis = loop {
            sleep(Duration::from_secs(5)).await;
            self.machines.retain(|machine| !machine.is_over());
            if self.machines.is_empty() {
                self.start();
            }
            let start = self.stored_start();
            match self.left(start) {
                // A shard that stays open is read again by its next owner.
                Left::Held if !deployed => {
                    deployed = true;
                    self.stop_all();
                }
                Left::Held | Left::Some if Instant::now() < until => {}
                Left::Nothing | Left::Held | Left::Some => break start,
            }
        };
        self.stop_all();
        sleep(Duration::from_secs(45)).await;
        self.evidence(start_millis)
    }

    fn stop_all(&mut self) {
        for machine in &mut self.machines {
            machine.stop();
        }
    }

    fn left(&self, start_millis: Option<i64>) -> Left {
        let events = self.trace.events();
        let wanted = events.iter().filter_map(|event| match event.what {
            What::Put {
                record,
                arrival_millis,
                ..
            } if start_millis.is_none_or(|start| arrival_millis >= start) => Some(record),
            _ => None,
        });
        self.trace.left_of(wanted)
    }

    /// As the stream's row says; none is the horizon, or no row yet.
    fn stored_start(&self) -> Option<i64> {
        let rows = self.kinesis.dynamodb().rows(TABLE);
        let start = rows.iter().find_map(|row| row.get("start_ms"))?;
        start.as_n().ok()?.parse().ok()
    }
}
