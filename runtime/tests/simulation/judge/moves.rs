//! Rule 10 for leases that go from one living owner to another: what has begun ends, and nothing comes twice.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use kinesis_app::{Held, LeaseWrite};

use super::{Violation, breach, leases::DEADLINE, state::State};
use crate::trace::{Deed, Event, Handling, MachineId, Row, RowChange, What, shard_of};

/// On a stop and on a hand-over, running handlers may finish for so long.
const HANDOVER: Duration = Duration::from_secs(10);
/// What is dropped for time is up is followed by the last write at once.
const AT_ONCE: Duration = Duration::from_millis(50);

type Place = (MachineId, String);

#[derive(Debug, Default)]
pub(super) struct Moves {
    tenures: BTreeMap<Place, Tenure>,
    /// When the first request for a shard's lease was carried out since it was last handed over: a listing that lags shows it for longer.
    asked: BTreeMap<String, Duration>,
    /// Records that were settled in a tenure without blemish which ended in a grant, by whom, and in which generation.
    over: BTreeMap<u64, (MachineId, u64)>,
}

/// What a machine did with a shard since it got it.
#[derive(Debug, Default)]
struct Tenure {
    token: u64,
    running: BTreeMap<u64, Duration>,
    settled: BTreeSet<u64>,
    /// What began in an older generation, and settles nothing in this one.
    outdated: BTreeSet<u64>,
    /// Handled, and not stored what was to be stored for them.
    owed: BTreeSet<u64>,
    /// Undecodable records whose letters were stored.
    letters: BTreeSet<u64>,
    /// Something failed, was held, or was dropped: then what is behind it may come again.
    blemished: bool,
    /// A handling that was dropped, and when.
    cut: Option<(Handling, Duration)>,
    /// When a heartbeat was last sent, and from which counter.
    beat: Option<(Duration, u64)>,
}

impl Tenure {
    /// What was done before is to be done again.
    fn adopt(&mut self) {
        self.settled.clear();
        self.letters.clear();
        self.outdated.extend(self.running.keys());
        self.outdated.extend(&self.owed);
    }

    /// It may be another one already: what the one before did may be done again, and what was dropped at its end was not dropped for a
    /// hand-over.
    fn doubt(&mut self) {
        self.blemished = true;
        self.cut = None;
    }
}

impl Moves {
    pub(super) fn see(&mut self, state: &State, event: &Event, found: &mut Vec<Violation>) {
        if let Some((machine, record)) = state.owed.ended(&event.what) {
            self.stored(state, machine, record);
        }
        match &event.what {
            What::Begun(handling) => {
                if let Some((by, generation)) = self.over.get(&handling.record)
                    && state.last_generation() == Some(*generation)
                {
                    let text = format!("{handling} began, which {by} had done before it granted");
                    breach(found, state, 10, text);
                }
                let tenure = self.of(handling);
                tenure.running.insert(handling.record, event.at);
            }
            What::Settled(handling) | What::Skipped(handling) => {
                let tenure = self.of(handling);
                tenure.running.remove(&handling.record);
                if !tenure.outdated.remove(&handling.record) {
                    tenure.settled.insert(handling.record);
                }
            }
            What::Replied { handling, .. } | What::GivenUp { handling, .. } => {
                let tenure = self.of(handling);
                tenure.running.remove(&handling.record);
                tenure.owed.insert(handling.record);
            }
            What::Held(handling) | What::Failed(handling) => {
                let tenure = self.of(handling);
                tenure.running.remove(&handling.record);
                tenure.blemished = true;
            }
            What::Cut(handling) => {
                let tenure = self.of(handling);
                tenure.blemished = true;
                tenure.running.remove(&handling.record);
                tenure.cut = Some((handling.clone(), event.at));
            }
            What::Sent {
                machine,
                write: write @ LeaseWrite::Grant { .. },
                ..
            } => self.grants(state, *machine, write, found),
            What::Sent {
                machine,
                write: LeaseWrite::Beat { held, .. },
                ..
            } => self.beats(state.time, *machine, held),
            // What ends a tenure is not seen, and the next one begins with a heartbeat.
            What::Deed(
                Deed::ClockSet { machine, .. } | Deed::Frozen(machine) | Deed::Suspended(machine),
            ) => self.doubt(*machine),
            What::Row { change, .. } if change.before == change.after => {
                self.asked
                    .entry(change.shard_id.clone())
                    .or_insert(event.at);
            }
            What::Row { machine, change } => {
                let generation = |row: &Option<Row>| row.as_ref().map(|row| row.generation);
                if generation(&change.before) != generation(&change.after) {
                    let place = (*machine, change.shard_id.clone());
                    self.tenures.entry(place).or_default().adopt();
                }
                let before = state.rows.get(&change.shard_id);
                let session = change.after.as_ref().and_then(|row| row.session.as_ref());
                let was_held = before.is_some_and(|row| row.holder == Some(*machine));
                let is_granted = was_held
                    && session.is_some()
                    && before.is_some_and(|row| row.row.session.as_ref() != session);
                if change.before.as_ref().and_then(|row| row.session.as_ref()) != session {
                    self.asked.remove(&change.shard_id);
                }
                if is_granted {
                    let place = (*machine, change.shard_id.clone());
                    let tenure = self.tenures.remove(&place).unwrap_or_default();
                    let is_whole = tenure.running.is_empty() && tenure.owed.is_empty();
                    if !tenure.blemished && is_whole && !misses_letter(state, change, &tenure) {
                        let generation = change.after.as_ref().map_or(0, |row| row.generation);
                        let settled = tenure.settled.into_iter();
                        self.over
                            .extend(settled.map(|record| (record, (*machine, generation))));
                    }
                }
            }
            _ => {}
        }
    }

