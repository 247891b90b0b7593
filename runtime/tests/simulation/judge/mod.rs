//! Whether a run kept the rules of the house: told from its trace alone.

mod checkpoints;
mod gone;
mod hooks;
mod joins;
mod leases;
mod letters;
mod lives;
mod moves;
mod progress;
mod readings;
mod reads;
mod receipts;
mod records;
mod skips;
mod starts;
mod state;
mod stream;

use std::{fmt, time::Duration};

use kinesis_app_emulator::Call;

use self::{
    gone::Gone, hooks::Hooks, joins::Joins, leases::Leases, letters::Letters, lives::Lives,
    moves::Moves, readings::Readings, receipts::Receipts, skips::Skips, state::State,
};
use crate::{app::Shape, trace::Event};

/// A rule that was broken, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Its number in the house.
    pub(crate) rule: u8,
    pub(crate) at: Duration,
    pub(crate) text: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, at, text } = self;
        write!(f, "rule {rule} at {:.3} s: {text}", at.as_secs_f64())
    }
}

/// What a run leaves to be judged.
#[derive(Debug)]
pub(crate) struct Evidence {
    pub(crate) events: Vec<Event>,
    /// Whether whoever starts alone reads from the start.
    pub(crate) ignores: bool,
    /// Which application it was.
    pub(crate) shape: Shape,
    pub(crate) reads: Vec<Call>,
}

/// All violations, in the order of the trace.
pub(crate) fn judge(evidence: &Evidence) -> Vec<Violation> {
    let mut state = State::default();
    let mut leases = Leases::default();
    let mut lives = Lives::default();
    let mut moves = Moves::default();
    let mut readings = Readings::default();
    let mut skips = Skips::default();
    let mut gone = Gone::default();
    let mut joins = Joins::default();
    let mut letters = Letters::default();
    let mut receipts = Receipts::default();
    let mut hooks = Hooks::of(evidence.shape);
    let mut found = Vec::new();
    for event in &evidence.events {
        state.time = event.at;
        records::see(&state, event, &mut found);
        checkpoints::see(&state, event, &mut found);
        starts::see(&state, event, &mut found);
        leases.see(&state, event, &mut found);
        lives.see(&state, event, &mut found);
        moves.see(&state, event, &mut found);
        readings.see(&state, event, &mut found);
        skips.see(event);
        gone.see(&state, event, &mut found);
        joins.see(&state, evidence.ignores, event, &mut found);
        letters.see(&state, event, &mut found);
        receipts.see(&state, event, &mut found);
        hooks.see(&state, event, &mut found);
        reads::see(&state, event, &mut found);
        state.follow(event);
    }
    records::end(&state, &mut found);
    skips.end(&state, &mut found);
    lives.end(&state, &mut found);
    reads::check(&evidence.reads, &mut found);
    found
}

/// Notes a violation at this moment.
fn breach(found: &mut Vec<Violation>, state: &State, rule: u8, text: impl fmt::Display) {
    found.push(Violation {
        rule,
        at: state.time,
        text: text.to_string(),
    });
}
