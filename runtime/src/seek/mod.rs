//! Repositioning: one conditional write of the stream's row, which every shard then begins anew from.

use kinesis_app_rules::defaults;
use tokio::time::sleep;

use crate::{
    app::shared::Instance,
    cause::Chain,
    leases::{
        store::StoreError,
        stream_row::{StreamRow, StreamWrite},
    },
};

pub(crate) mod error;
pub(crate) mod ignore_checkpoint;
mod one_shard;
pub(crate) mod seeker;
mod stream_wide;

/// Carries out a write of a stream's row. The answer is the row that stands then: as the write left it, or as somebody else did who was
/// faster.
pub(crate) async fn write_stream(
    instance: &Instance,
    write: &StreamWrite,
) -> Result<StreamRow, StoreError> {
    let store = &instance.store;
    let mut failures = 0;
    loop {
        let answer = match store.write_stream(write).await {
            Err(StoreError::Refused) => store.stream(write.key()).await.and_then(|row| {
                row.ok_or_else(|| StoreError::Unavailable("the stream's row is gone".into()))
            }),
            answer => answer,
        };
        match answer {
            Err(error) if error.is_retryable() && failures < defaults::START_TRIES => {
                failures += 1;
                tracing::warn!(stream = %write.key(), failures, error = %Chain(&error), "stream row not written yet");
                sleep(instance.backoff.wait(failures)).await;
            }
            answer => return answer,
        }
    }
}
