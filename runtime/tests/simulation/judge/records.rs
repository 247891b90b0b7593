//! Rules 1, 2, 5 and 6: no record is passed over, overtaken, or read where it should not be.

use super::{Violation, breach, state::State};
use crate::trace::{Event, Handling, RowChange, SHARD_END, What};

pub(super) fn see(
    state: &State,
    event: &Event,
    start_millis: Option<i64>,
    found: &mut Vec<Violation>,
) {
    match &event.what {
        What::Begun(handling) => begins(state, handling, start_millis, found),
        What::Row { change, .. } => moves(state, change, found),
        _ => {}
    }
}

fn begins(
    state: &State,
    handling: &Handling,
    start_millis: Option<i64>,
    found: &mut Vec<Violation>,
) {
    if let Some(earlier) = state.overtaken(handling.record) {
        let text = format!("{handling} began before {earlier} of its key had ended");
        breach(found, state, 2, text);
    }
    let record = state.records.get(&handling.record);
    let arrival = record.map(|record| record.arrival_millis);
    if arrival < start_millis {
        breach(
            found,
            state,
            6,
            format!("{handling} arrived before the start"),
        );
    }
}

pub(super) fn end(state: &State, found: &mut Vec<Violation>) {
    for line in state.shards.values() {
        if let Some(lost) = line.unsettled_before(line.len()) {
            breach(found, state, 1, format!("record {lost} was never handled"));
        }
    }
}

/// A checkpoint stands behind nothing that has not settled, grows, and ends only when the children have rows.
fn moves(state: &State, change: &RowChange, found: &mut Vec<Violation>) {
    let shard_id = &change.shard_id;
    let Some(after) = &change.after else { return };
    let before = change.before.as_ref();
    let reached = |row: &crate::trace::Row| row.checkpoint.clone();
    let (from, to) = (before.and_then(reached), reached(after));
    if from == to {
        return;
    }
    let line = state.shards.get(shard_id);
    let place = |checkpoint: &Option<String>| match checkpoint.as_deref() {
        None => Some(0),
        Some(SHARD_END) => Some(usize::MAX),
        Some(sequence) => line?.place(sequence).map(|place| place + 1),
    };
    let same_generation = before.is_none_or(|before| before.generation == after.generation);
    match (place(&from), place(&to)) {
        (_, None) => breach(
            found,
            state,
            5,
            format!("a checkpoint that no record of {shard_id} has"),
        ),
        (Some(from), Some(to)) if to < from && same_generation => {
            breach(
                found,
                state,
                5,
                format!("the checkpoint of {shard_id} went back from {from} to {to}"),
            );
        }
        (_, Some(to)) => {
            let passed = line.and_then(|line| line.unsettled_before(to.min(line.len())));
            if let Some(passed) = passed {
                breach(
                    found,
                    state,
                    1,
                    format!("the checkpoint of {shard_id} passed {passed}, which has not settled"),
                );
            }
        }
    }
    if to.as_deref() == Some(SHARD_END) {
        match state.children.get(shard_id) {
            None => breach(
                found,
                state,
                5,
                format!("{shard_id} is open and was finished"),
            ),
            Some(children) => {
                for child in children
                    .iter()
                    .filter(|child| !state.rows.contains_key(*child))
                {
                    breach(
                        found,
                        state,
                        5,
                        format!("{shard_id} was finished before its child {child} had a row"),
                    );
                }
            }
        }
    }
}