    fn stored(&mut self, state: &State, machine: MachineId, record: u64) {
        let Some(known) = state.records.get(&record) else {
            return;
        };
        let place = (machine, known.shard_id.clone());
        let tenure = self.tenures.entry(place).or_default();
        if state.owed.is_undecodable(record) {
            tenure.letters.insert(record);
        } else if tenure.owed.remove(&record) && !tenure.outdated.remove(&record) {
            tenure.settled.insert(record);
        }
    }

    /// What a machine did under an older token is another tenure's.
    fn of(&mut self, handling: &Handling) -> &mut Tenure {
        let place = (handling.machine, handling.shard_id.clone());
        let tenure = self.tenures.entry(place).or_default();
        if tenure.token < handling.token {
            *tenure = Tenure {
                token: handling.token,
                ..Tenure::default()
            };
        }
        tenure
    }

    fn doubt(&mut self, machine: MachineId) {
        for ((of, _), tenure) in &mut self.tenures {
            if *of == machine {
                tenure.doubt();
            }
        }
    }

    /// A heartbeat past the deadline is the first one of another tenure, and one that is sent again was not confirmed: the tenure may be
    /// over by it.
    fn beats(&mut self, now: Duration, machine: MachineId, held: &Held) {
        let shard_id = shard_of(&held.key).unwrap_or_default();
        let place = (machine, shard_id.to_owned());
        let Some(tenure) = self.tenures.get_mut(&place) else {
            return;
        };
        let before = tenure.beat.replace((now, held.counter));
        let is_doubtful = |(at, counter)| now >= at + DEADLINE || counter == held.counter;
        if tenure.cut.is_some() || before.is_some_and(is_doubtful) {
            tenure.doubt();
        }
    }

    fn grants(
        &self,
        state: &State,
        machine: MachineId,
        write: &LeaseWrite,
        found: &mut Vec<Violation>,
    ) {
        let shard_id = shard_of(write.key()).unwrap_or_default();
        let tenure = self.tenures.get(&(machine, shard_id.to_owned()));
        let asked = self.asked.get(shard_id).copied().unwrap_or_default();
        if let Some((handling, cut)) = tenure.and_then(|tenure| tenure.cut.as_ref())
            && state.time <= *cut + AT_ONCE
            && *cut < asked + HANDOVER
        {
            let text =
                format!("{machine} granted {shard_id} and dropped {handling}, which had time left");
            breach(found, state, 10, text);
        }
        if let Some(running) = tenure.and_then(|tenure| tenure.running.keys().next()) {
            let text = format!("{machine} granted {shard_id} while it handled {running}");
            breach(found, state, 10, text);
        }
    }
}

/// Whether what the tenure settled lies behind an undecodable record whose letter it did not store: then it may come again.
fn misses_letter(state: &State, change: &RowChange, tenure: &Tenure) -> bool {
    let row = change.before.as_ref();
    let line = row
        .and_then(|row| state.stream_of(row.generation))
        .and_then(|stream| stream.line(&change.shard_id));
    let Some(line) = line else {
        return false;
    };
    let from = row.and_then(|row| row.checkpoint.as_deref());
    let from = from
        .and_then(|sequence| line.place(sequence))
        .map_or(0, |place| place + 1);
    let last = line
        .records
        .iter()
        .rposition(|record| tenure.settled.contains(record));
    let before = line.records.get(from..last.unwrap_or_default().max(from));
    let mut before = before.into_iter().flatten();
    before.any(|record| state.owed.is_undecodable(*record) && !tenure.letters.contains(record))
}
