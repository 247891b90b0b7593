//! Rule 6 on streams that were resharded before or between the starts: parents first, each from where the application begins.

use kinesis_app_emulator::Trim;
use tokio::time::sleep;

use crate::{
    start::tip,
    world::{FIRST, STREAM, World, secs},
};

#[tokio::test(start_paused = true)]
async fn a_first_start_at_the_tip_skips_what_closed_parents_hold_and_reads_what_comes() {
    let world = World::new(1);
    world.put("ada", "old");
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "old");
    sleep(secs(60)).await;
    let running = world.start_app(tip::App).await;
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    sleep(secs(30)).await;
    let mut begun = world.ledger.begun();
    begun.sort();
    assert_eq!(begun, ["left", "right"]);
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_time_inside_a_closed_parent_begins_there_and_its_children_follow_from_their_beginning() {
    let world = World::new(1);
    world.put("ada", "a1");
    sleep(secs(10)).await;
    let at = world.now_millis();
    world.put_all("ada", ["a2", "a3"]);
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    sleep(secs(10)).await;
    let running = world.start_at(at).await.expect("a start");
    sleep(secs(30)).await;
    let mut begun = world.ledger.begun();
    assert_eq!(begun[..2], ["a2", "a3"]);
    begun.sort();
    assert_eq!(begun, ["a2", "a3", "left", "right"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_time_behind_a_reshard_begins_there_in_the_children() {
    let world = World::new(1);
    world.put("ada", "old");
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "old");
    sleep(secs(10)).await;
    let at = world.now_millis();
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    sleep(secs(10)).await;
    let running = world.start_at(at).await.expect("a start");
    sleep(secs(30)).await;
    let mut begun = world.ledger.begun();
    begun.sort();
    assert_eq!(begun, ["left", "right"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn children_whose_parent_was_trimmed_while_nobody_ran_do_not_begin_at_the_tip() {
    let world = World::new(1);
    sleep(secs(60)).await;
    let running = world.start_app(tip::App).await;
    world.put("ada", "a1");
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    world
        .kinesis
        .trim(STREAM, FIRST, Trim::Oldest(1))
        .expect("a record to trim");
    sleep(secs(600)).await;
    let running = world.start_app(tip::App).await;
    sleep(secs(120)).await;
    let mut begun = world.ledger.begun();
    begun.sort();
    assert_eq!(begun, ["a1", "left", "right"]);
    running.shutdown().await.expect("a clean stop");
}
