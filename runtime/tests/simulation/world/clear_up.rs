//! The end of a run: whatever the weather left is done, in its time.

use std::{sync::atomic::Ordering, time::Duration};

use tokio::time::{Instant, sleep};

use super::{Run, World};
use crate::trace::Left;

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
        loop {
            sleep(Duration::from_secs(5)).await;
            self.machines.retain(|machine| !machine.is_over());
            if self.machines.is_empty() {
                self.start();
            }
            match self.trace.left() {
                // A shard that stays open is read again by its next owner.
                Left::Held if !deployed => {
                    deployed = true;
                    self.stop_all();
                }
                Left::Held | Left::Some if Instant::now() < until => {}
                Left::Nothing | Left::Held | Left::Some => break,
            }
        }
        self.stop_all();
        sleep(Duration::from_secs(45)).await;
        self.evidence()
    }

    fn stop_all(&mut self) {
        for machine in &mut self.machines {
            machine.stop();
        }
    }
}
