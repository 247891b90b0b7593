//! Which shards there are: every page of every listing, what vanishes between two of them, and what it costs.

use std::collections::BTreeMap;

use kinesis_app::{Checkpoint, ShardName};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Kinesis, Limits, Operation, Trim};
use tokio::time::{Instant, sleep};

use crate::{
    tricks::Tricks,
    world::{Deed, FIRST, STREAM, World, ledger, secs},
};

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
    for shard_id in world.shards() {
        world.put_to(&shard_id, "key", &shard_id);
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

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_doubled_three_times_is_read_in_all_its_shards_before_the_next_listing() {
    let world = World::new(1);
    let running = world.start().await;
    sleep(secs(2)).await;
    let open = || {
        let shards = world.kinesis.shards(STREAM).expect("the stream");
        shards.into_iter().filter(|shard| shard.open)
    };
    for _ in 0..3 {
        for shard in open() {
            world
                .kinesis
                .split(STREAM, &shard.shard_id)
                .expect("a split");
        }
    }
    for shard in open() {
        world.put_to(&shard.shard_id, "key", &shard.shard_id);
    }
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended().len(), 8);
    assert_eq!(world.leases.rows().len(), 15);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_empty_page_of_a_listing_is_its_end_only_without_a_token() {
    let world = World::new(1);
    let (aws, tricks) = Tricks::new(&world.kinesis);
    world.put("ada", "1");
    let shard = r#"{"Shards":[{"ShardId":"shardId-000000000000","HashKeyRange":{"StartingHashKey":"0","EndingHashKey":"340282366920938463463374607431768211455"},"SequenceNumberRange":{"StartingSequenceNumber":"1"}}],"NextToken":"last"}"#;
    tricks.answer("ListShards", 200, r#"{"Shards":[],"NextToken":"next"}"#, 1);
    tricks.answer("ListShards", 200, shard, 1);
    tricks.answer("ListShards", 200, r#"{"Shards":[]}"#, 1);
    let launch = world.launch(ledger::App).aws(aws);
    let running = launch.start().await.expect("a start");
    sleep(secs(2)).await;
    assert_eq!(world.ledger.ended(), ["1"]);
    assert_eq!(world.kinesis.calls(Operation::ListShards), 3);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_vanishes_under_its_reader_is_reported_and_its_children_are_read() {
    let world = World::new(1);
    let first = world.put("ada", "a1");
    let running = world.start().await;
    sleep(secs(5)).await;
    let throttle = Fault::new(Operation::GetRecords, FaultKind::Throttle).shard(FIRST);
    world.kinesis.fault(throttle.always());
    world.put_all("ada", ["a2", "a3"]);
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "b1");
    world.put_to(&right, "r", "c1");
    world
        .kinesis
        .trim(STREAM, FIRST, Trim::Oldest(3))
        .expect("records to trim");
    world.kinesis.clear_faults();
    sleep(secs(180)).await;
    let mut ended = world.ledger.ended();
    ended.sort();
    assert_eq!(ended, ["a1", "b1", "c1"]);
    let vanished: Vec<_> = running.health().vanished.into_values().collect();
    assert_eq!(vanished, [Some(Checkpoint::After(first))]);
    assert!(running.health().is_good(), "and it is over");
    running.shutdown().await.expect("a clean stop");
}

#[cfg(feature = "dynamodb")]
#[tokio::test(start_paused = true)]
async fn a_thousand_shards_start_from_a_table_with_two_reads_and_two_writes_for_each() {
    use kinesis_app_emulator::dynamodb::Operation as Table;

    let world = wide();
    put_to_all(&world);
    let leases = kinesis_app::DynamoLeases::new(&world.kinesis.sdk_config(), "leases");
    let launch = world.launch(ledger::App).leases(leases.create_if_missing());
    let asked = Instant::now();
    let running = launch.start().await.expect("a start");
    let took = asked.elapsed();
    let table = world.kinesis.dynamodb();
    let calls = [
        Table::Scan,
        Table::GetItem,
        Table::PutItem,
        Table::UpdateItem,
    ]
    .map(|operation| table.calls(operation));
    assert!(took <= secs(30), "{took:?}");
    let many = u64::from(MANY);
    let [scans, reads, creations, updates] = calls;
    // One alone takes sixteen leases, then as many as it holds, and looks in between whether others take some: eight rounds.
    assert!(scans <= 1 + 8, "{calls:?} in {took:?}");
    // The stream's own row is created, and read when it is met, in each round, and for its bell, which rings once.
    assert!(
        reads <= 2 * many + 9 + took.as_secs(),
        "{calls:?} in {took:?}"
    );
    assert_eq!([creations, updates], [many + 1, many + 1], "in {took:?}");
    assert_eq!(world.kinesis.calls(Operation::ListShards), 2);
    assert_eq!(world.kinesis.calls(Operation::GetShardIterator), many);
    sleep(secs(2)).await;
    assert_eq!(world.ledger.ended().len(), MANY as usize);
    drop(running);
}
