//! The stream's row, which says the generation, is deleted by hand.

use kinesis_app::StoredStart;
use tokio::time::sleep;

use super::world::STREAM_KEY;
use crate::world::{World, secs};

#[tokio::test(start_paused = true)]
async fn a_stream_row_that_is_deleted_by_hand_comes_back_as_it_stood() {
    let world = World::new(1);
    world.put_all("ada", ["1", "2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    world.seek(StoredStart::TrimHorizon).await;
    sleep(secs(35)).await;
    let before = world.stream_row().await;
    world.leases.delete(STREAM_KEY);
    sleep(secs(35)).await;
    assert_eq!(world.stream_row().await, before);
    assert_eq!(world.ledger.begun(), ["1", "2", "1", "2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_row_that_is_deleted_while_nobody_runs_takes_no_checkpoint_with_it() {
    let world = World::new(2);
    world.put_all("ada", ["1", "2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    let running = world.start_again(20).await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    world.leases.delete(STREAM_KEY);
    world.put("ada", "3");
    let running = world.start().await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "1", "2", "3"]);
    assert_eq!(world.stream_row().await.generation, 1);
    running.shutdown().await.expect("a clean stop");
}
