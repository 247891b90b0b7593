//! Rules 9 and 10: what the table says of a machine, the machine says too; and it stops when it is told to.

use std::{collections::BTreeMap, time::Duration};

use super::{Violation, breach, leases::LEASE, state::State};
use crate::trace::{Deed, Event, MachineId, What};

/// A machine that holds a lease works on it within this many words of its own, of one every ten seconds, or leaves it to others. Takes
/// that are carried out late and never answered may lie between: two tries, the time of a late write, a lease that has to be seen dead.
const WORDS: u32 = 9;

/// The timeout for handlers, as much again for the hook, and a lease duration for a store that does not answer.
const STOP_WITHIN: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
pub(super) struct Lives {
    unsaid: BTreeMap<(MachineId, String), u32>,
    stopping: BTreeMap<MachineId, Duration>,
    frozen: BTreeMap<MachineId, Duration>,
}

impl Lives {
    pub(super) fn see(&mut self, state: &State, event: &Event, found: &mut Vec<Violation>) {
        match &event.what {
            What::Works {
                machine, shards, ..
            } => self.works(state, *machine, shards, found),
            What::Deed(Deed::Stopping(machine)) => {
                self.stopping.insert(*machine, event.at);
            }
            What::Deed(Deed::Frozen(machine) | Deed::Suspended(machine)) => {
                self.frozen.insert(*machine, event.at);
            }
            What::Deed(Deed::Thawed(machine)) => {
                // Time in which it could do nothing is not counted.
                if let (Some(since), Some(stopping)) =
                    (self.frozen.remove(machine), self.stopping.get_mut(machine))
                {
                    *stopping += event.at.saturating_sub(since.max(*stopping));
                }
            }
            What::Deed(Deed::Stopped { machine, .. }) => {
                let took = self
                    .stopping
                    .remove(machine)
                    .map_or(Duration::ZERO, |since| event.at.saturating_sub(since));
                if took > STOP_WITHIN {
                    breach(found, state, 10, format!("{machine} took {took:?} to stop"));
                }
            }
            What::Deed(Deed::Killed(machine)) => {
                self.stopping.remove(machine);
            }
            _ => {}
        }
    }

    /// Whoever was told to stop had more time than that before the run was over.
    pub(super) fn end(&self, state: &State, found: &mut Vec<Violation>) {
        for machine in self.stopping.keys() {
            breach(found, state, 10, format!("{machine} never stopped"));
        }
    }

    fn works(
        &mut self,
        state: &State,
        machine: MachineId,
        shards: &[String],
        found: &mut Vec<Violation>,
    ) {
        for (shard_id, standing) in &state.rows {
            let place = (machine, shard_id.clone());
            // What is gone has no work, and is finished in its time.
            let stream = state.stream_of(standing.row.generation);
            let is_gone = stream.is_some_and(|stream| stream.has_lost(shard_id));
            // A lease that nobody renews is held by nobody: it may wait for its shard's parents, which a seek made unfinished.
            let is_dead = state.time.saturating_sub(standing.since) > LEASE;
            let is_held = standing.holder == Some(machine) && !is_dead && !is_gone;
            if !is_held || shards.contains(shard_id) {
                self.unsaid.remove(&place);
                continue;
            }
            let words = self.unsaid.entry(place).or_default();
            *words += 1;
            if *words == WORDS {
                breach(
                    found,
                    state,
                    9,
                    format!("{machine} holds {shard_id} and does not work on it"),
                );
            }
        }
    }
}
