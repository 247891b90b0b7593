//! What the weather does for a while, and ends by itself.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::World;
use crate::trace::MachineId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spell {
    /// Or suspended.
    Still(MachineId),
    CutOff(MachineId),
    /// A machine was lost, and another takes its place.
    Missing,
}

impl World {
    /// Lets time pass, and spells end when they are over.
    pub(super) async fn pass(&mut self, time: Duration) {
        let until = Instant::now() + time;
        loop {
            let next = self.spells.iter().map(|(at, _)| *at).min();
            match next.filter(|at| *at <= until) {
                None => return sleep_until(until).await,
                Some(at) => {
                    sleep_until(at).await;
                    let place = self.spells.iter().position(|(due, _)| *due == at);
                    if let Some(place) = place {
                        let (_, spell) = self.spells.remove(place);
                        self.lift(spell);
                    }
                }
            }
        }
    }

    pub(super) fn lift(&mut self, spell: Spell) {
        let found = |id| self.machines.iter().find(|machine| machine.id == id);
        match spell {
            Spell::Still(id) => {
                if let Some(machine) = found(id) {
                    machine.thaw();
                }
            }
            Spell::CutOff(id) => {
                if let Some(machine) = found(id) {
                    machine.link.restore();
                    self.deed(format!("{id} is connected"));
                }
            }
            Spell::Missing => self.start(),
        }
    }
}
