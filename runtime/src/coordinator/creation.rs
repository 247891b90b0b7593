//! The rows of shards that have none yet.

use futures_util::{StreamExt, TryStreamExt, stream};
use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::{Coordinator, Next, RoundError};
use crate::{
    leases::{
        foreign::{ForeignRow, Left},
        store::StoreError,
    },
    reader::children::{self, Origin},
    shards::ListedShard,
};

impl Coordinator {
    /// Creates them, but for those that another system still works on.
    pub(super) async fn create(
        &mut self,
        shards: &[ListedShard],
        generation: u64,
    ) -> Result<Next, RoundError> {
        let foreign = self.look_for_foreign(shards, generation).await?;
        let mut next = Next::Later;
        let mut rows = Vec::new();
        for (shard, (left, at)) in shards.iter().zip(foreign) {
            let left = match left {
                Some(row) => self.foreign.observe(
                    &shard.shard_id,
                    row,
                    at,
                    self.stream.instance.timing.lease_duration,
                ),
                None => Left::Nothing,
            };
            let origin = match (self.deleted.get(&shard.shard_id), left) {
                (Some(last), _) => Origin::Deleted(last.clone()),
                (None, Left::Nothing) => Origin::New,
                (None, Left::Checkpoint(checkpoint)) => {
                    tracing::info!(stream = self.stream.label, shard = %shard.shard_id, ?checkpoint, "checkpoint of another system is taken over");
                    Origin::Foreign(checkpoint)
                }
                (None, Left::Unsettled) => {
                    tracing::warn!(stream = self.stream.label, shard = %shard.shard_id, "another system has a lease of the shard; its row is watched");
                    next = Next::Watch;
                    continue;
                }
            };
            rows.push((shard, origin));
        }
        let creations = rows
            .iter()
            .map(|(shard, origin)| children::create_row(&self.stream, shard, origin, generation))
            // Collected, for a closure that lives across an await would borrow for too long.
            .collect::<Vec<_>>();
        let () = stream::iter(creations)
            .buffered(defaults::STORE_CALLS_AT_A_TIME)
            .try_collect()
            .await?;
        for (shard, _) in rows {
            self.deleted.remove(&shard.shard_id);
        }
        Ok(next)
    }

    /// What other systems store of the shards, each read with when it was asked for and answered.
    async fn look_for_foreign(
        &self,
        shards: &[ListedShard],
        generation: u64,
    ) -> Result<Vec<(Option<ForeignRow>, [Instant; 2])>, StoreError> {
        let looks = shards
            .iter()
            .map(|shard| async {
                let sent = Instant::now();
                let row = children::foreign_row(&self.stream, &shard.shard_id, generation).await?;
                Ok((row, [sent, Instant::now()]))
            })
            .collect::<Vec<_>>();
        stream::iter(looks)
            .buffered(defaults::STORE_CALLS_AT_A_TIME)
            .try_collect()
            .await
    }
}
