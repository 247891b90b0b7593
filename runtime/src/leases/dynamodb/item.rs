//! Rows as items: names and types of the attributes, both ways. Pure.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use aws_sdk_dynamodb::types::AttributeValue;

use crate::leases::{
    foreign::ForeignRow,
    row::{Checkpoint, Holder, LeaseRow, Wanted},
    stream_row::{StoredStart, StreamRow},
};

pub(super) type Item = HashMap<String, AttributeValue>;

/// The hash key, and the only key.
pub(super) const KEY: &str = "lease_key";
pub(super) const SHARD: &str = "shard_id";
pub(super) const PARENTS: &str = "parents";
pub(super) const OWNER: &str = "lease_owner";
pub(super) const SESSION: &str = "lease_session";
pub(super) const DURATION: &str = "lease_duration_ms";
pub(super) const WANTED_BY: &str = "wanted_by";
pub(super) const WANTED_SESSION: &str = "wanted_session";
pub(super) const COUNTER: &str = "lease_counter";
pub(super) const CHECKPOINT: &str = "checkpoint";
pub(super) const GENERATION: &str = "generation";
pub(super) const BELL: &str = "bell";
pub(super) const POSITION: &str = "position";
pub(super) const POSITION_TIME: &str = "position_ms";
pub(super) const CREATED: &str = "stream_created_ms";
pub(super) const START: &str = "start";
pub(super) const START_TIME: &str = "start_ms";

/// What a finished shard's checkpoint says; no sequence number looks like it.
const SHARD_END: &str = "SHARD_END";
/// In front of a sequence number that is the next one; without it, a sequence number is the last one.
const AT: &str = "AT_SEQUENCE_NUMBER ";
const TRIM_HORIZON: &str = "TRIM_HORIZON";
const AT_TIMESTAMP: &str = "AT_TIMESTAMP";

/// An item that is not a row of ours.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the item `{key}` has no attribute `{attribute}` that can be read")]
pub(super) struct Unreadable {
    key: String,
    attribute: &'static str,
}

pub(super) fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.into())
}

pub(super) fn number(value: impl std::fmt::Display) -> AttributeValue {
    AttributeValue::N(format!("{value}"))
}

pub(super) fn checkpoint(checkpoint: &Checkpoint) -> AttributeValue {
    match checkpoint {
        Checkpoint::After(sequence) => text(sequence),
        Checkpoint::At(sequence) => text(&format!("{AT}{sequence}")),
        Checkpoint::ShardEnd => text(SHARD_END),
    }
}

pub(super) fn millis(duration: Duration) -> AttributeValue {
    number(duration.as_millis())
}

pub(super) fn of_lease(row: &LeaseRow) -> Item {
    let mut item = Item::from([
        (KEY.into(), text(&row.key)),
        (SHARD.into(), text(&row.shard_id)),
        (COUNTER.into(), number(row.counter)),
        (GENERATION.into(), number(row.generation)),
        (
            PARENTS.into(),
            AttributeValue::L(row.parents.iter().map(|parent| text(parent)).collect()),
        ),
    ]);
    if let Some(holder) = &row.holder {
        item.insert(OWNER.into(), text(&holder.owner_id));
        item.insert(SESSION.into(), text(&holder.session));
        item.insert(DURATION.into(), millis(holder.lease_duration));
    }
    if let Some(wanted) = &row.wanted_by {
        item.insert(WANTED_BY.into(), text(&wanted.owner_id));
        item.insert(WANTED_SESSION.into(), text(&wanted.session));
    }
    if let Some(reached) = &row.checkpoint {
        item.insert(CHECKPOINT.into(), checkpoint(reached));
    }
    item
}

pub(super) fn to_lease(item: &Item) -> Result<LeaseRow, Unreadable> {
    let fields = Fields(item);
    let parents = item.get(PARENTS).and_then(|value| value.as_l().ok());
    let parents = parents.and_then(|list| {
        list.iter()
            .map(|value| value.as_s().ok().cloned())
            .collect()
    });
    let session = fields.maybe_text(SESSION);
    let holder = match session {
        None => None,
        Some(session) => Some(Holder {
            owner_id: fields.text(OWNER)?.into(),
            session: session.into(),
            lease_duration: Duration::from_millis(fields.number(DURATION)?),
        }),
    };
    let wanted_by = match fields.maybe_text(WANTED_SESSION) {
        None => None,
        Some(session) => Some(Wanted {
            owner_id: fields.text(WANTED_BY)?.into(),
            session: session.into(),
        }),
    };
    Ok(LeaseRow {
        key: fields.text(KEY)?.into(),
        shard_id: fields.text(SHARD)?.into(),
        parents: parents.ok_or_else(|| fields.unreadable(PARENTS))?,
        holder,
        wanted_by,
        counter: fields.number(COUNTER)?,
        checkpoint: fields.maybe_text(CHECKPOINT).map(to_checkpoint),
        generation: fields.number(GENERATION)?,
    })
}

fn to_checkpoint(text: &str) -> Checkpoint {
    match text.strip_prefix(AT) {
        Some(sequence) => Checkpoint::At(sequence.into()),
        None if text == SHARD_END => Checkpoint::ShardEnd,
        None => Checkpoint::After(text.into()),
    }
}

/// Of another system's row only the checkpoint is understood: a sequence number, or `SHARD_END`, as ours.
pub(super) fn to_foreign(item: &Item) -> Result<ForeignRow, Unreadable> {
    let fields = Fields(item);
    let checkpoint = if item.contains_key(CHECKPOINT) {
        let text = fields.text(CHECKPOINT)?;
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if text != SHARD_END && !is_number {
            return Err(fields.unreadable(CHECKPOINT));
        }
        Some(to_checkpoint(text))
    } else {
        None
    };
    let all: BTreeMap<_, _> = item.iter().collect();
    Ok(ForeignRow {
        checkpoint,
        stands: format!("{all:?}"),
    })
}

