//! The machines: who is there, and who takes whose place.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{MACHINES, World, spells::Spell};
use crate::{
    app::Desk,
    machine::{Birth, Machine},
    trace::MachineId,
};

/// A lease duration: no tenure that met the one clock as it was meets the other.
const STEADY_AFTER: Duration = Duration::from_secs(10);

const MOST_MACHINES: usize = 6;

impl World {
    pub(super) fn any(&mut self) -> Option<usize> {
        let count = self.machines.len();
        (count > 0).then(|| self.rng.usize(0..count))
    }

    /// One that is neither standing still nor cut off.
    pub(super) fn any_at_large(&mut self) -> Option<usize> {
        let place = self.any()?;
        let id = self.machines[place].id;
        let held = self
            .spells
            .iter()
            .any(|(_, spell)| *spell == Spell::Still(id) || *spell == Spell::CutOff(id));
        (!held).then_some(place)
    }

    pub(super) fn kill(&mut self, place: usize) {
        let machine = self.machines.swap_remove(place);
        self.counts.deaths += 1;
        machine.kill();
        self.miss();
    }

    /// Whether nothing happened to its clocks lately. A deadline that both of them are late for, for one stood still and the other was set
    /// back, is kept by nobody.
    pub(super) fn has_steady_clocks(&self, place: usize) -> bool {
        let shaken = self.shaken.get(&self.machines[place].id);
        shaken.is_none_or(|until| *until <= Instant::now())
    }

    pub(super) fn shake(&mut self, place: usize, time: Duration) {
        let until = Instant::now() + time + STEADY_AFTER;
        self.shaken.insert(self.machines[place].id, until);
    }

    /// Machines that are over, by a stop or by themselves, are replaced after a while, unless the fleet is smaller now.
    pub(super) fn replace(&mut self) {
        self.machines.retain(|machine| !machine.is_over());
        let missed = self
            .spells
            .iter()
            .filter(|(_, spell)| *spell == Spell::Missing);
        for _ in self.machines.len() + missed.count()..self.fleet {
            self.miss();
        }
    }

    /// The fleet grows by one, or a machine leaves and is not replaced.
    pub(super) fn resize(&mut self) {
        if self.fleet < MOST_MACHINES && self.rng.bool() {
            self.fleet += 1;
            self.start();
        } else if self.fleet > MACHINES
            && let Some(place) = self.any_at_large()
        {
            self.fleet -= 1;
            self.machines[place].stop();
        }
    }

    pub(super) fn miss(&mut self) {
        let back = Duration::from_millis(self.rng.u64(100..15_000));
        self.spells.push((Instant::now() + back, Spell::Missing));
    }

    pub(super) fn start(&mut self) {
        self.born += 1;
        let machine = MachineId(self.born);
        let birth = Birth {
            desk: Desk {
                machine,
                trace: self.trace.clone(),
                seed: self.seed,
                shape: self.nature.shape,
                hurry: Arc::clone(&self.hurry),
                holds: self.nature.holds,
                seeks: Arc::clone(&self.handlers_seek),
                batches: Arc::default(),
            },
            link: self.kinesis.link(&self.born.to_string()),
            clock: self.kinesis.clock(),
            setup: self.nature.setup.clone(),
            seed: self.seed * 1_000 + u64::from(self.born),
        };
        self.machines.push(Machine::start(birth));
    }
}
