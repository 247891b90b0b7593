//! Rules 3 and 4: whose lease it is, by the table and by the owner's own clock.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::Duration,
};

use kinesis_app::{Held, LeaseWrite};

use super::{Violation, breach, state::State};
use crate::trace::{Answer, Deed, Event, Handling, MachineId, RowChange, Step, What, shard_of};

pub(super) const LEASE: Duration = Duration::from_secs(10);
/// 80 % of the lease duration.
pub(super) const DEADLINE: Duration = Duration::from_secs(8);
/// Timers have the grain of a millisecond.
const GRAIN: Duration = Duration::from_millis(1);
/// A heartbeat's interval, with a retry's pause.
const BEAT: Duration = Duration::from_millis(3_300);

type Place = (MachineId, String);

#[derive(Debug, Default)]
pub(super) struct Leases {
    /// Sessions and counters that stood in a row.
    stood: BTreeSet<(String, String, u64)>,
    tenures: BTreeMap<Place, Tenure>,
    calls: BTreeMap<(MachineId, u64), Sending>,
    /// Who was told to stop.
    stopping: BTreeSet<MachineId>,
    /// When a machine's clock was set.
    shaken: BTreeMap<MachineId, Duration>,
    /// The token that a shard was handled with last, and whose it was.
    tokens: BTreeMap<String, (u64, MachineId)>,
}

/// What a machine knows of its own lease.
#[derive(Debug, Default)]
struct Tenure {
    /// When the last write that was answered was sent.
    confirmed: Option<Duration>,
    /// The last write of the tenure is on its way.
    closing: bool,
    /// When the machine last had a word with the row, or last thawed.
    word: Option<Duration>,
}

#[derive(Debug)]
struct Sending {
    shard_id: String,
    at: Duration,
    holds: bool,
}

impl Leases {
    fn of(&mut self, machine: MachineId) -> impl Iterator<Item = &mut Tenure> {
        let tenures = self.tenures.iter_mut();
        tenures
            .filter(move |((of, _), _)| *of == machine)
            .map(|(_, tenure)| tenure)
    }

    pub(super) fn see(&mut self, state: &State, event: &Event, found: &mut Vec<Violation>) {
        match &event.what {
            What::Begun(handling) => {
                let Handling {
                    machine,
                    shard_id,
                    token,
                    ..
                } = handling;
                self.begins(state, (*machine, shard_id.clone()), *token, handling, found);
            }
            What::Hook(call, Step::Begun) => {
                let place = (call.machine, call.shard_id.clone());
                self.begins(state, place, call.token, call, found);
            }
            What::Sent {
                machine,
                call,
                write,
            } => self.sends(state, *machine, *call, write, found),
            What::Answered {
                machine,
                call,
                answer,
            } => self.hears(*machine, *call, *answer, event.at),
            What::Row { machine, change } => self.changes(state, *machine, change, found),
            What::Deed(Deed::Thawed(machine)) => {
                for tenure in self.of(*machine) {
                    tenure.word = Some(event.at);
                }
            }
            What::Deed(Deed::Stopping(machine)) => {
                self.stopping.insert(*machine);
            }
            // A clock that is set may end a tenure at once.
            What::Deed(Deed::ClockSet { machine, .. }) => {
                self.shaken.insert(*machine, event.at);
            }
            _ => {}
        }
    }

    /// A handler or a hook.
    fn begins(
        &mut self,
        state: &State,
        place: Place,
        token: u64,
        what: &dyn fmt::Display,
        found: &mut Vec<Violation>,
    ) {
        let holder = state.rows.get(&place.1).and_then(|row| row.holder);
        if holder != Some(place.0) {
            let whose = holder.map_or("nobody's".to_owned(), |holder| format!("{holder}'s"));
            breach(
                found,
                state,
                3,
                format!("{what} began while the lease was {whose}"),
            );
        }
        let tenure = self.tenures.get(&place);
        let confirmed = tenure.and_then(|tenure| tenure.confirmed);
        if confirmed.is_none_or(|sent| state.time >= sent + DEADLINE + GRAIN) {
            breach(found, state, 4, format!("{what} began past the deadline"));
        }
        if tenure.is_some_and(|tenure| tenure.closing) {
            breach(
                found,
                state,
                4,
                format!("{what} began after the tenure's last write"),
            );
        }
        match self.tokens.insert(place.1, (token, place.0)) {
            Some((before, _)) if before > token => {
                breach(
                    found,
                    state,
                    3,
                    format!("{what} began after token {before}"),
                );
            }
            Some((before, other)) if before == token && other != place.0 => {
                breach(
                    found,
                    state,
                    3,
                    format!("{what} began with the token of {other}"),
                );
            }
            _ => {}
        }
    }