pub(super) fn of_stream(row: &StreamRow) -> Item {
    let mut item = Item::from([
        (KEY.into(), text(&row.key)),
        (CREATED.into(), number(row.created_millis)),
        (GENERATION.into(), number(row.generation)),
        (BELL.into(), number(row.bell)),
    ]);
    let places = [
        (Some(row.start), START, START_TIME),
        (row.position, POSITION, POSITION_TIME),
    ];
    for (place, kind, time) in places {
        let Some(place) = place else { continue };
        let (word, millis) = of_place(place);
        item.insert(kind.into(), word);
        item.extend(millis.map(|millis| (time.into(), millis)));
    }
    item
}

/// What a place is called, and its time if it is one.
pub(super) fn of_place(place: StoredStart) -> (AttributeValue, Option<AttributeValue>) {
    match place {
        StoredStart::TrimHorizon => (text(TRIM_HORIZON), None),
        StoredStart::At { millis } => (text(AT_TIMESTAMP), Some(number(millis))),
    }
}

pub(super) fn to_stream(item: &Item) -> Result<StreamRow, Unreadable> {
    let fields = Fields(item);
    let position = match fields.maybe_text(POSITION) {
        None => None,
        Some(_) => Some(fields.place(POSITION, POSITION_TIME)?),
    };
    Ok(StreamRow {
        key: fields.text(KEY)?.into(),
        created_millis: fields.number(CREATED)?,
        start: fields.place(START, START_TIME)?,
        generation: fields.number(GENERATION)?,
        position,
        bell: fields.number(BELL)?,
    })
}

struct Fields<'a>(&'a Item);

impl<'a> Fields<'a> {
    fn maybe_text(&self, attribute: &str) -> Option<&'a str> {
        self.0
            .get(attribute)
            .and_then(|value| value.as_s().ok())
            .map(String::as_str)
    }

    fn text(&self, attribute: &'static str) -> Result<&'a str, Unreadable> {
        self.maybe_text(attribute)
            .ok_or_else(|| self.unreadable(attribute))
    }

    fn number<N: std::str::FromStr>(&self, attribute: &'static str) -> Result<N, Unreadable> {
        let value = self.0.get(attribute).and_then(|value| value.as_n().ok());
        value
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| self.unreadable(attribute))
    }

    fn place(&self, kind: &'static str, time: &'static str) -> Result<StoredStart, Unreadable> {
        match self.text(kind)? {
            TRIM_HORIZON => Ok(StoredStart::TrimHorizon),
            AT_TIMESTAMP => Ok(StoredStart::At {
                millis: self.number(time)?,
            }),
            _ => Err(self.unreadable(kind)),
        }
    }

    fn unreadable(&self, attribute: &'static str) -> Unreadable {
        Unreadable {
            key: self.maybe_text(KEY).unwrap_or("?").into(),
            attribute,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row() -> impl Strategy<Value = LeaseRow> {
        let holder = ("[a-z]{1,9}", "[0-9a-f]{8}", 0..100_000_u64).prop_map(
            |(owner_id, session, millis)| Holder {
                owner_id,
                session,
                lease_duration: Duration::from_millis(millis),
            },
        );
        let reached = prop_oneof![
            Just(Checkpoint::ShardEnd),
            "[0-9]{1,129}".prop_map(Checkpoint::After),
            "[0-9]{1,129}".prop_map(Checkpoint::At)
        ];
        let parents = prop::collection::vec("shardId-[0-9]{12}", 0..3);
        let wanted = ("[a-z]{1,9}", "[0-9a-f]{8}")
            .prop_map(|(owner_id, session)| Wanted { owner_id, session });
        (
            parents,
            prop::option::of(holder),
            prop::option::of(wanted),
            any::<u64>(),
            prop::option::of(reached),
            any::<u64>(),
        )
            .prop_map(
                |(parents, holder, wanted_by, counter, checkpoint, generation)| LeaseRow {
                    key: "app:orders:shardId-000000000000".into(),
                    shard_id: "shardId-000000000000".into(),
                    parents,
                    holder,
                    wanted_by,
                    counter,
                    checkpoint,
                    generation,
                },
            )
    }

    fn place() -> impl Strategy<Value = StoredStart> {
        prop_oneof![
            Just(StoredStart::TrimHorizon),
            any::<i64>().prop_map(|millis| StoredStart::At { millis })
        ]
    }

    proptest! {
        #[test]
        fn a_lease_row_comes_back_as_it_was_stored(row in row()) {
            prop_assert_eq!(to_lease(&of_lease(&row)), Ok(row));
        }

        #[test]
        fn a_stream_row_comes_back_as_it_was_stored(created_millis in any::<i64>(), start in place(), generation in any::<u64>(), position in prop::option::of(place()), bell in any::<u64>()) {
            let row = StreamRow { key: "app:orders".into(), created_millis, start, generation, position, bell };
            prop_assert_eq!(to_stream(&of_stream(&row)), Ok(row));
        }
    }

    #[test]
    fn an_item_of_somebody_else_is_named_with_what_it_lacks() {
        let item = Item::from([
            (KEY.into(), text("app:orders:x")),
            (SHARD.into(), text("x")),
        ]);
        assert_eq!(
            to_lease(&item).expect_err("not a row").to_string(),
            "the item `app:orders:x` has no attribute `parents` that can be read"
        );
    }
}
