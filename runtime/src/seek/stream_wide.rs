//! Every shard of a stream begins anew.

use std::collections::BTreeMap;

use futures_util::{StreamExt, TryStreamExt, stream};
use kinesis_app_rules::defaults;
use tokio::time::{sleep, timeout};

use super::error::SeekError;
use crate::{
    app::{meet, problem::StreamProblem},
    cause::Chain,
    leases::{
        store::StoreError,
        stream_row::{StoredStart, StreamRow, StreamWrite},
    },
    reader::StreamContext,
    service_error::{Class, ServiceError},
    source::kinesis::Anchor,
    spec::Start,
};

/// First everything that may fail: what the position means, and an iterator for each shard that is read here. Then the conditional
/// write, and when it stands, this instance knows of it before anything else of an older generation begins.
pub(super) async fn seek(context: &StreamContext, start: Start) -> Result<(), SeekError> {
    let label = context.label;
    let service = |source| SeekError::Service {
        stream: label,
        source,
    };
    let description = patiently(context, || context.kinesis.describe()).await;
    let description = description.map_err(service)?;
    let position = meet::resolve(start, &description).map_err(|problem| match problem {
        StreamProblem::StartInTheFuture { ahead_seconds } => SeekError::InTheFuture {
            stream: label,
            ahead_seconds,
        },
        _ => SeekError::NoClock { stream: label },
    })?;
    let iterators = iterators(context, start, position).await.map_err(service)?;
    let stands = write(context, position).await?;
    tracing::info!(
        stream = label,
        generation = stands.generation,
        ?position,
        "stream repositioned"
    );
    #[cfg(feature = "testing")]
    context.instance.board.sought(label, start, position);
    context.known.learn_sought(stands, iterators);
    context.bell.call();
    Ok(())
}

/// The iterators that the shards which are read here begin with. One that the service has forgotten meanwhile needs none.
async fn iterators(
    context: &StreamContext,
    start: Start,
    position: StoredStart,
) -> Result<BTreeMap<String, String>, ServiceError> {
    // The tip itself, while the position is a time before it.
    let anchor = match start {
        Start::Latest => Anchor::Tip,
        Start::TrimHorizon | Start::Timestamp { .. } => position.into(),
    };
    let shards = context.tenures.all().into_iter();
    let iterators = shards.map(|(shard_id, _)| {
        let anchor = &anchor;
        async move {
            let call = || context.kinesis.iterator(&shard_id, anchor);
            match patiently(context, call).await {
                Ok(iterator) => Ok(Some((shard_id, iterator))),
                Err(error) if error.class() == Class::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        }
    });
    let iterators: Vec<_> = stream::iter(iterators)
        .buffered(defaults::ITERATORS_AT_A_TIME)
        .try_collect()
        .await?;
    Ok(iterators.into_iter().flatten().collect())
}

/// Calls until an answer comes that a retry does not change, or too often.
pub(super) async fn patiently<T, F>(
    context: &StreamContext,
    call: impl Fn() -> F,
) -> Result<T, ServiceError>
where
    F: Future<Output = Result<T, ServiceError>>,
{
    let mut failures = 0;
    loop {
        match call().await {
            Err(error) if error.is_retryable() && failures + 1 < defaults::SEEK_TRIES => {
                failures += 1;
                sleep(context.instance.backoff.wait(failures)).await;
            }
            answer => return answer,
        }
    }
}

/// The row with the position in it. Of two who seek at once the later one wins: a write that was refused is repeated in the generation
/// that stands.
async fn write(context: &StreamContext, position: StoredStart) -> Result<StreamRow, SeekError> {
    let (label, store) = (context.label, &context.instance.store);
    let mut seen = context.known.row();
    // An earlier try may have been carried out.
    let mut doubtful = false;
    let mut failures = 0;
    loop {
        let write = StreamWrite::Seek {
            key: seen.key.clone(),
            seen_generation: seen.generation,
            position,
        };
        let asked = async {
            match store.write_stream(&write).await {
                Err(StoreError::Refused) => store.stream(&seen.key).await,
                answer => answer.map(Some),
            }
        };
        let answer = timeout(defaults::SEEK_WRITE, asked).await;
        let source = match answer {
            Ok(Ok(Some(row))) if write.stands_in(&row) => return Ok(row),
            // A write in it would mean nothing: it is lifted above what is known here.
            Ok(Ok(Some(row))) if row.generation < context.known.generation() => {
                context.bell.call();
                StoreError::Unavailable("the stream's row was put back by somebody".into())
            }
            Ok(Ok(Some(row))) => {
                // Somebody else has sought meanwhile; what was tried before is refused as well, unless it came before that.
                doubtful &= row.generation > seen.generation + 1;
                seen = row;
                StoreError::Unavailable("somebody else repositions the stream".into())
            }
            Ok(Ok(None)) => StoreError::Unavailable("the stream's row is gone".into()),
            Ok(Err(error)) => {
                doubtful |= error.is_retryable();
                error
            }
            Err(_) => {
                doubtful = true;
                StoreError::Unavailable("it did not answer in time".into())
            }
        };
        failures += 1;
        if matches!(source, StoreError::Fatal(_)) || failures >= defaults::SEEK_TRIES {
            return Err(if doubtful {
                SeekError::Unknown {
                    stream: label,
                    source,
                }
            } else {
                SeekError::Store {
                    stream: label,
                    source,
                }
            });
        }
        tracing::warn!(stream = label, failures, error = %Chain(&source), "position not stored yet");
        sleep(context.instance.backoff.wait(failures)).await;
    }
}
