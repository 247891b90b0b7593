//! Rule 7: the service's five reads a second and shard.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use kinesis_app_emulator::{Call, Operation, Outcome};

use super::Violation;

const READS: usize = 5;

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
