//! `Outcome::Hold`: the record is left unhandled, its key goes on, its checkpoint does not.

use std::time::Duration;

use kinesis_app::{HeldRecords, Running};
use kinesis_app_emulator::{Kinesis, Limits};
use tokio::time::{Instant, sleep};

use crate::world::{Deed, FIRST, STREAM, World, secs};

fn held(running: &Running) -> Option<HeldRecords> {
    let health = running.health();
    health.shards.into_values().find_map(|shard| shard.held)
}

/// How often the record's handling began.
fn times(world: &World, text: &str) -> usize {
    let begun = world.ledger.begun();
    begun.iter().filter(|begun| *begun == text).count()
}

#[tokio::test(start_paused = true)]
async fn a_held_record_stops_nothing_but_the_checkpoint() {
    let world = World::new(1);
    world.ledger.plan("2", [Deed::Hold]);
    let first = world.put("ada", "1");
    let second = world.put("ada", "2");
    world.put_all("ada", ["3", "4"]);
    world.put("bob", "5");
    let running = world.start().await;
    sleep(secs(60)).await;
    assert_eq!(times(&world, "2"), 1, "an open shard goes on without it");
    assert_eq!(world.ledger.ended().len(), 4);
    assert_eq!(world.checkpoint(FIRST), Some(first.clone()));
    let shown = held(&running).expect("health shows it");
    assert_eq!((shown.records, shown.sequence_number), (1, second));
    assert!(
        shown.for_how_long > secs(58),
        "its age: {:?}",
        shown.for_how_long
    );
    assert!(running.health().is_good(), "nobody has to act");
    let asked = Instant::now();
    running.shutdown().await.expect("a clean stop");
    assert!(asked.elapsed() < secs(1), "it holds no stop up");
    assert_eq!(world.checkpoint(FIRST), Some(first));
}

#[tokio::test(start_paused = true)]
async fn a_held_record_is_handled_when_its_shard_begins_anew_after_a_stop_and_after_a_crash() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::Hold, Deed::Hold]);
    world.put("ada", "1");
    let last = world.put("ada", "2");
    let running = world.start().await;
    sleep(secs(2)).await;
    running.shutdown().await.expect("a clean stop");
    let another = world.start_another().await;
    sleep(secs(2)).await;
    assert_eq!(times(&world, "1"), 2, "held again");
    drop(another);
    let third = world.start().await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "1", "2", "1", "2"]);
    assert_eq!(world.checkpoint(FIRST), Some(last));
    assert_eq!(held(&third), None);
    third.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn whoever_takes_the_shard_over_is_given_its_held_records() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::Hold]);
    world.put_all("ada", ["1", "2"]);
    let running = world.start().await;
    let another = world.start_another().await;
    sleep(secs(5)).await;
    drop(running);
    sleep(secs(60)).await;
    assert_eq!(world.ledger.ended(), ["2", "1", "2"]);
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_shard_read_to_its_end_begins_again_at_its_held_record_and_its_children_wait() {
    let world = World::new(1);
    world.ledger.plan("2", [Deed::Hold, Deed::Hold]);
    let first = world.put("ada", "1");
    let second = world.put("ada", "2");
    world.put("ada", "3");
    let running = world.start().await;
    sleep(secs(2)).await;
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "child");
    sleep(secs(25)).await;
    assert_eq!(times(&world, "2"), 1);
    sleep(secs(10)).await;
    assert_eq!(times(&world, "2"), 2, "after the longest back-off, 30 s");
    assert_eq!(times(&world, "1"), 1, "and from it, not from before it");
    assert_eq!(world.checkpoint(FIRST), Some(first));
    let shown = held(&running).expect("held again");
    assert_eq!(shown.sequence_number, second);
    assert!(
        shown.for_how_long > secs(30),
        "as long as ever: {:?}",
        shown.for_how_long
    );
    assert_eq!(times(&world, "child"), 0);
    sleep(secs(35)).await;
    assert_eq!(
        world.ledger.begun(),
        ["1", "2", "3", "2", "3", "2", "3", "child"]
    );
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    assert_eq!(held(&running), None);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_runs_or_is_tried_again_is_waited_for_before_the_shard_begins_again() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::Hold]);
    world.ledger.plan("2", [Deed::Take(secs(100))]);
    world.ledger.plan("3", [Deed::RetryAfter(secs(50))]);
    for (key, text) in [("a", "1"), ("b", "2"), ("c", "3"), ("b", "4")] {
        world.put(key, text);
    }
    let running = world.start().await;
    sleep(secs(2)).await;
    world.kinesis.split(STREAM, FIRST).expect("a split");
    sleep(secs(120)).await;
    assert_eq!(world.ledger.ended(), ["3", "2", "4"]);
    assert_eq!(times(&world, "1"), 1);
    sleep(secs(60)).await;
    assert_eq!(times(&world, "1"), 2);
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stop_at_the_end_of_a_shard_with_a_held_record_waits_for_nothing() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::Hold]);
    world.put("ada", "1");
    let running = world.start().await;
    world.kinesis.split(STREAM, FIRST).expect("a split");
    sleep(secs(10)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a clean stop");
    assert!(asked.elapsed() < secs(1), "{:?}", asked.elapsed());
    assert_eq!(world.checkpoint(FIRST), None);
}

#[tokio::test(start_paused = true)]
async fn a_full_window_behind_a_held_record_begins_again_at_it() {
    let kinesis = Kinesis::builder().limits(Limits::Off).build();
    kinesis.create_stream(STREAM, 1).expect("a new stream");
    let world = World {
        kinesis,
        ..World::new(1)
    };
    for number in 0..120_000 {
        world.put("one key", &number.to_string());
    }
    world.ledger.plan("0", [Deed::Hold]);
    let running = world.start().await;
    sleep(secs(20)).await;
    let begun = world.ledger.begun().len();
    assert!(
        (100_000..120_000).contains(&begun),
        "the window of 100,000 is full: {begun}"
    );
    assert_eq!(times(&world, "0"), 1);
    sleep(secs(40)).await;
    assert_eq!(times(&world, "0"), 2);
    assert_eq!(times(&world, "119999"), 1, "and goes on to the last");
    sleep(Duration::from_secs(5)).await;
    let shard = running.health().shards.into_values().next();
    assert_eq!(
        shard.map(|shard| (shard.settled, shard.window, shard.held)),
        Some((120_000, 0, None))
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_full_window_behind_a_held_record_does_not_begin_again_before_the_rest_of_it_is_handled()
{
    let kinesis = Kinesis::builder().limits(Limits::Off).build();
    kinesis.create_stream(STREAM, 1).expect("a new stream");
    let world = World {
        kinesis,
        ..World::new(1)
    };
    world.ledger.plan("0", [Deed::Hold]);
    for number in 0..101_000 {
        world.put(&format!("key {}", number % 1_000), &number.to_string());
    }
    // As many as are handled at a time, within the last page that fits: a shard reads on when nothing more can begin.
    for number in 92_000..92_008 {
        world
            .ledger
            .plan(&number.to_string(), [Deed::Take(secs(100))]);
    }
    let running = world.start().await;
    sleep(secs(180)).await;
    let begun = world.ledger.begun();
    let last_of_zero = begun.iter().rposition(|text| text == "0");
    let waited = begun.iter().position(|text| text == "99000");
    assert_eq!(times(&world, "0"), 2);
    assert!(last_of_zero > waited && waited.is_some());
    running.shutdown().await.expect("a clean stop");
}
