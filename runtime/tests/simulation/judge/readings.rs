//! Rule 6: a tenure makes every attempt once, unless a held record or another generation has its shard read again.

use std::collections::BTreeMap;

use super::{Violation, breach, state::State};
use crate::trace::{Event, Handling, MachineId, What};

/// Whose, of which shard, by which token.
type Tenure = (MachineId, String, u64);

#[derive(Debug, Default)]
pub(super) struct Readings {
    /// How often each attempt at a record began.
    begun: BTreeMap<(Tenure, u64, u32), usize>,
    /// The generation of the row when each tenure first began something: the stream's may be another one already.
    first: BTreeMap<Tenure, u64>,
    /// The places of held records, one for each time.
    held: BTreeMap<Tenure, Vec<usize>>,
}

impl Readings {
    pub(super) fn see(&mut self, state: &State, event: &Event, found: &mut Vec<Violation>) {
        match &event.what {
            What::Begun(handling) => self.begins(state, handling, found),
            What::Held(handling) => {
                let places = self.held.entry(tenure(handling)).or_default();
                places.extend(place(state, handling));
            }
            _ => {}
        }
    }

    fn begins(&mut self, state: &State, handling: &Handling, found: &mut Vec<Violation>) {
        let tenure = tenure(handling);
        let held = self.held.get(&tenure).into_iter().flatten();
        let restarts = held.filter(|held| Some(**held) <= place(state, handling));
        // A reader adopts another generation without a new tenure.
        let row = state.rows.get(&handling.shard_id);
        let taken_in = row.map(|standing| standing.row.generation);
        let first = self.first.entry(tenure.clone());
        let first = *first.or_insert(taken_in.unwrap_or_default());
        let adoptions = state.generations.range(first..).skip(1);
        let allowed = 1 + restarts.count() + adoptions.count();
        let begun = (tenure, handling.record, handling.attempt);
        let times = self.begun.entry(begun).or_default();
        *times += 1;
        if *times > allowed {
            let text = format!("{handling} was read twice in one tenure");
            breach(found, state, 6, text);
        }
    }
}

fn tenure(handling: &Handling) -> Tenure {
    (handling.machine, handling.shard_id.clone(), handling.token)
}

fn place(state: &State, handling: &Handling) -> Option<usize> {
    let known = state.records.get(&handling.record)?;
    Some(known.in_shard)
}