    fn sends(
        &mut self,
        state: &State,
        machine: MachineId,
        call: u64,
        write: &LeaseWrite,
        found: &mut Vec<Violation>,
    ) {
        let Some(shard_id) = shard_of(write.key()) else {
            return;
        };
        let place = (machine, shard_id.to_owned());
        let held = held(write);
        if let Some(Held {
            session, counter, ..
        }) = held
        {
            let claim = (shard_id.to_owned(), session.clone(), *counter);
            if !self.stood.contains(&claim) {
                let text =
                    format!("{machine} writes {shard_id} at counter {counter}, which it never had");
                breach(found, state, 3, text);
            }
        }
        let shaken = self.shaken.get(&machine);
        let shaken = shaken.is_some_and(|at| state.time < *at + LEASE);
        let tenure = self.tenures.entry(place).or_default();
        let is_over = |sent: Duration| state.time >= sent + DEADLINE;
        match write {
            LeaseWrite::Take { .. } => *tenure = Tenure::default(),
            // The first beat of a process whose own tenure ended without a last word.
            LeaseWrite::Beat { .. } if tenure.closing || tenure.confirmed.is_none_or(is_over) => {
                *tenure = Tenure::default();
            }
            // Given back by one who stops and never worked with it, or whose tenure ended without a last word.
            LeaseWrite::Release { .. }
                if self.stopping.contains(&machine) && tenure.confirmed.is_none_or(is_over) =>
            {
                *tenure = Tenure {
                    closing: true,
                    ..Tenure::default()
                };
            }
            // A creation, a request or a withdrawal is no word of a tenure, also where what was listed lags and there is one.
            _ if held.is_none() => return,
            _ => {
                if let Some(word) = tenure.word
                    && state.time > word + BEAT
                    && !shaken
                {
                    let silent = state.time.saturating_sub(word);
                    let text = format!("{machine} was silent on {shard_id} for {silent:?}");
                    breach(found, state, 4, text);
                }
                tenure.closing = !matches!(write, LeaseWrite::Beat { .. });
            }
        }
        tenure.word = Some(state.time);
        let holds = matches!(write, LeaseWrite::Take { .. } | LeaseWrite::Beat { .. });
        let sending = Sending {
            shard_id: shard_id.to_owned(),
            at: state.time,
            holds,
        };
        self.calls.insert((machine, call), sending);
    }

    fn hears(&mut self, machine: MachineId, call: u64, answer: Answer, at: Duration) {
        let Some(sending) = self.calls.remove(&(machine, call)) else {
            return;
        };
        let tenure = self.tenures.entry((machine, sending.shard_id)).or_default();
        tenure.word = Some(at);
        if answer == Answer::Applied && sending.holds {
            tenure.confirmed = Some(sending.at);
        }
    }

    fn changes(
        &mut self,
        state: &State,
        machine: MachineId,
        change: &RowChange,
        found: &mut Vec<Violation>,
    ) {
        if change.before == change.after {
            // A request, which is nobody's word but of who makes it.
            return;
        }
        let shard_id = &change.shard_id;
        let before = state.rows.get(shard_id);
        let session =
            |row: &Option<crate::trace::Row>| row.as_ref().and_then(|row| row.session.clone());
        let (from, to) = (session(&change.before), session(&change.after));
        let holder = before.and_then(|before| before.holder);
        match (&from, &to) {
            // Granted by its holder: what the other said in an older tenure is no word of this one.
            (Some(from), Some(to)) if from != to && holder == Some(machine) => {
                if let Some(other) = state.sessions.get(to) {
                    self.tenures.remove(&(*other, shard_id.clone()));
                }
            }
            (Some(from), Some(to)) if from != to => {
                let still = before.map_or(Duration::ZERO, |before| {
                    state.time.saturating_sub(before.since)
                });
                if still < LEASE {
                    let text =
                        format!("{machine} took {shard_id}, whose counter moved {still:?} ago");
                    breach(found, state, 3, text);
                }
            }
            (Some(_), _) if holder != Some(machine) => {
                let whose = holder.map_or("nobody's".to_owned(), |holder| format!("{holder}'s"));
                breach(
                    found,
                    state,
                    3,
                    format!("{machine} wrote {shard_id}, which was {whose}"),
                );
            }
            _ => {}
        }
        if let (Some(before), Some(after)) = (&change.before, &change.after)
            && after.counter <= before.counter
        {
            breach(
                found,
                state,
                3,
                format!(
                    "the counter of {shard_id} went from {} to {}",
                    before.counter, after.counter
                ),
            );
        }
        if let Some(after) = &change.after
            && let Some(session) = &after.session
        {
            self.stood
                .insert((shard_id.clone(), session.clone(), after.counter));
        }
    }
}

fn held(write: &LeaseWrite) -> Option<&Held> {
    match write {
        LeaseWrite::Beat { held, .. }
        | LeaseWrite::Grant { held, .. }
        | LeaseWrite::Release { held, .. }
        | LeaseWrite::End { held, .. } => Some(held),
        _ => None,
    }
}
