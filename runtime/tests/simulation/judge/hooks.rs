//! Rule 5 for shard hooks: `#[on_shard_start]`, the records, `#[on_shard_end]`, the end.

use std::collections::{BTreeMap, BTreeSet};

use super::{Violation, breach, state::State};
use crate::{
    app::Shape,
    trace::{Event, Handling, Hook, HookCall, MachineId, RowChange, SHARD_END, Step, What},
};

type Place = (MachineId, String);

#[derive(Debug)]
pub(super) struct Hooks {
    shape: Shape,
    /// Tenures whose first hook has succeeded.
    started: BTreeSet<(Place, u64)>,
    /// The generation of the stream when a tenure's last hook began.
    ending: BTreeMap<HookCall, u64>,
    /// The token and the generation with which a machine's last hook has succeeded.
    ended: BTreeMap<Place, (u64, u64)>,
    /// The counter with which a shard's lease came to its session.
    taken_at: BTreeMap<String, u64>,
}

impl Hooks {
    pub(super) fn of(shape: Shape) -> Self {
        Self {
            shape,
            started: BTreeSet::new(),
            ending: BTreeMap::new(),
            ended: BTreeMap::new(),
            taken_at: BTreeMap::new(),
        }
    }

    pub(super) fn see(&mut self, state: &State, event: &Event, found: &mut Vec<Violation>) {
        if !self.shape.has_sinks() {
            return;
        }
        match &event.what {
            What::Hook(call, step) => match (call.hook, step) {
                (Hook::Start, Step::Succeeded) => {
                    self.started.insert((place(call), call.token));
                }
                (Hook::End, Step::Begun) => {
                    let generation = state.last_generation().unwrap_or_default();
                    self.ending.insert(call.clone(), generation);
                    ends(state, call, found);
                }
                (Hook::End, Step::Succeeded) => {
                    let generation = self.ending.get(call).copied().unwrap_or_default();
                    self.ended.insert(place(call), (call.token, generation));
                }
                _ => {}
            },
            What::Begun(handling) => self.begins(state, handling, found),
            What::Row { machine, change } => self.changes(state, *machine, change, found),
            _ => {}
        }
    }

    fn begins(&self, state: &State, handling: &Handling, found: &mut Vec<Violation>) {
        let place = (handling.machine, handling.shard_id.clone());
        if !self.started.contains(&(place, handling.token)) {
            let text = format!("{handling} began before `#[on_shard_start]` had succeeded");
            breach(found, state, 5, text);
        }
    }

    fn changes(
        &mut self,
        state: &State,
        machine: MachineId,
        change: &RowChange,
        found: &mut Vec<Violation>,
    ) {
        let RowChange {
            shard_id,
            before,
            after: Some(after),
        } = change
        else {
            return;
        };
        let session = before.as_ref().and_then(|before| before.session.as_ref());
        if after.session.is_some() && after.session.as_ref() != session {
            self.taken_at.insert(shard_id.clone(), after.counter);
        }
        let is_end = |row: &crate::trace::Row| {
            row.checkpoint.as_deref() == Some(SHARD_END) && row.generation == after.generation
        };
        let Some(stream) = state.stream_of(after.generation) else {
            return;
        };
        // What is gone is finished without a word.
        if !is_end(after) || before.as_ref().is_some_and(is_end) || stream.has_lost(shard_id) {
            return;
        }
        let taken_at = self.taken_at.get(shard_id).copied().unwrap_or_default();
        let ended = self.ended.get(&(machine, shard_id.clone()));
        let has_ended = ended.is_some_and(|(token, generation)| {
            *token >= taken_at && *generation >= after.generation
        });
        if !has_ended {
            let text =
                format!("{shard_id} was finished before its `#[on_shard_end]` had succeeded");
            breach(found, state, 5, text);
        }
    }
}

/// A reader may be in a later generation than its row, until its next heartbeat.
fn ends(state: &State, call: &HookCall, found: &mut Vec<Violation>) {
    let row = state.rows.get(&call.shard_id);
    let row = row.map_or(0, |standing| standing.row.generation);
    let mut generations = state.generations.range(row..).peekable();
    let has_settled = |generation: u64| {
        let stream = state.stream_of(generation);
        let line = stream.and_then(|stream| stream.line(&call.shard_id));
        let records = line.map_or(0, |line| line.records.len());
        let generation = state.generations.get(&generation);
        generation.is_none_or(|it| it.unsettled_before(&call.shard_id, records).is_none())
    };
    if generations.peek().is_some() && !generations.any(|(number, _)| has_settled(*number)) {
        let text = format!("{call} began before the last record had settled");
        breach(found, state, 5, text);
    }
}

fn place(call: &HookCall) -> Place {
    (call.machine, call.shard_id.clone())
}
