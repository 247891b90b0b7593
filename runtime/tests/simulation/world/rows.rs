//! What a change of the table says: of a lease row, or of the stream's own.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use kinesis_app_emulator::dynamodb::Change;

use crate::trace::{MachineId, Row, RowChange, StreamPlace, What, shard_of};

type Item = BTreeMap<String, AttributeValue>;

pub(super) fn told(change: &Change) -> Option<What> {
    let either = change.after.as_ref().or(change.before.as_ref())?;
    let key = text(either, "lease_key")?;
    let machine = MachineId(change.link.parse().ok()?);
    let Some(shard_id) = shard_of(&key) else {
        let row = place(change.after.as_ref()?);
        return Some(What::StreamRow { machine, row });
    };
    let change = RowChange {
        shard_id: shard_id.to_owned(),
        before: change.before.as_ref().map(row),
        after: change.after.as_ref().map(row),
    };
    Some(What::Row { machine, change })
}

fn row(item: &Item) -> Row {
    Row {
        session: text(item, "lease_session"),
        counter: number(item, "lease_counter").unwrap_or_default(),
        checkpoint: text(item, "checkpoint"),
        generation: number(item, "generation").unwrap_or_default(),
    }
}

fn place(item: &Item) -> StreamPlace {
    let begins_at = if item.contains_key("position") {
        number(item, "position_ms")
    } else {
        number(item, "start_ms")
    };
    StreamPlace {
        created_millis: number(item, "stream_created_ms").unwrap_or_default(),
        generation: number(item, "generation").unwrap_or_default(),
        begins_at,
    }
}

fn text(item: &Item, name: &str) -> Option<String> {
    item.get(name)?.as_s().ok().cloned()
}

fn number<T: std::str::FromStr>(item: &Item, name: &str) -> Option<T> {
    item.get(name)?.as_n().ok()?.parse().ok()
}
