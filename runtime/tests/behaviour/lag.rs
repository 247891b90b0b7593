//! A service that is behind itself for moments: what is not listed yet is not gone, what is not found yet is asked for again.

use std::time::Duration;

use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::sleep;

use crate::{
    tricks::Tricks,
    world::{Deed, FIRST, SECOND, STREAM, World, ledger, secs},
};

#[tokio::test(start_paused = true)]
async fn a_child_of_a_merge_that_is_not_listed_yet_is_read() {
    let world = World::new(2);
    let (aws, tricks) = Tricks::new(&world.kinesis);
    let running = world
        .launch(ledger::App)
        .aws(aws)
        .start()
        .await
        .expect("a start");
    sleep(secs(5)).await;
    tricks.stale_listing(true);
    world
        .ledger
        .plan("slow", [Deed::Take(Duration::from_millis(1500))]);
    world.put_to(SECOND, "two", "slow");
    let merged = world.kinesis.merge(STREAM, FIRST, SECOND).expect("a merge");
    world.put_to(&merged, "one", "child");
    sleep(secs(4)).await;
    tricks.stale_listing(false);
    sleep(secs(120)).await;
    assert_eq!(world.ledger.ended(), ["slow", "child"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_child_of_a_split_that_is_neither_listed_nor_found_yet_is_read() {
    let world = World::new(1);
    let (aws, tricks) = Tricks::new(&world.kinesis);
    let running = world
        .launch(ledger::App)
        .aws(aws)
        .start()
        .await
        .expect("a start");
    sleep(secs(5)).await;
    tricks.stale_listing(true);
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    let not_found = FaultKind::Refuse(ErrorCode::ResourceNotFound);
    world
        .kinesis
        .fault(Fault::new(Operation::GetShardIterator, not_found).times(2));
    sleep(secs(2)).await;
    tricks.stale_listing(false);
    sleep(secs(120)).await;
    assert_eq!(world.ledger.begun(), ["left"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn one_answer_without_an_iterator_does_not_end_the_reading_of_an_open_shard() {
    let world = World::new(1);
    let (aws, tricks) = Tricks::new(&world.kinesis);
    let running = world
        .launch(ledger::App)
        .aws(aws)
        .start()
        .await
        .expect("a start");
    sleep(secs(2)).await;
    tricks.answer("GetRecords", 200, r#"{"Records":[]}"#, 1);
    sleep(secs(3)).await;
    world.put("ada", "1");
    sleep(secs(120)).await;
    assert_eq!(world.ledger.begun(), ["1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_listed_shard_that_is_not_found_is_asked_for_with_pauses() {
    let world = World::new(1);
    let running = world.start().await;
    sleep(secs(2)).await;
    let before = world.kinesis.calls(Operation::ListShards);
    let not_found = FaultKind::Refuse(ErrorCode::ResourceNotFound);
    world
        .kinesis
        .fault(Fault::new(Operation::GetShardIterator, not_found.clone()).always());
    world
        .kinesis
        .fault(Fault::new(Operation::GetRecords, not_found).times(1));
    sleep(secs(10)).await;
    let rounds = world.kinesis.calls(Operation::ListShards) - before;
    assert!((2..=5).contains(&rounds), "{rounds} rounds in ten seconds");
    world.kinesis.clear_faults();
    world.put("ada", "1");
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended(), ["1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn every_page_of_the_listing_is_read() {
    // The service lists 1,000 shards a page.
    let world = World::new(1200);
    let running = world.start().await;
    assert_eq!(world.leases.rows().len(), 1200);
    assert!(
        world.leases.rows().iter().all(|row| row.holder.is_some()),
        "all taken by the first round"
    );
    running.shutdown().await.expect("a clean stop");
}
