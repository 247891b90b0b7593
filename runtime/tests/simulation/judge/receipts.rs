//! Rule 8 for replies: only what a handler returned is stored, and what has one key in its order.

use std::collections::BTreeMap;

use super::{Violation, breach, state::State};
use crate::trace::{Event, MachineId, Receipt, What};

/// Replies of a record have one of so many keys, in turn.
const KEYS: u32 = 2;

#[derive(Debug, Default)]
pub(super) struct Receipts {
    /// How many replies a machine made to a record last, and up to which one those of each key stand since.
    made: BTreeMap<(MachineId, u64), Made>,
}

#[derive(Debug, Default)]
struct Made {
    replies: u32,
    stood: BTreeMap<u32, u32>,
}

impl Made {
    fn of(replies: u32) -> Self {
        let stood = BTreeMap::new();
        Self { replies, stood }
    }
}

impl Receipts {
    pub(super) fn see(&mut self, state: &State, event: &Event, found: &mut Vec<Violation>) {
        match &event.what {
            What::Replied { handling, replies } => {
                let made = (handling.machine, handling.record);
                let made = self.made.entry(made).or_default();
                *made = Made::of(*replies);
            }
            What::Receipt(receipt) => self.check(state, receipt, found),
            What::Stray { machine, key } => {
                let text = format!("{machine} stored under {key} what is no receipt");
                breach(found, state, 8, text);
            }
            _ => {}
        }
    }

    fn check(&mut self, state: &State, receipt: &Receipt, found: &mut Vec<Violation>) {
        let made = self.made.get_mut(&(receipt.machine, receipt.record));
        let Some(made) =
            made.filter(|made| receipt.of == made.replies && receipt.index < receipt.of)
        else {
            return breach(found, state, 8, format!("{receipt}, which nobody made"));
        };
        if receipt.key != format!("r{}", receipt.index % KEYS) {
            let text = format!("{receipt} under the key {}", receipt.key);
            breach(found, state, 8, text);
        }
        // Of what was sent again everything but the last may stand already.
        let next = made.stood.get(&(receipt.index % KEYS));
        let next = next.map_or(receipt.index % KEYS, |last| last + KEYS);
        if receipt.index > next {
            let text = format!("{receipt} before {next} of its key");
            breach(found, state, 8, text);
        }
        let stood = made.stood.entry(receipt.index % KEYS).or_default();
        *stood = receipt.index.max(*stood);
    }
}
