//! Rule 8: what is given up on is stored as it arrived, with what is true of it, and nothing else is.

use std::collections::{BTreeMap, BTreeSet};

use kinesis_app_rules::timestamp::rfc3339;

use super::{Violation, breach, state::State};
use crate::{
    app::UNDECODABLE_CAUSE,
    trace::{Event, Letter, MachineId, What},
};

/// Of the application's only handler.
const HANDLER: &str = "book";
const STREAM: &str = "orders";

#[derive(Debug, Default)]
pub(super) struct Letters {
    /// What machines gave up on, after which attempt, and why.
    given_up: BTreeSet<(MachineId, u64, u32, String)>,
    bytes: BTreeMap<u64, bytes::Bytes>,
}

impl Letters {
    pub(super) fn see(&mut self, state: &State, event: &Event, found: &mut Vec<Violation>) {
        match &event.what {
            What::Put { record, bytes, .. } => {
                self.bytes.insert(*record, bytes.clone());
            }
            What::GivenUp { handling, cause } => {
                let why = (handling.attempt, cause.clone());
                let given_up = (handling.machine, handling.record, why.0, why.1);
                self.given_up.insert(given_up);
            }
            What::Letter(letter) => self.check(state, letter, found),
            _ => {}
        }
    }

    fn check(&self, state: &State, letter: &Letter, found: &mut Vec<Violation>) {
        let Some(record) = state.owed.record(letter.sequence()) else {
            return breach(found, state, 8, format!("{letter} stands for no record"));
        };
        let attempts = letter.header("attempts").and_then(|text| text.parse().ok());
        let (attempts, cause) = (attempts.unwrap_or(0), letter.header("cause"));
        let cause = cause.unwrap_or_default();
        let why = (letter.machine, record, attempts, cause.to_owned());
        let is_undecodable = state.owed.is_undecodable(record);
        let is_true = if is_undecodable {
            (attempts, cause) == (1, UNDECODABLE_CAUSE)
        } else {
            self.given_up.contains(&why)
        };
        if !is_true {
            let text = format!("{letter} for {record}, attempt {attempts}, which was not given up");
            breach(found, state, 8, text);
        }
        let Some(known) = state.records.get(&record) else {
            return;
        };
        let arrival = rfc3339(known.arrival_millis).unwrap_or_default();
        for (name, value) in [
            ("handler", HANDLER),
            ("stream", STREAM),
            ("shard-id", &known.shard_id),
            ("arrival", &arrival),
        ] {
            let says = letter.header(name);
            if says != Some(value) {
                let text = format!("{letter} for {record} says {says:?} for {name}, not {value}");
                breach(found, state, 8, text);
            }
        }
        if letter.key != known.key {
            let text = format!("{letter} for {record} under the key {}", letter.key);
            breach(found, state, 8, text);
        }
        if self.bytes.get(&record) != Some(&letter.payload) {
            let text = format!("{letter} for {record} has other bytes than it");
            breach(found, state, 8, text);
        }
    }
}
