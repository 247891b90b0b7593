//! What the service lists, asked for no more often than needed: every instance goes through a round when a bell rings.

use std::collections::BTreeSet;

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::{Coordinator, RoundError};
use crate::{leases::row::LeaseRow, shards::ListedShard};

/// A complete listing.
#[derive(Debug, Clone)]
pub(super) struct Listing {
    shards: Vec<ListedShard>,
    asked: Instant,
}

impl Listing {
    /// Whether it may still be gone by beside these rows, which are newer. A shard that it has and they have not may be finished and
    /// forgotten since; one that they have and it has not is new, or gone.
    fn is_good(&self, rows: &[LeaseRow]) -> bool {
        let listed: BTreeSet<&str> = self.shards.iter().map(|shard| &*shard.shard_id).collect();
        let stored: BTreeSet<&str> = rows.iter().map(|row| &*row.shard_id).collect();
        self.asked.elapsed() < defaults::LIST_SHARDS
            && listed.is_subset(&stored)
            && rows
                .iter()
                .all(|row| row.is_finished() || listed.contains(&*row.shard_id))
    }
}

impl Coordinator {
    /// Table first, then the listing: a shard whose row is missing was not finished and forgotten in between.
    pub(super) async fn listing(
        &mut self,
        rows: &[LeaseRow],
    ) -> Result<Vec<ListedShard>, RoundError> {
        if let Some(last) = &self.listing
            && last.is_good(rows)
            && !self.refused.doubts()
        {
            return Ok(last.shards.clone());
        }
        let asked = Instant::now();
        let shards = self.stream.kinesis.list_shards(|| ()).await?;
        if self.absences.count(rows, &shards, Instant::now()) {
            self.refused.doubt();
        }
        self.listing = Some(Listing {
            shards: shards.clone(),
            asked,
        });
        Ok(shards)
    }
}
