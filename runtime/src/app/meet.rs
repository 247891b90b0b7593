//! The first words with a stream: is it there, since when, and where does this application begin in it.

use std::{sync::Arc, time::SystemTime};

use kinesis_app_rules::defaults;
use tokio::time::{Duration, Instant, sleep};

use super::{config::StreamConfig, problem::StreamProblem, shared::Instance};
use crate::{
    leases::row::{StoredStart, StreamRow, stream_key},
    source::{
        error::{Class, ServiceError},
        kinesis::{Description, Kinesis},
    },
    spec::Start,
};

/// A start gives a service that stumbles a few tries, and says what it heard if it goes on stumbling.
const TRIES: u32 = 4;
/// How long a stream may take to become readable.
const CREATION: Duration = Duration::from_mins(1);
const CREATION_POLL: Duration = Duration::from_secs(1);

/// Where every shard without a checkpoint begins, from now on and for everybody.
pub(crate) async fn meet(
    instance: &Arc<Instance>,
    kinesis: &Kinesis,
    config: &StreamConfig,
) -> Result<StoredStart, StreamProblem> {
    let description = readable(instance, kinesis, config).await?;
    let resolved = resolve(config.start, &description)?;
    let key = stream_key(&instance.app, config.name());
    let row = StreamRow {
        key,
        created_millis: description.created_millis,
        start: resolved,
        generation: 0,
    };
    let stands = instance
        .store
        .meet_stream(&row)
        .await
        .map_err(StreamProblem::Store)?;
    if stands.created_millis != row.created_millis {
        return Err(StreamProblem::Recreated);
    }
    // `latest` resolves to another time at every start; only the others can be seen to have been edited.
    if config.start != Start::Latest && stands.start != row.start {
        tracing::warn!(stream = config.label, stored = ?stands.start, declared = ?config.start, "the stored start holds; an edited one does nothing");
    }
    Ok(stands.start)
}

async fn readable(
    instance: &Instance,
    kinesis: &Kinesis,
    config: &StreamConfig,
) -> Result<Description, StreamProblem> {
    let patience = Instant::now() + CREATION;
    let mut failures = 0;
    let mut created = false;
    loop {
        match kinesis.describe().await {
            Ok(description) if description.readable => return Ok(description),
            Ok(_) if Instant::now() < patience => sleep(CREATION_POLL).await,
            Ok(_) => return Err(StreamProblem::NotReady),
            Err(error) => match (error.class(), config.create) {
                (Class::NotFound, Some(shards)) if !created => {
                    created = create(kinesis, shards).await?;
                    tracing::info!(stream = config.label, shards, "stream created");
                }
                // The service may not know for a moment what it just created.
                (Class::NotFound, Some(_)) if Instant::now() < patience => {
                    sleep(CREATION_POLL).await;
                }
                _ if error.is_retryable() && failures + 1 < TRIES => {
                    failures += 1;
                    sleep(instance.backoff.wait(failures, instance.chance.part())).await;
                }
                _ => return Err(error.into()),
            },
        }
    }
}

/// Another instance may be creating it at the same moment.
async fn create(kinesis: &Kinesis, shards: u32) -> Result<bool, ServiceError> {
    match kinesis.create(shards).await {
        Ok(()) => Ok(true),
        Err(error) if error.class() == Class::InUse => Ok(true),
        Err(error) => Err(error),
    }
}

/// `latest` is the service's time now, less a margin: a position that means the same to every instance and after every crash. The
/// seconds of the margin may be read again; without it, records could fall between the clock and the first iterator.
fn resolve(start: Start, description: &Description) -> Result<StoredStart, StreamProblem> {
    let now = description.date.map_or(0, millis);
    match start {
        Start::TrimHorizon => Ok(StoredStart::TrimHorizon),
        Start::Latest => {
            let margin = i64::try_from(defaults::LATEST_MARGIN.as_millis()).unwrap_or(0);
            Ok(StoredStart::At {
                millis: (now - margin).max(0),
            })
        }
        // The service refuses a time ahead of its clock, shard by shard and for ever.
        Start::Timestamp { millis } if millis > now => Err(StreamProblem::StartInTheFuture {
            ahead_seconds: (millis - now).unsigned_abs().div_ceil(1000),
        }),
        Start::Timestamp { millis } => Ok(StoredStart::At { millis }),
    }
}

fn millis(at: SystemTime) -> i64 {
    let since = at
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
