//! Rules 1, 2 and 6: no record is lost, overtaken, or read where it should not be.

use super::{Violation, breach, state::State};
use crate::trace::{Event, Handling, What};

pub(super) fn see(state: &State, event: &Event, found: &mut Vec<Violation>) {
    if let What::Begun(handling) = &event.what {
        begins(state, handling, found);
    }
}

fn begins(state: &State, handling: &Handling, found: &mut Vec<Violation>) {
    if let Some(earlier) = state.overtaken(handling) {
        let text = format!("{handling} began before {earlier} of its key had ended");
        breach(found, state, 2, text);
    }
    // A reader may be in a later generation than its row, until its next heartbeat.
    let row = state.rows.get(&handling.shard_id);
    let row = row.map(|standing| standing.row.generation);
    let Some((row, record)) = row.zip(state.records.get(&handling.record)) else {
        return;
    };
    let mut generations = state
        .generations
        .range(row..)
        // A reader that has not heard that its stream is another one reads the other one from where its own began.
        .filter(|(number, generation)| **number == row || generation.stream == record.stream)
        .peekable();
    if generations.peek().is_some()
        && generations.all(|(_, it)| Some(record.arrival_millis) < it.begins_at)
    {
        let text = format!("{handling} arrived before the start");
        breach(found, state, 6, text);
    }
}

/// Everything that is kept has settled in the last generation. What a stream had that is gone is nobody's.
pub(super) fn end(state: &State, found: &mut Vec<Violation>) {
    let last = state.last_generation();
    let Some((number, stream)) = state.last_stream() else {
        return;
    };
    let generation = last.and_then(|last| state.generations.get(&last));
    let generation = generation.filter(|generation| generation.stream == number);
    let Some(generation) = generation else {
        let text = format!("the stream of {} was never read", stream.created_millis);
        return breach(found, state, 1, text);
    };
    for (shard_id, line) in stream.lines() {
        let missed = generation.unsettled_before(shard_id, line.records.len());
        if let Some(place) = missed {
            let record = line.records[place];
            // All sinks were mended in time.
            if state.owed.is_owed(record) {
                let text = format!("what is owed for record {record} was never stored");
                breach(found, state, 8, text);
            } else {
                let text = format!("record {record} was never handled");
                breach(found, state, 1, text);
            }
        }
    }
}
