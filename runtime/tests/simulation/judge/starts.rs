//! Rule 2: a child starts when every parent is finished in its generation. Closed is not consumed.

use super::{Violation, breach, state::State, stream::Stream};
use crate::trace::{Event, Row, RowChange, SHARD_END, What};

pub(super) fn see(state: &State, event: &Event, found: &mut Vec<Violation>) {
    if let What::Row { change, .. } = &event.what
        && starts(state, change)
        && let Some(generation) = state.last_generation()
        && let Some(stream) = state.stream_of(generation)
        // What is gone is taken to be finished, and read no more.
        && !stream.has_lost(&change.shard_id)
    {
        let shard_id = &change.shard_id;
        let parents = stream.parents.get(shard_id).into_iter().flatten();
        for parent in parents.filter(|parent| !is_done(state, stream, parent, generation)) {
            let text = format!("{shard_id} was taken before its parent {parent} was finished");
            breach(found, state, 2, text);
        }
    }
}

/// Whether the shard is read in the last generation from now on: it was taken in it, or its holder adopts it. Of a row of an older one
/// nobody can tell what its holder knows.
fn starts(state: &State, change: &RowChange) -> bool {
    let held = |row: &Row| row.session.is_some() && Some(row.generation) == state.last_generation();
    change.after.as_ref().is_some_and(held) && !change.before.as_ref().is_some_and(held)
}

fn is_done(state: &State, stream: &Stream, shard_id: &str, generation: u64) -> bool {
    let Some(standing) = state.rows.get(shard_id) else {
        return stream.has_lost(shard_id);
    };
    let row = &standing.row;
    row.checkpoint.as_deref() == Some(SHARD_END)
        && (row.generation == generation || stream.has_lost(shard_id))
}
