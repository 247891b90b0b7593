//! Rule 7: the service's five reads a second and shard, and a bound on what is read and not handled.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use kinesis_app_emulator::{Call, Operation, Outcome};

use super::{Violation, breach, state::State};
use crate::trace::{Event, What};

const READS: usize = 5;

/// Every shard may read, however full the prefetch is.
const SHARE: usize = 2 << 20;

pub(super) fn see(state: &State, event: &Event, found: &mut Vec<Violation>) {
    if let What::Works {
        machine,
        shards,
        prefetch,
        allowance,
    } = &event.what
        && *prefetch > allowance + SHARE * shards.len()
    {
        let text = format!(
            "{machine} holds {prefetch} bytes of {} shards",
            shards.len()
        );
        breach(found, state, 7, text);
    }
}

pub(super) fn check(calls: &[Call], found: &mut Vec<Violation>) {
    let mut reads: BTreeMap<(&str, &str), Vec<SystemTime>> = BTreeMap::new();
    // What did not arrive is not counted by the service either.
    for call in calls.iter().filter(|call| call.outcome != Outcome::Lost) {
        if let (Operation::GetRecords, [shard_id]) = (call.operation, &*call.shards) {
            let line = reads.entry((&call.link, shard_id)).or_default();
            line.push(call.at);
        }
    }
    for ((link, shard_id), times) in reads {
        for window in times.windows(READS + 1) {
            let took = window[READS].duration_since(window[0]);
            if took.is_ok_and(|took| took < Duration::from_secs(1)) {
                found.push(Violation {
                    rule: 7,
                    at: Duration::ZERO,
                    text: format!("m{link} read {shard_id} more than {READS} times in a second"),
                });
                break;
            }
        }
    }
}
