//! Keys of a stream that say what a start does with what is stored: through the macro.

use kinesis_app::prelude::*;
use tokio::time::sleep;

use crate::world::{Entry, Ledger, STREAM, World, secs};

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
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
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

/// Takes whatever stream has the name.
#[kinesis_app(name = "billing", leases(memory))]
mod whichever {
    use super::*;

    #[stream(
        name = "orders",
        start(trim_horizon),
        codec(Raw),
        on_recreated(restart)
    )]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_took_the_name_of_another_is_read_from_its_start_if_it_may_be() {
    let world = World::new(1);
    world.put("ada", "old");
    let running = world.start_app(whichever::App).await;
    sleep(secs(10)).await;
    running.shutdown().await.expect("a clean stop");
    world.kinesis.delete_stream(STREAM).expect("it is there");
    sleep(secs(60)).await;
    world
        .kinesis
        .create_stream(STREAM, 1)
        .expect("the name is free");
    world.put("ada", "new");
    let refused = world.try_start(crate::world::ledger::App).await;
    let refused = refused.expect_err("the default").to_string();
    assert!(refused.contains("deleted and created again"), "{refused}");
    let running = world.start_app(whichever::App).await;
    sleep(secs(10)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.ledger.begun(), ["old", "new"]);
}
