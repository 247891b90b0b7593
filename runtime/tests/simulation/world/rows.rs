//! What a change of the table says of a lease row.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use kinesis_app_emulator::dynamodb::Change;

use crate::trace::{MachineId, Row, RowChange, shard_of};

pub(super) fn row_change(change: &Change) -> Option<(MachineId, RowChange)> {
    let either = change.after.as_ref().or(change.before.as_ref())?;
    let key = either.get("lease_key")?.as_s().ok()?;
    let shard_id = shard_of(key)?.to_owned();
    let machine = MachineId(change.link.parse().ok()?);
    let row = |item: &BTreeMap<String, AttributeValue>| {
        let text = |name: &str| item.get(name).and_then(|value| value.as_s().ok()).cloned();
        let number = |name: &str| {
            let value = item.get(name).and_then(|value| value.as_n().ok());
            value.and_then(|text| text.parse().ok()).unwrap_or_default()
        };
        Row {
            session: text("lease_session"),
            counter: number("lease_counter"),
            checkpoint: text("checkpoint"),
            generation: number("generation"),
        }
    };
    let change = RowChange {
        shard_id,
        before: change.before.as_ref().map(row),
        after: change.after.as_ref().map(row),
    };
    Some((machine, change))
}
