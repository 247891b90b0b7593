//! The rows of shards that have none yet: of the children that a reader finds at the end of its shard, and of those that a listing shows.

use std::time::Duration;

use kinesis_app_rules::defaults;
use tokio::time::{Instant, sleep};

use super::StreamContext;
use crate::{
    cause::{Chain, HandlerError},
    leases::{
        foreign::ForeignRow,
        row::{Checkpoint, LeaseRow, lease_key},
        store::StoreError,
        write::LeaseWrite,
    },
    planted::{Bug, planted},
    pulse::Pulse,
    service_error::{Class, ServiceError},
    shards::ListedShard,
    spec::Checkpoints,
};

/// What became of the rows of a shard's children.
pub(super) enum Children {
    Stored,
    /// The listing shows none: the shard is not closed after all.
    None,
    Fatal(HandlerError),
}

/// A finished row whose children have none would hide them for ever: their rows come first.
pub(super) async fn create_children(
    stream: &StreamContext,
    shard_id: &str,
    generation: u64,
    named: Vec<ListedShard>,
    pulse: &Pulse,
) -> Children {
    let mut children = match named {
        named if named.is_empty() => match look_for_children(stream, shard_id, pulse).await {
            Ok(found) if found.is_empty() => {
                tracing::warn!(
                    stream = stream.label,
                    shard = shard_id,
                    "an end without children; the shard is read again"
                );
                return Children::None;
            }
            Ok(found) => found,
            Err(error) => return Children::Fatal(error.into()),
        },
        named => named,
    };
    let mut failures = 0;
    while let Some(child) = children.pop() {
        pulse.until(Instant::now() + defaults::ATTEMPT_TIMEOUT_DYNAMODB);
        match create_child(stream, &child, generation).await {
            Ok(true) => failures = 0,
            // The coordinator watches what another system left of it, and creates it in the end.
            Ok(false) => {
                children.push(child);
                rest(stream.instance.timing.heartbeat, pulse).await;
            }
            Err(StoreError::Fatal(error)) => {
                return Children::Fatal(StoreError::Fatal(error).into());
            }
            Err(error) => {
                failures += 1;
                tracing::warn!(stream = stream.label, shard = %child.shard_id, error = %Chain(&error), "child row not created yet");
                children.push(child);
                rest(stream.instance.backoff.wait(failures), pulse).await;
            }
        }
    }
    Children::Stored
}

/// Whether the row of a child stands: one that another system has a row of begins where that one ended, and not before it ended.
async fn create_child(
    stream: &StreamContext,
    child: &ListedShard,
    generation: u64,
) -> Result<bool, StoreError> {
    let foreign = foreign_row(stream, &child.shard_id, generation).await?;
    if foreign.is_none() {
        create_row(stream, child, &Origin::New, generation).await?;
        return Ok(true);
    }
    let key = lease_key(&stream.instance.app, &stream.name, &child.shard_id);
    Ok(stream.instance.store.lease(&key).await?.is_some())
}

/// What another system stores of a shard. A seek makes it void, and so does a start that ignores checkpoints.
pub(crate) async fn foreign_row(
    stream: &StreamContext,
    shard_id: &str,
    generation: u64,
) -> Result<Option<ForeignRow>, StoreError> {
    if generation > 0 || stream.checkpoints == Checkpoints::Ignore {
        return Ok(None);
    }
    stream.instance.store.foreign(&stream.name, shard_id).await
}

async fn look_for_children(
    stream: &StreamContext,
    shard_id: &str,
    pulse: &Pulse,
) -> Result<Vec<ListedShard>, ServiceError> {
    for look in 1..=defaults::CHILD_LOOKS {
        match children_of(stream, shard_id, pulse).await {
            Ok(children) if !children.is_empty() => return Ok(children),
            Ok(_) => {}
            Err(error) if error.is_retryable() || error.class() == Class::Expired => {
                tracing::warn!(stream = stream.label, shard = shard_id, %error, "children not listed yet");
            }
            Err(error) => return Err(error),
        }
        rest(stream.instance.backoff.wait(look), pulse).await;
    }
    Ok(Vec::new())
}

async fn rest(wait: Duration, pulse: &Pulse) {
    pulse.until(Instant::now() + wait);
    sleep(wait).await;
}

async fn children_of(
    stream: &StreamContext,
    shard_id: &str,
    pulse: &Pulse,
) -> Result<Vec<ListedShard>, ServiceError> {
    let page = || pulse.until(Instant::now() + defaults::ATTEMPT_TIMEOUT_KINESIS);
    let listing = stream.kinesis.list_shards(page).await?;
    Ok(listing
        .into_iter()
        .filter(|shard| shard.parents.iter().any(|parent| parent == shard_id))
        .collect())
}

/// What is known of a shard that has no row.
#[derive(Debug)]
pub(crate) enum Origin {
    /// Nothing: it begins where its generation does.
    New,
    /// How its row stood before it was deleted by hand.
    Deleted(LeaseRow),
    /// How far another system was.
    Foreign(Option<Checkpoint>),
}

/// Creates the row of a shard; a row that stands already is as good. The generation is the one that the shard was found in: what a reader
/// of a stream that is gone finds is none of the shards of the stream that has its name now.
pub(crate) async fn create_row(
    stream: &StreamContext,
    shard: &ListedShard,
    origin: &Origin,
    generation: u64,
) -> Result<(), StoreError> {
    let key = lease_key(&stream.instance.app, &stream.name, &shard.shard_id);
    let row = new_row(key, shard, origin, generation);
    match stream.instance.store.write(&LeaseWrite::Create(row)).await {
        Ok(_) | Err(StoreError::Refused) => Ok(()),
        Err(error) => Err(error),
    }
}

fn new_row(key: String, shard: &ListedShard, origin: &Origin, generation: u64) -> LeaseRow {
    let (counter, checkpoint, generation) = match origin {
        Origin::New if planted(Bug::CountersFromZero) => (0, None, generation),
        Origin::New => (generation << defaults::COUNTER_BITS, None, generation),
        Origin::Foreign(checkpoint) => (
            generation << defaults::COUNTER_BITS,
            checkpoint.clone(),
            generation,
        ),
        // Above the highest seen: a late write of an old tenure must not fit the new row.
        Origin::Deleted(last) => (last.counter + 2, last.checkpoint.clone(), last.generation),
    };
    LeaseRow {
        key,
        shard_id: shard.shard_id.clone(),
        parents: shard.parents.clone(),
        holder: None,
        wanted_by: None,
        counter,
        checkpoint,
        generation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_row_is_of_the_generation_that_its_shard_was_found_in_and_counts_from_above_older_ones()
    {
        let shard = ListedShard {
            shard_id: "child".into(),
            parents: vec!["parent".into()],
        };
        let new = |origin, generation| new_row("key".into(), &shard, &origin, generation);
        let counters = [0, 1, 2].map(|generation| {
            let row = new(Origin::New, generation);
            assert_eq!(row.generation, generation);
            row.counter
        });
        assert_eq!(
            counters,
            [0, 1 << defaults::COUNTER_BITS, 2 << defaults::COUNTER_BITS]
        );
        let last = LeaseRow {
            counter: 9,
            ..new(Origin::New, 1)
        };
        let again = new(Origin::Deleted(last), 2);
        assert_eq!((again.generation, again.counter), (1, 11));
    }
}
