//! A start that ignores checkpoints: a seek to `start`, made by whoever starts while nobody reads.

use futures_util::{StreamExt, TryStreamExt, stream};
use kinesis_app_rules::defaults;
use tokio::time::sleep;

use super::write_stream;
use crate::{
    app::shared::Instance,
    cause::Chain,
    leases::{
        row::LeaseRow,
        store::StoreError,
        stream_row::{StoredStart, StreamRow, StreamWrite},
    },
    planted::{Bug, planted},
};

/// Begins every shard anew from a position, unless somebody reads the stream: who joins uses the positions that he finds.
///
/// `seen` was read before it is judged whether somebody reads: of two who start together one seeks, and the other, whose write is refused
/// for the generation moved, joins him. The answer is the row that stands then.
pub(crate) async fn unless_read(
    instance: &Instance,
    seen: StreamRow,
    position: StoredStart,
) -> Result<StreamRow, StoreError> {
    let rows = read_rows_patiently(instance, &seen.key).await?;
    if is_read(instance, &seen.key, &rows).await? && !planted(Bug::JoinIgnoresCheckpoints) {
        tracing::info!(stream = %seen.key, "others read the stream: checkpoints are used");
        return Ok(seen);
    }
    // Another seek just now, by somebody who has not begun yet.
    let begun = rows.iter().any(|row| row.generation == seen.generation);
    if seen.begins_at() == position && seen.generation > 0 && !begun {
        return Ok(seen);
    }
    let write = StreamWrite::Seek {
        key: seen.key,
        seen_generation: seen.generation,
        position,
    };
    let stands = write_stream(instance, &write).await?;
    if write.stands_in(&stands) {
        tracing::info!(stream = %stands.key, generation = stands.generation, ?position, "checkpoints are ignored");
    }
    Ok(stands)
}

/// Whether a lease of the stream is live: its row moves, or is taken while it is watched.
async fn is_read(
    instance: &Instance,
    stream_key: &str,
    first: &[LeaseRow],
) -> Result<bool, StoreError> {
    let durations = first.iter().filter_map(|row| row.holder.as_ref());
    let Some(longest) = durations.map(|holder| holder.lease_duration).max() else {
        return Ok(false);
    };
    let timing = instance.timing;
    // The wait runs from the answer of the first reading to the sending of the last.
    let watches = longest
        .max(timing.lease_duration)
        .as_nanos()
        .div_ceil(timing.heartbeat.as_nanos());
    for _ in 0..watches {
        sleep(timing.heartbeat).await;
        let now = read_rows_patiently(instance, stream_key).await?;
        let stood_still = |row: &LeaseRow| {
            first.iter().any(|seen| {
                seen.key == row.key
                    && seen.counter == row.counter
                    && seen.session() == row.session()
            })
        };
        let mut held = now.iter().filter(|row| row.holder.is_some());
        if !held.all(stood_still) {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn read_rows_patiently(
    instance: &Instance,
    stream_key: &str,
) -> Result<Vec<LeaseRow>, StoreError> {
    let mut failures = 0;
    loop {
        match read_rows(instance, stream_key).await {
            Err(error) if error.is_retryable() && failures < defaults::START_TRIES => {
                failures += 1;
                tracing::warn!(stream = stream_key, failures, error = %Chain(&error), "lease rows not read yet");
                sleep(instance.backoff.wait(failures)).await;
            }
            answer => return answer,
        }
    }
}

/// The stream's rows, each read by itself: a listing may lag, a reading of one row does not.
async fn read_rows(instance: &Instance, stream_key: &str) -> Result<Vec<LeaseRow>, StoreError> {
    let listed = instance.store.leases(stream_key).await?;
    let reads = listed
        .into_iter()
        .map(|row| async move { instance.store.lease(&row.key).await });
    let reads: Vec<_> = stream::iter(reads)
        .buffered(defaults::STORE_CALLS_AT_A_TIME)
        .try_collect()
        .await?;
    Ok(reads.into_iter().flatten().collect())
}
