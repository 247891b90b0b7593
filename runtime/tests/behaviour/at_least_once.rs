//! Rule 1: a checkpoint never passes a record that has not settled.

use std::time::Duration;

use kinesis_app_emulator::{Fault, FaultKind, Operation};
use tokio::time::sleep;

use crate::world::{Deed, FIRST, World, secs};

#[tokio::test(start_paused = true)]
async fn an_err_is_tried_again_until_it_passes() {
    let world = World::new(1);
    world.ledger.plan("2", [Deed::Fail, Deed::Fail]);
    world.put_all("ada", ["1", "2", "3"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "2", "2", "3"]);
    assert_eq!(world.ledger.ended(), ["1", "2", "3"]);
    let attempts: Vec<u32> = world
        .ledger
        .entries()
        .iter()
        .map(|entry| entry.attempt)
        .collect();
    assert_eq!(attempts, [1, 1, 2, 3, 1]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_tried_again_and_hurts_nobody_else() {
    let world = World::new(1);
    world.ledger.plan("2", [Deed::Panic]);
    world.put_all("ada", ["1", "2", "3"]);
    world.put_all("bob", ["b1", "b2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    let mut ended = world.ledger.ended();
    ended.sort();
    assert_eq!(ended, ["1", "2", "3", "b1", "b2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn the_checkpoint_waits_before_a_record_that_keeps_failing() {
    let world = World::new(1);
    world.ledger.plan("2", std::iter::repeat_n(Deed::Fail, 100));
    let first = world.put("ada", "1");
    world.put_all("ada", ["2", "3"]);
    world.put_all("bob", ["b1", "b2"]);
    let running = world.start().await;
    sleep(secs(60)).await;
    assert_eq!(world.checkpoint(FIRST), Some(first.clone()));
    assert!(
        world.ledger.ended().contains(&"b2".into()),
        "other keys go on"
    );
    running.shutdown().await.expect("a clean stop");
    assert_eq!(
        world.checkpoint(FIRST),
        Some(first),
        "not by the last write either"
    );

    // What another start is given begins at the record that did not settle.
    let another = world.start_another().await;
    sleep(secs(2)).await;
    assert!(
        world
            .ledger
            .begun()
            .iter()
            .filter(|text| *text == "b1")
            .count()
            == 2
    );
    assert_eq!(
        world
            .ledger
            .begun()
            .iter()
            .filter(|text| *text == "1")
            .count(),
        1
    );
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn retry_after_waits_as_long_as_it_says() {
    let world = World::new(1);
    world
        .ledger
        .plan("1", [Deed::RetryAfter(secs(30)), Deed::Retry]);
    world.put_all("ada", ["1"]);
    let running = world.start().await;
    sleep(secs(29)).await;
    assert_eq!(world.ledger.begun().len(), 1);
    sleep(secs(3)).await;
    assert_eq!(world.ledger.begun().len(), 3);
    assert_eq!(world.ledger.ended(), ["1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_skipped_record_is_passed_and_counted() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::Skip]);
    world.put("ada", "1");
    let last = world.put("ada", "2");
    let running = world.start().await;
    sleep(secs(5)).await;
    assert_eq!(world.checkpoint(FIRST), Some(last));
    let health = running.health();
    assert_eq!(
        health
            .shards
            .values()
            .map(|shard| shard.skipped)
            .sum::<u64>(),
        1
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_crash_hands_out_again_what_had_not_settled_and_loses_nothing() {
    let world = World::new(1);
    world.ledger.plan("3", [Deed::Hang]);
    world.put_all("ada", ["1", "2", "3", "4"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    drop(running);

    let another = world.start_another().await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.ended(), ["1", "2", "3", "4"]);
    assert_eq!(world.ledger.begun(), ["1", "2", "3", "3", "4"]);
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_service_that_fails_in_every_way_loses_no_record() {
    let world = World::new(1);
    let running = world.start().await;
    let kinds = [
        FaultKind::Throttle,
        FaultKind::InternalFailure,
        FaultKind::Reset,
        FaultKind::TruncatedBody,
        FaultKind::AnswerLost,
        FaultKind::Hang,
        FaultKind::Delay(secs(3)),
        FaultKind::StalledBody(secs(3)),
        FaultKind::EmptyPage,
    ];
    let mut put = Vec::new();
    for (number, kind) in kinds.into_iter().enumerate() {
        world
            .kinesis
            .fault(Fault::new(Operation::GetRecords, kind).times(3));
        let text = number.to_string();
        world.put("ada", &text);
        put.push(text);
        sleep(secs(120)).await;
        assert_eq!(world.ledger.ended(), put);
    }
    assert_eq!(world.ledger.begun(), put, "and hands none out twice");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_expired_iterator_goes_on_after_the_last_record_read() {
    let world = World::new(1);
    world.put_all("ada", ["1", "2"]);
    let running = world.start().await;
    sleep(secs(2)).await;
    // Six minutes without an answer: the iterator in hand is older than the service keeps it.
    world.kinesis.cut();
    sleep(secs(360)).await;
    world.kinesis.restore();
    world.put("ada", "3");
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "3"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_iterator_that_expires_behind_a_stuck_key_hands_nothing_out_twice() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::RetryAfter(secs(1200))]);
    world.put("ada", "1");
    world.put_all("bob", ["b1", "b2"]);
    let running = world.start().await;
    sleep(secs(2)).await;
    world.kinesis.cut();
    sleep(secs(400)).await;
    world.kinesis.restore();
    world.put("bob", "b3");
    sleep(secs(1000)).await;
    assert_eq!(world.ledger.begun(), ["1", "b1", "b2", "b3", "1"]);
    assert_eq!(
        running
            .health()
            .shards
            .values()
            .next()
            .map(|shard| shard.window),
        Some(0)
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_for_ever_holds_its_key_and_nothing_else() {
    let world = World::new(1);
    world.ledger.plan(
        "1",
        std::iter::repeat_n(Deed::RetryAfter(Duration::MAX), 1000),
    );
    world.put_all("ada", ["1"]);
    world.put_all("bob", ["b1"]);
    let running = world.start().await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["1", "b1"]);
    running.shutdown().await.expect("a clean stop");
}
