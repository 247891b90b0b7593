use std::sync::{Mutex, PoisonError};

use super::{
    extract::BatchContext,
    handler::BatchHandler,
    outcome::{BatchSettled, BatchVerdict},
    queue::Group,
};
use crate::{
    app::wire::Wire,
    dispatch::{
        attempt::Bench,
        desk::{Ended, EndedBatch, Job},
    },
};

/// One attempt at a batch.
pub(in crate::dispatch) async fn attempt_batch<W: Wire, H: BatchHandler<W>>(
    bench: &Bench<'_, W::State>,
    group: Group<Job>,
) -> Ended {
    let mut readings = group.entries.iter().map(|entry| entry.item.reading);
    let settled = if let Err(why) = readings.try_for_each(|reading| bench.gate.lets_begin(reading))
    {
        Err(why)
    } else {
        let left_out = Mutex::default();
        let cx = BatchContext {
            entries: &group.entries,
            shard_id: bench.shard_id,
            token: bench.gate.token(),
            shutdown: &bench.shutdown,
            state: bench.state,
            directory: bench.directory,
            left_out: &left_out,
        };
        let call = async { H::call(&cx).await.unwrap_or_else(BatchSettled::from) };
        let settled = bench.hear(call).await;
        let settled = settled.unwrap_or_else(|verdict| BatchSettled(BatchVerdict::Failed(verdict)));
        let left_out = left_out.into_inner();
        Ok((left_out.unwrap_or_else(PoisonError::into_inner), settled))
    };
    Ended::Batch(EndedBatch { group, settled })
}
