//! Rules 1 and 5: a checkpoint stands behind nothing that has not settled, grows, and ends only when the children have rows.

use super::{Violation, breach, state::State, stream::Stream};
use crate::trace::{Event, Row, RowChange, SHARD_END, What};

pub(super) fn see(state: &State, event: &Event, found: &mut Vec<Violation>) {
    if let What::Row { change, .. } = &event.what {
        match (&change.before, &change.after) {
            (before, Some(after)) => moves(state, change, before.as_ref(), after, found),
            (Some(before), None) => goes(state, change, before, found),
            (None, None) => {}
        }
    }
}

fn moves(
    state: &State,
    change: &RowChange,
    before: Option<&Row>,
    after: &Row,
    found: &mut Vec<Violation>,
) {
    let shard_id = &change.shard_id;
    let (number, reached) = (after.generation, after.checkpoint.as_deref());
    if before.is_some_and(|before| before.generation > number) {
        let text = format!("{shard_id} went back to generation {number}");
        breach(found, state, 5, text);
    }
    let before = before.filter(|before| before.generation == number);
    let from = before.and_then(|before| before.checkpoint.as_deref());
    if before.is_some() && from == reached {
        return;
    }
    let (Some(stream), Some(generation)) =
        (state.stream_of(number), state.generations.get(&number))
    else {
        let text = format!("{shard_id} is in generation {number}, which nobody began");
        return breach(found, state, 5, text);
    };
    if stream.is_deleted {
        // Nobody is owed what it had, and whoever has not heard of it reads the stream that has its name.
        return;
    }
    let line = stream.line(shard_id);
    let place = |checkpoint: Option<&str>| match checkpoint {
        None => Some(0),
        Some(SHARD_END) => Some(line.map_or(0, |line| line.records.len())),
        Some(sequence) => line?.place(sequence).map(|place| place + 1),
    };
    let (Some(from_place), Some(to)) = (place(from), place(reached)) else {
        let text = format!("a checkpoint that no record of {shard_id} has");
        return breach(found, state, 5, text);
    };
    if to < from_place || from == Some(SHARD_END) {
        let text = format!("the checkpoint of {shard_id} went back from {from_place} to {to}");
        breach(found, state, 5, text);
    } else if let Some(passed) = generation.unsettled_before(shard_id, to) {
        let passed = line.and_then(|line| line.records.get(passed));
        let is_owed = passed.is_some_and(|passed| state.owed.is_owed(*passed));
        let (rule, what) = if is_owed {
            (8, "whose letter or replies are not stored")
        } else {
            (1, "which has not settled")
        };
        let text = format!("the checkpoint of {shard_id} passed {passed:?}, {what}");
        breach(found, state, rule, text);
    }
    if reached == Some(SHARD_END) && !stream.has_lost(shard_id) {
        ends(state, stream, shard_id, found);
    }
}

fn ends(state: &State, stream: &Stream, shard_id: &str, found: &mut Vec<Violation>) {
    let Some(children) = stream.children.get(shard_id) else {
        let text = format!("{shard_id} is open and was finished");
        return breach(found, state, 5, text);
    };
    for child in without_row(state, stream, children) {
        let text = format!("{shard_id} was finished before its child {child} had a row");
        breach(found, state, 5, text);
    }
}

/// A row is forgotten when its shard is finished and gone, and nothing would be hidden by its absence.
fn goes(state: &State, change: &RowChange, row: &Row, found: &mut Vec<Violation>) {
    let shard_id = &change.shard_id;
    let Some(stream) = state.stream_of(row.generation) else {
        return;
    };
    if row.checkpoint.as_deref() != Some(SHARD_END) || !stream.has_lost(shard_id) {
        let text = format!("the row of {shard_id} was deleted, which is not over");
        breach(found, state, 5, text);
    }
    // Nobody waits for what an older generation left.
    if Some(row.generation) == state.last_generation() {
        let children = stream.children.get(shard_id).into_iter().flatten();
        for child in without_row(state, stream, children) {
            let text = format!("the row of {shard_id} was deleted before {child} had one");
            breach(found, state, 5, text);
        }
    }
}

fn without_row<'a>(
    state: &State,
    stream: &Stream,
    children: impl IntoIterator<Item = &'a String>,
) -> impl Iterator<Item = &'a String> {
    children
        .into_iter()
        .filter(|child| !state.rows.contains_key(*child) && !stream.has_lost(child))
}
