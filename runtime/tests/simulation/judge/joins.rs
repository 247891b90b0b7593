//! Rule 6: where checkpoints are ignored, whoever starts while nobody reads begins at the start, and whoever joins does not.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{Violation, breach, state::State};
use crate::trace::{Deed, Event, MachineId, RowChange, StreamPlace, What};

/// A row that is written at least that often is seen to move by whoever watches it for a lease duration; and a listing lags no longer.
const LIVELY: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
pub(super) struct Joins {
    started: BTreeMap<MachineId, Duration>,
    at_large: BTreeSet<MachineId>,
    /// Who started alone, and in which generation; until it begins something, or somebody else's write lands.
    alone: BTreeMap<MachineId, u64>,
    /// When the holder of a row wrote it.
    writes: BTreeMap<String, (MachineId, Vec<Duration>)>,
}

impl Joins {
    pub(super) fn see(
        &mut self,
        state: &State,
        ignores: bool,
        event: &Event,
        found: &mut Vec<Violation>,
    ) {
        match &event.what {
            What::Deed(Deed::Started(machine)) => self.starts(state, *machine),
            What::Deed(Deed::Killed(machine) | Deed::Stopped { machine, .. }) => {
                self.at_large.remove(machine);
            }
            // A request is nobody's heartbeat.
            What::Row { change, .. } if change.before == change.after => {}
            What::Row { machine, change } => self.writes(state, *machine, change),
            What::StreamRow { machine, row } => self.seeks(state, *machine, row, found),
            What::Begun(handling) => {
                let alone = self.alone.remove(&handling.machine);
                if ignores && alone.is_some() && alone == state.last_generation() {
                    let text = format!("{handling} began, though its machine started alone");
                    breach(found, state, 6, text);
                }
            }
            _ => {}
        }
    }

    fn starts(&mut self, state: &State, machine: MachineId) {
        self.started.insert(machine, state.time);
        // A generation that nothing is stored of is as good as a new one.
        let last = state.last_generation();
        let mut rows = state.rows.values();
        let is_begun = rows.any(|standing| Some(standing.row.generation) == last);
        if let Some(last) = last.filter(|_| is_begun && self.at_large.is_empty()) {
            self.alone.insert(machine, last);
        }
        self.at_large.insert(machine);
    }

    fn writes(&mut self, state: &State, machine: MachineId, change: &RowChange) {
        self.alone.retain(|alone, _| *alone == machine);
        let session = change.after.as_ref().and_then(|row| row.session.as_ref());
        let before = change.before.as_ref().and_then(|row| row.session.as_ref());
        if session.is_none() {
            self.writes.remove(&change.shard_id);
        } else if session == before {
            if let Some((_, times)) = self.writes.get_mut(&change.shard_id) {
                times.push(state.time);
            }
        } else {
            let taken = (machine, vec![state.time]);
            self.writes.insert(change.shard_id.clone(), taken);
        }
    }

    fn seeks(
        &self,
        state: &State,
        machine: MachineId,
        row: &StreamPlace,
        found: &mut Vec<Violation>,
    ) {
        let stream = state.last_generation();
        let stream = stream.filter(|last| *last < row.generation);
        let stream = stream.and_then(|last| state.stream_of(last));
        let is_seek = stream.is_some_and(|stream| row.is_of(stream.created_millis));
        let started = self.started.get(&machine).copied();
        let Some(started) = started.filter(|_| is_seek && !state.is_seeking(machine)) else {
            return;
        };
        for (shard_id, (reader, times)) in &self.writes {
            let from = started.saturating_sub(LIVELY);
            let held = times.first().is_some_and(|taken| *taken <= from);
            let times = times.iter().copied().filter(|time| *time >= from);
            if held && *reader != machine && is_lively(times, from, state.time) {
                let text = format!("{machine} ignored checkpoints while {reader} read {shard_id}");
                breach(found, state, 6, text);
            }
        }
    }
}

fn is_lively(times: impl Iterator<Item = Duration>, from: Duration, until: Duration) -> bool {
    let mut last = from;
    let mut is_lively = true;
    for time in times.chain([until]) {
        is_lively &= time <= last + LIVELY;
        last = time;
    }
    is_lively
}
