//! Rule 2 across restarts and instances: who reads a parent, and when, makes no difference to its children.

use kinesis_app::Running;
use tokio::time::sleep;

use crate::{
    phantom::Phantom,
    world::{Deed, Event, FIRST, SECOND, STREAM, World, secs},
};

#[tokio::test(start_paused = true)]
async fn a_parent_that_was_closed_while_nobody_ran_is_read_on_from_its_checkpoint_before_its_children()
 {
    let world = World::new(1);
    world.put_all("ada", ["a1", "a2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    world.put_all("ada", ["a3", "a4", "a5"]);
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "b1");
    world.put_to(&right, "r", "c1");
    let another = world.start_another().await;
    sleep(secs(30)).await;
    let begun = world.ledger.begun();
    assert_eq!(begun[..5], ["a1", "a2", "a3", "a4", "a5"]);
    assert_eq!(begun.len(), 7, "{begun:?}");
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_was_closed_right_behind_its_checkpoint_ends_and_its_children_start() {
    let world = World::new(1);
    world.put_all("ada", ["a1", "a2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "b1");
    let another = world.start_another().await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), ["a1", "a2", "b1"]);
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stop_in_the_middle_of_a_closed_parent_leaves_its_rest_and_then_its_children() {
    let world = World::new(1);
    world.put_all("ada", ["a1", "a2", "a3", "a4", "a5", "a6"]);
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "b1");
    world.put_to(&right, "r", "c1");
    world.ledger.plan("a3", [Deed::Take(secs(5))]);
    let running = world.start().await;
    sleep(secs(2)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.ledger.ended(), ["a1", "a2", "a3"]);
    let another = world.start_another().await;
    sleep(secs(30)).await;
    let begun = world.ledger.begun();
    assert_eq!(begun[..6], ["a1", "a2", "a3", "a4", "a5", "a6"]);
    assert_eq!(begun.len(), 8, "{begun:?}");
    another.shutdown().await.expect("a clean stop");
}

/// Two instances: the first reads the first shard, the second one the other.
async fn one_each(world: &World) -> (Running, Running) {
    let phantom = Phantom::take(world, SECOND).await;
    let one = world.start().await;
    phantom.release().await;
    let two = world.start_another().await;
    let owners = world.leases.rows();
    let owner = |row: usize| owners[row].holder.as_ref().expect("held").session.clone();
    assert_ne!(owner(0), owner(1));
    (one, two)
}

/// Ten seconds for each record of key `m`, none for those of key `k`.
fn slow_and_quick(world: &World) {
    for number in 1..=5 {
        world.put_to(FIRST, "k", &format!("x{number}"));
        world.put_to(SECOND, "m", &format!("y{number}"));
        world
            .ledger
            .plan(&format!("y{number}"), [Deed::Take(secs(10))]);
    }
}

fn merge(world: &World) {
    let child = world.kinesis.merge(STREAM, FIRST, SECOND).expect("a merge");
    world.put_to(&child, "k", "x6");
    world.put_to(&child, "m", "y6");
}

const WHOLE: [&str; 12] = [
    "x1", "x2", "x3", "x4", "x5", "y1", "y2", "y3", "y4", "y5", "x6", "y6",
];

#[tokio::test(start_paused = true)]
async fn a_merged_shard_waits_for_the_parent_that_another_instance_reads() {
    let world = World::new(2);
    slow_and_quick(&world);
    let (one, two) = one_each(&world).await;
    sleep(secs(5)).await;
    merge(&world);
    sleep(secs(44)).await;
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    assert_eq!(world.ledger.begun().len(), 10, "the last parent is at work");
    sleep(secs(60)).await;
    let mut ended = world.ledger.ended();
    ended[..10].sort();
    ended[10..].sort();
    assert_eq!(ended, WHOLE);
    assert_eq!(world.ledger.begun().len(), 12, "each once");
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_parent_whose_reader_crashed_is_read_to_its_end_by_another_before_the_merged_shard() {
    let world = World::new(2);
    slow_and_quick(&world);
    let (one, two) = one_each(&world).await;
    sleep(secs(5)).await;
    merge(&world);
    sleep(secs(20)).await;
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    drop(two);
    sleep(secs(120)).await;
    let mut ended = world.ledger.ended();
    ended[..10].sort();
    ended[10..].sort();
    assert_eq!(ended, WHOLE);
    let begun = world.ledger.begun();
    assert_eq!(begun.len(), 13, "one was at work in the crash: {begun:?}");
    one.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_restart_reads_the_unfinished_parent_then_the_merged_shard_then_its_children_side_by_side()
 {
    let world = World::new(2);
    slow_and_quick(&world);
    let running = world.start().await;
    sleep(secs(35)).await;
    let merged = world.kinesis.merge(STREAM, FIRST, SECOND).expect("a merge");
    world.put_to(&merged, "z", "z");
    let [left, right] = world.kinesis.split(STREAM, &merged).expect("a split");
    world.put_to(&left, "e", "e");
    world.put_to(&right, "f", "f");
    sleep(secs(2)).await;
    drop(running);
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    assert_eq!(world.checkpoint(&merged), None);
    for text in ["z", "e", "f"] {
        world.ledger.plan(text, [Deed::Take(secs(5))]);
    }
    let before = world.ledger.events().len();
    let another = world.start_another().await;
    sleep(secs(120)).await;
    let events: Vec<_> = world.ledger.events()[before..]
        .iter()
        .map(|(event, entry)| (*event, entry.text.clone()))
        .collect();
    let (begun, ended) = (Event::Begun, Event::Ended);
    let serial = [
        (begun, "y4"),
        (ended, "y4"),
        (begun, "y5"),
        (ended, "y5"),
        (begun, "z"),
        (ended, "z"),
    ];
    assert_eq!(
        events[..6],
        serial.map(|(event, text)| (event, text.to_owned()))
    );
    assert_eq!(
        events[6..]
            .iter()
            .map(|(event, _)| *event)
            .collect::<Vec<_>>(),
        [begun, begun, ended, ended],
        "neither child waits for the other: {events:?}"
    );
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_parent_that_waits_for_its_last_handler_keeps_its_lease_beside_another_instance() {
    let world = World::new(1);
    world.ledger.plan("a2", [Deed::Take(secs(120))]);
    world.put_all("ada", ["a1", "a2"]);
    let one = world.start().await;
    let two = world.start_another().await;
    sleep(secs(2)).await;
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "b1");
    sleep(secs(200)).await;
    assert_eq!(world.ledger.begun(), ["a1", "a2", "b1"]);
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_parent_whose_row_was_deleted_by_hand_is_read_again_and_its_children_go_on_where_they_were()
 {
    let world = World::new(1);
    world.put("ada", "a1");
    let running = world.start().await;
    sleep(secs(2)).await;
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "b1");
    sleep(secs(10)).await;
    running.shutdown().await.expect("a clean stop");
    world.leases.delete(&format!("billing:orders:{FIRST}"));
    world.put_to(&left, "l", "b2");
    let another = world.start_another().await;
    sleep(secs(30)).await;
    assert_eq!(world.ledger.ended(), ["a1", "b1", "a1", "b2"]);
    another.shutdown().await.expect("a clean stop");
}
