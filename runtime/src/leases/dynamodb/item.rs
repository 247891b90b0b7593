//! Rows as items: names and types of the attributes, both ways. Pure.

use std::{collections::HashMap, time::Duration};

use aws_sdk_dynamodb::types::AttributeValue;

use crate::leases::row::{Checkpoint, Holder, LeaseRow, StoredStart, StreamRow};

pub(super) type Item = HashMap<String, AttributeValue>;

/// The hash key, and the only key.
pub(super) const KEY: &str = "lease_key";
pub(super) const SHARD: &str = "shard_id";
pub(super) const PARENTS: &str = "parents";
pub(super) const OWNER: &str = "lease_owner";
pub(super) const SESSION: &str = "lease_session";
pub(super) const DURATION: &str = "lease_duration_ms";
pub(super) const COUNTER: &str = "lease_counter";
pub(super) const CHECKPOINT: &str = "checkpoint";
pub(super) const GENERATION: &str = "generation";
const CREATED: &str = "stream_created_ms";
const START: &str = "start";
const START_TIME: &str = "start_ms";

/// What a finished shard's checkpoint says; no sequence number looks like it.
const SHARD_END: &str = "SHARD_END";
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
    text(match checkpoint {
        Checkpoint::After(sequence) => sequence,
        Checkpoint::ShardEnd => SHARD_END,
    })
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
    Ok(LeaseRow {
        key: fields.text(KEY)?.into(),
        shard_id: fields.text(SHARD)?.into(),
        parents: parents.ok_or_else(|| fields.unreadable(PARENTS))?,
        holder,
        counter: fields.number(COUNTER)?,
        checkpoint: fields.maybe_text(CHECKPOINT).map(|reached| match reached {
            SHARD_END => Checkpoint::ShardEnd,
            sequence => Checkpoint::After(sequence.into()),
        }),
        generation: fields.number(GENERATION)?,
    })
}

pub(super) fn of_stream(row: &StreamRow) -> Item {
    let mut item = Item::from([
        (KEY.into(), text(&row.key)),
        (CREATED.into(), number(row.created_millis)),
        (GENERATION.into(), number(row.generation)),
    ]);
    match row.start {
        StoredStart::TrimHorizon => item.insert(START.into(), text(TRIM_HORIZON)),
        StoredStart::At { millis } => {
            item.insert(START.into(), text(AT_TIMESTAMP));
            item.insert(START_TIME.into(), number(millis))
        }
    };
    item
}

pub(super) fn to_stream(item: &Item) -> Result<StreamRow, Unreadable> {
    let fields = Fields(item);
    Ok(StreamRow {
        key: fields.text(KEY)?.into(),
        created_millis: fields.number(CREATED)?,
        start: match fields.text(START)? {
            TRIM_HORIZON => StoredStart::TrimHorizon,
            AT_TIMESTAMP => StoredStart::At {
                millis: fields.number(START_TIME)?,
            },
            _ => return Err(fields.unreadable(START)),
        },
        generation: fields.number(GENERATION)?,
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
            "[0-9]{1,129}".prop_map(Checkpoint::After)
        ];
        let parents = prop::collection::vec("shardId-[0-9]{12}", 0..3);
        (
            parents,
            prop::option::of(holder),
            any::<u64>(),
            prop::option::of(reached),
            any::<u64>(),
        )
            .prop_map(
                |(parents, holder, counter, checkpoint, generation)| LeaseRow {
                    key: "app:orders:shardId-000000000000".into(),
                    shard_id: "shardId-000000000000".into(),
                    parents,
                    holder,
                    counter,
                    checkpoint,
                    generation,
                },
            )
    }

    proptest! {
        #[test]
        fn a_lease_row_comes_back_as_it_was_stored(row in row()) {
            prop_assert_eq!(to_lease(&of_lease(&row)), Ok(row));
        }

        #[test]
        fn a_stream_row_comes_back_as_it_was_stored(created_millis in any::<i64>(), start in prop::option::of(any::<i64>()), generation in any::<u64>()) {
            let start = start.map_or(StoredStart::TrimHorizon, |millis| StoredStart::At { millis });
            let row = StreamRow { key: "app:orders".into(), created_millis, start, generation };
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
