//! Rule 2 across splits and merges: a child starts when every parent is finished, and closed is not finished.

use std::time::Duration;

use kinesis_app::LeaseWrite;
use kinesis_app_emulator::{Operation, Trim};
use tokio::time::sleep;

use crate::{
    store::Recording,
    world::{Deed, FIRST, SECOND, STREAM, World, ledger, secs},
};

const THIRD: &str = "shardId-000000000002";

#[tokio::test(start_paused = true)]
async fn a_parent_that_was_closed_before_the_start_is_read_first_and_whole() {
    let world = World::new(1);
    world.put_all("ada", ["a1", "a2", "a3"]);
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    let running = world.start().await;
    sleep(secs(10)).await;
    let begun = world.ledger.begun();
    assert_eq!(begun[..3], ["a1", "a2", "a3"]);
    assert_eq!(begun.len(), 5);
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn children_of_a_split_wait_for_the_last_record_of_their_parent() {
    let world = World::new(1);
    world.ledger.plan("a2", [Deed::Take(secs(60))]);
    world.put_all("ada", ["a1", "a2"]);
    let running = world.start().await;
    sleep(secs(2)).await;
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    sleep(secs(50)).await;
    assert_eq!(
        world.ledger.begun(),
        ["a1", "a2"],
        "the parent is closed and read, and its last record is being handled"
    );
    sleep(secs(30)).await;
    let mut ended = world.ledger.ended();
    assert_eq!(ended[..2], ["a1", "a2"]);
    ended.sort();
    assert_eq!(ended, ["a1", "a2", "left", "right"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_keeps_failing_in_a_closed_shard_keeps_its_children_waiting_until_it_passes()
{
    let world = World::new(1);
    world.ledger.plan("a2", vec![Deed::Fail; 10]);
    world.put_all("ada", ["a1", "a2"]);
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "ada", "a3");
    let running = world.start().await;
    sleep(secs(20)).await;
    assert_eq!(world.ledger.ended(), ["a1"]);
    sleep(secs(240)).await;
    assert_eq!(world.ledger.ended(), ["a1", "a2", "a3"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_child_of_a_merge_waits_for_both_parents() {
    let world = World::new(2);
    world.ledger.plan("slow", [Deed::Take(secs(40))]);
    world.put_to(FIRST, "one", "quick");
    world.put_to(SECOND, "two", "slow");
    let running = world.start().await;
    sleep(secs(2)).await;
    let merged = world.kinesis.merge(STREAM, FIRST, SECOND).expect("a merge");
    world.put_to(&merged, "one", "child");
    sleep(secs(30)).await;
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    assert!(
        !world.ledger.begun().contains(&"child".into()),
        "the second parent is not finished"
    );
    sleep(secs(20)).await;
    assert_eq!(
        world.ledger.ended().last().map(String::as_str),
        Some("child")
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn empty_parents_are_finished_all_the_same() {
    let world = World::new(2);
    let running = world.start().await;
    sleep(secs(2)).await;
    let merged = world.kinesis.merge(STREAM, FIRST, SECOND).expect("a merge");
    let [left, _] = world.kinesis.split(STREAM, &merged).expect("a split");
    world.put_to(&left, "k", "grandchild");
    sleep(secs(20)).await;
    assert_eq!(world.ledger.ended(), ["grandchild"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_finished_parent_is_not_read_again_by_the_next_start() {
    let world = World::new(1);
    world.put_all("ada", ["a1", "a2"]);
    let running = world.start().await;
    sleep(secs(2)).await;
    world.kinesis.split(STREAM, FIRST).expect("a split");
    sleep(secs(10)).await;
    running.shutdown().await.expect("a clean stop");
    let another = world.start_another().await;
    world.put_to(THIRD, "l", "left");
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), ["a1", "a2", "left"]);
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_trimmed_parent_does_not_keep_its_children_waiting() {
    let world = World::new(1);
    world.put_all("ada", ["a1", "a2"]);
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    world
        .kinesis
        .trim(STREAM, FIRST, Trim::Oldest(2))
        .expect("records to trim");
    assert!(
        world
            .kinesis
            .shards(STREAM)
            .expect("the stream")
            .iter()
            .all(|shard| shard.shard_id != FIRST),
        "the shard is gone"
    );
    let running = world.start().await;
    sleep(secs(10)).await;
    let mut ended = world.ledger.ended();
    ended.sort();
    assert_eq!(ended, ["left", "right"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn rows_of_finished_shards_go_when_the_service_has_forgotten_the_shards() {
    let world = World::new(1);
    world.put_all("ada", ["a1"]);
    let running = world.start().await;
    sleep(secs(2)).await;
    world.kinesis.split(STREAM, FIRST).expect("a split");
    sleep(secs(10)).await;
    world
        .kinesis
        .trim(STREAM, FIRST, Trim::Oldest(1))
        .expect("a record to trim");
    sleep(secs(120)).await;
    let shards: Vec<String> = world
        .leases
        .rows()
        .into_iter()
        .map(|row| row.shard_id)
        .collect();
    assert_eq!(shards, [SECOND, THIRD]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_lost_or_out_of_order_through_a_storm_of_splits_and_merges() {
    let world = World::new(2);
    // Longer than a read: children that did not wait would overtake.
    world.ledger.always(Deed::Take(Duration::from_millis(400)));
    let running = world.start().await;
    let mut put = 0;
    for round in 0..12 {
        for _ in 0..40 {
            world.put(&format!("key{}", put % 13), &put.to_string());
            put += 1;
        }
        let open: Vec<_> = world
            .kinesis
            .shards(STREAM)
            .expect("the stream")
            .into_iter()
            .filter(|shard| shard.open)
            .collect();
        if round % 3 == 2 {
            let mut open = open;
            open.sort_by_key(|shard| shard.hash_range.start);
            world
                .kinesis
                .merge(STREAM, &open[0].shard_id, &open[1].shard_id)
                .expect("adjacent shards");
        } else {
            world
                .kinesis
                .split(STREAM, &open[round % open.len()].shard_id)
                .expect("a split");
        }
        sleep(secs(1)).await;
    }
    sleep(secs(300)).await;
    let entries = world.ledger.entries();
    assert_eq!(
        entries.len(),
        put,
        "every record once in a run without failures"
    );
    for key in 0..13 {
        let key = format!("key{key}");
        let numbers: Vec<usize> = entries
            .iter()
            .filter(|entry| entry.key == key)
            .map(|entry| entry.text.parse().expect("a number"))
            .collect();
        assert!(numbers.is_sorted(), "{key}: {numbers:?}");
    }
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_child_waits_for_a_parent_that_is_trimmed_while_its_last_record_is_handled() {
    let world = World::new(1);
    world.ledger.plan("a2", [Deed::Take(secs(600))]);
    world.put_all("ada", ["a1", "a2"]);
    let running = world.start().await;
    sleep(secs(2)).await;
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "ada", "a3");
    world.put_to(&right, "ada", "a3");
    world
        .kinesis
        .trim(STREAM, FIRST, Trim::Oldest(2))
        .expect("records to trim");
    sleep(secs(300)).await;
    assert_eq!(world.ledger.begun(), ["a1", "a2"]);
    sleep(secs(400)).await;
    assert_eq!(world.ledger.ended(), ["a1", "a2", "a3", "a3"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_halted_shard_that_is_trimmed_costs_no_more_listings() {
    let world = World::new(1);
    world.ledger.plan("a2", [Deed::Halt("closed")]);
    world.put_all("ada", ["a1", "a2"]);
    let running = world.start().await;
    sleep(secs(2)).await;
    world.kinesis.split(STREAM, FIRST).expect("a split");
    world
        .kinesis
        .trim(STREAM, FIRST, Trim::Oldest(2))
        .expect("records to trim");
    sleep(secs(70)).await;
    let before = world.kinesis.calls(Operation::ListShards);
    sleep(secs(60)).await;
    assert_eq!(world.kinesis.calls(Operation::ListShards) - before, 2);
    running.shutdown().await.expect("a clean stop");
}

/// The owner died before it marked the closed shard as done, and retention removed the shard; its row stayed.
#[tokio::test(start_paused = true)]
async fn the_row_that_a_crashed_owner_left_of_a_trimmed_shard_is_closed_and_keeps_nobody_waiting() {
    let world = World::new(1);
    world.ledger.plan("a3", [Deed::Hang]);
    world.put_all("ada", ["a1", "a2", "a3"]);
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
    let another = world.start_another().await;
    sleep(secs(180)).await;
    let mut ended = world.ledger.ended();
    ended.sort();
    assert_eq!(ended, ["a1", "a2", "b1", "c1"]);
    assert_eq!(
        world.checkpoint(FIRST),
        None,
        "finished, and forgotten with its shard"
    );
    let before = world.kinesis.calls(Operation::ListShards);
    sleep(secs(60)).await;
    assert_eq!(world.kinesis.calls(Operation::ListShards) - before, 2);
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn children_have_rows_before_their_parent_is_marked_as_finished() {
    let world = World::new(1);
    let store = Recording::default();
    let running = world
        .launch(ledger::App)
        .leases(store.clone())
        .start()
        .await
        .expect("a start");
    sleep(secs(2)).await;
    world.kinesis.split(STREAM, FIRST).expect("a split");
    sleep(secs(5)).await;
    let writes = store.writes();
    let end = writes
        .iter()
        .position(|write| matches!(write, LeaseWrite::End { .. }))
        .expect("finished");
    let children = writes[..end]
        .iter()
        .filter(|write| matches!(write, LeaseWrite::Create(row) if row.parents == [FIRST]))
        .count();
    assert_eq!(children, 2, "{writes:#?}");
    running.shutdown().await.expect("a clean stop");
}
