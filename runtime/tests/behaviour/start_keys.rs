//! Keys of a stream that say what a start does with what is stored: through the macro.

use kinesis_app::prelude::*;
use tokio::time::sleep;

use crate::world::{Ledger, World, entry, secs};

/// Reads everything that is kept, whenever it starts.
#[kinesis_app(name = "billing", leases(memory))]
mod again {
    use super::*;

    #[stream(name = "orders", start(trim_horizon, ignore_checkpoint), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(
        bytes: Bytes,
        key: PartitionKey,
        shard: ShardId,
        attempt: Attempt,
        State(ledger): State<Ledger>,
    ) -> Result<Outcome, String> {
        ledger.handle(entry(&bytes, &key, &shard, attempt)).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_that_ignores_checkpoints_reads_from_its_position_every_time() {
    let world = World::new(1);
    world.put_all("ada", ["1", "2"]);
    for starts in 1..=3 {
        let running = world.start_app(again::App).await;
        sleep(secs(10)).await;
        running.shutdown().await.expect("a clean stop");
        assert_eq!(world.ledger.begun(), ["1", "2"].repeat(starts));
    }
    // Without the key, what was handled stays handled.
    let running = world.start().await;
    sleep(secs(10)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.ledger.begun().len(), 6);
}
