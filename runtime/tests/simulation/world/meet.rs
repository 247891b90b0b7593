//! The weather comes.

use std::time::Duration;

use tokio::time::Instant;

use super::{World, spells::Spell};
use crate::weather::Weather;

impl World {
    pub(super) fn meet(&mut self, weather: Weather) {
        match weather {
            Weather::Put(count) => self.put(count),
            Weather::Split => self.split(),
            Weather::Merge => self.merge(),
            Weather::Trim => self.trim(),
            Weather::Recreate if self.nature.recreates => self.recreate(),
            Weather::Kinesis(fault) => {
                self.counts.faults += 1;
                self.deed(format!("{fault:?}"));
                self.kinesis.fault(fault);
            }
            Weather::Table(faults) => {
                self.counts.faults += 1;
                for fault in faults {
                    self.deed(format!("{fault:?}"));
                    self.kinesis.dynamodb().fault(fault);
                }
            }
            Weather::Freeze(time) => {
                if let Some(place) = self.any_at_large() {
                    let machine = &self.machines[place];
                    machine.freeze();
                    self.counts.freezes += 1;
                    let spell = Spell::Still(machine.id);
                    self.spells.push((Instant::now() + time, spell));
                }
            }
            Weather::Suspend(time) => {
                if let Some(place) = self.any_at_large()
                    && self.has_steady_clocks(place)
                {
                    self.shake(place, time);
                    let machine = &self.machines[place];
                    machine.suspend();
                    self.counts.freezes += 1;
                    let spell = Spell::Still(machine.id);
                    self.spells.push((Instant::now() + time, spell));
                }
            }
            Weather::Outage(time) => {
                if let Some(place) = self.any_at_large() {
                    let machine = &self.machines[place];
                    machine.link.cut();
                    self.deed(format!("{} is cut off", machine.id));
                    let spell = Spell::CutOff(machine.id);
                    self.spells.push((Instant::now() + time, spell));
                }
            }
            Weather::Kill => {
                if let Some(place) = self.any() {
                    self.kill(place);
                }
            }
            Weather::Blackout if self.nature.ignores => {
                while let Some(place) = self.any() {
                    self.kill(place);
                }
            }
            Weather::Stop => {
                if let Some(place) = self.any_at_large() {
                    self.machines[place].stop();
                }
            }
            Weather::Resize => self.resize(),
            Weather::Clock(ahead) => {
                if let Some(place) = self.any()
                    && self.has_steady_clocks(place)
                {
                    self.shake(place, Duration::ZERO);
                    self.machines[place].set_clock(ahead);
                }
            }
            Weather::Recreate | Weather::Blackout | Weather::Nothing => {}
        }
    }
}
