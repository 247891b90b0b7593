//! Which shards there are: every page of every listing, what vanishes between two of them, and what it costs.

use std::collections::BTreeMap;

use kinesis_app::{Checkpoint, ShardName};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Kinesis, Limits, Operation, Trim};
use tokio::time::{Instant, sleep};

use crate::world::{Deed, FIRST, STREAM, World, secs};

/// More than a page of a listing.
const MANY: u32 = 1_100;

fn wide() -> World {
    let kinesis = Kinesis::builder()
        .seed(1)
        .limits(Limits::Off)
        .latency(secs(1) / 200)
        .build();
    kinesis.create_stream(STREAM, MANY).expect("a new stream");
    World {
        kinesis,
        ..World::new(1)
    }
}

fn put_to_all(world: &World) {
    for shard in world.kinesis.shards(STREAM).expect("the stream") {
        world.put_to(&shard.shard_id, "key", &shard.shard_id);
    }
}

#[tokio::test(start_paused = true)]
async fn a_thousand_shards_start_within_seconds_with_one_listing_a_round() {
    let world = wide();
    put_to_all(&world);
    let asked = Instant::now();
    let running = world.start().await;
    assert!(asked.elapsed() < secs(5), "{:?}", asked.elapsed());
    sleep(secs(2)).await;
    assert_eq!(world.ledger.ended().len(), MANY as usize);
    let calls = |operation| world.kinesis.calls(operation);
    // One listing of two pages, and one iterator a shard.
    assert_eq!(calls(Operation::ListShards), 2);
    assert_eq!(calls(Operation::GetShardIterator), u64::from(MANY));
    assert_eq!(calls(Operation::DescribeStreamSummary), 1);
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn a_listing_whose_token_expires_in_the_middle_begins_again() {
    let world = wide();
    put_to_all(&world);
    let expired = FaultKind::Refuse(ErrorCode::ExpiredNextToken);
    world
        .kinesis
        .fault(Fault::new(Operation::ListShards, expired).after(1));
    let running = world.start().await;
    sleep(secs(2)).await;
    assert_eq!(world.ledger.ended().len(), MANY as usize);
    assert_eq!(world.kinesis.calls(Operation::ListShards), 4);
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_vanished_unread_is_reported_once_with_its_last_checkpoint() {
    let world = World::new(1);
    world.ledger.plan("a3", [Deed::Hang]);
    world.put("ada", "a1");
    let second = world.put("ada", "a2");
    world.put("ada", "a3");
    let running = world.start().await;
    sleep(secs(5)).await;
    drop(running);
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "b1");
    world.put_to(&right, "r", "c1");
    world
        .kinesis
        .trim(STREAM, FIRST, Trim::Oldest(3))
        .expect("records to trim");
    let one = world.start_another().await;
    let two = world.start().await;
    sleep(secs(180)).await;
    let mut ended = world.ledger.ended();
    ended.sort();
    assert_eq!(ended, ["a1", "a2", "b1", "c1"]);
    let first = ShardName {
        stream: "Orders",
        shard_id: FIRST.into(),
    };
    let expected = BTreeMap::from([(first, Some(Checkpoint::After(second)))]);
    let mut reported = [one.health().vanished, two.health().vanished];
    reported.sort_by_key(BTreeMap::len);
    assert_eq!(reported, [BTreeMap::new(), expected]);
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
    let again = world.start().await;
    sleep(secs(180)).await;
    assert!(again.health().vanished.is_empty(), "and it is over");
    again.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_is_found_by_its_parents_end_and_by_a_listing_has_one_row_and_one_reader() {
    let world = World::new(1);
    let running = world.start().await;
    for round in 0..4 {
        let open = world.kinesis.shards(STREAM).expect("the stream");
        let open = open.iter().find(|shard| shard.open).expect("one is open");
        let children = world
            .kinesis
            .split(STREAM, &open.shard_id)
            .expect("a split");
        for child in children {
            world.put_to(&child, "key", &format!("{round} {child}"));
        }
        sleep(secs(20)).await;
    }
    assert_eq!(world.ledger.begun().len(), 8, "{:?}", world.ledger.begun());
    assert_eq!(world.kinesis.calls(Operation::GetShardIterator), 9);
    running.shutdown().await.expect("a clean stop");
}
