//! Rule 2: a child starts when every parent is finished in its generation. Closed is not consumed.

use super::{Violation, breach, state::State, stream::Stream};
use crate::trace::{Event, Row, RowChange, SHARD_END, What};

pub(super) fn see(state: &State, event: &Event, found: &mut Vec<Violation>) {
    let shard_id = match &event.what {
        What::Row { change, .. } if takes(state, change) => &change.shard_id,
        What::Begun(handling) if has_adopted(state, &handling.shard_id) => &handling.shard_id,
        _ => return,
    };
    if let Some(generation) = state.last_generation()
        && let Some(stream) = state.stream_of(generation)
        // What is gone is taken to be finished, and read no more.
        && !stream.has_lost(shard_id)
    {
        let parents = stream.parents.get(shard_id).into_iter().flatten();
        for parent in parents.filter(|parent| !is_done(state, stream, parent, generation)) {
            let text = format!("{shard_id} was begun before its parent {parent} was finished");
            breach(found, state, 2, text);
        }
    }
}

/// Of a row of an older generation nobody can tell in which one it is taken.
fn takes(state: &State, change: &RowChange) -> bool {
    let held = |row: &Row| row.session.is_some();
    let is_in_last = |row: &Row| Some(row.generation) == state.last_generation();
    change.after.as_ref().is_some_and(held)
        && change
            .before
            .as_ref()
            .is_some_and(|row| !held(row) && is_in_last(row))
}

/// Whoever adopts a generation may wait in it for parents, and begins nothing.
fn has_adopted(state: &State, shard_id: &str) -> bool {
    let standing = state.rows.get(shard_id);
    standing.is_some_and(|standing| Some(standing.row.generation) == state.last_generation())
}

fn is_done(state: &State, stream: &Stream, shard_id: &str, generation: u64) -> bool {
    let Some(standing) = state.rows.get(shard_id) else {
        return stream.has_lost(shard_id);
    };
    let row = &standing.row;
    row.checkpoint.as_deref() == Some(SHARD_END)
        && (row.generation == generation || stream.has_lost(shard_id))
}
