//! Rule 10: a stop is graceful and bounded.

use std::time::Duration;

use kinesis_app_emulator::{Fault, FaultKind, Operation};
use tokio::time::{Instant, sleep};

use crate::{
    store::Recording,
    world::{Deed, FIRST, STREAM, World, ledger, secs},
};

#[tokio::test(start_paused = true)]
async fn a_stop_lets_running_handlers_finish_and_begins_nothing() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::Take(secs(5))]);
    let first = world.put("ada", "1");
    world.put("ada", "2");
    let running = world.start().await;
    sleep(secs(1)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a clean stop");
    assert!(
        asked.elapsed() < secs(6),
        "no longer than the handler: {:?}",
        asked.elapsed()
    );
    assert_eq!(world.ledger.ended(), ["1"]);
    assert_eq!(world.ledger.begun(), ["1"]);
    assert_eq!(world.checkpoint(FIRST), Some(first), "with the last write");
    assert!(
        world.leases.rows().iter().all(|row| row.holder.is_none()),
        "the lease is free at once"
    );
}

#[tokio::test(start_paused = true)]
async fn a_successor_goes_on_at_once_and_exactly_where_the_last_one_stopped() {
    let world = World::new(2);
    for number in 0..200 {
        world.put(&format!("k{}", number % 10), &number.to_string());
    }
    world.ledger.always(Deed::Take(Duration::from_millis(20)));
    let running = world.start().await;
    sleep(Duration::from_millis(120)).await;
    running.shutdown().await.expect("a clean stop");
    let handled = world.ledger.begun().len();
    assert!(
        handled > 0 && handled < 200,
        "stopped in the middle: {handled}"
    );
    let another = world.start_another().await;
    sleep(secs(10)).await;
    let total = world.ledger.begun().len();
    assert_eq!(total, 200, "nothing is begun twice");
    let mut begun: Vec<u32> = world
        .ledger
        .begun()
        .iter()
        .map(|text| text.parse().expect("a number"))
        .collect();
    begun.sort_unstable();
    begun.dedup();
    assert_eq!(begun.len(), 200, "none lost");
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_waits_for_its_retry_is_finished_first_and_nothing_behind_it_comes_again() {
    let world = World::new(1);
    world
        .ledger
        .plan("5", [Deed::RetryAfter(secs(2)), Deed::Fail]);
    for number in 0..20 {
        world.put(&format!("k{number}"), &number.to_string());
    }
    let running = world.start().await;
    sleep(secs(1)).await;
    assert_eq!(world.ledger.ended().len(), 19);
    let asked = Instant::now();
    running.shutdown().await.expect("a clean stop");
    assert!(asked.elapsed() < secs(3), "{:?}", asked.elapsed());
    world.put("k5", "last");
    let another = world.start_another().await;
    sleep(secs(5)).await;
    let begun = world.ledger.begun();
    assert_eq!(begun[20..], ["5", "5", "last"], "{begun:?}");
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn what_lies_before_the_last_begun_record_is_begun_within_the_grace_and_nothing_else_is() {
    let world = World::new(1);
    for text in ["a1", "a2", "a3"] {
        world.ledger.plan(text, [Deed::Take(secs(2))]);
    }
    world.ledger.plan("b1", [Deed::Take(secs(3))]);
    world.put_all("ada", ["a1", "a2", "a3"]);
    world.put("bob", "b1");
    world.put_all("ada", ["a4"]);
    world.put("bob", "b2");
    let running = world.start().await;
    sleep(secs(1)).await;
    assert_eq!(world.ledger.begun(), ["a1", "b1"]);
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.ledger.ended(), ["a1", "b1", "a2", "a3"]);
    let another = world.start_another().await;
    sleep(secs(5)).await;
    assert_eq!(
        world.ledger.begun(),
        ["a1", "b1", "a2", "a3", "a4", "b2"],
        "nothing twice"
    );
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_keeps_failing_holds_a_stop_up_for_its_timeout_and_no_longer() {
    let world = World::new(1);
    world
        .ledger
        .plan("1", std::iter::repeat_n(Deed::Fail, 1000));
    world.put("ada", "1");
    let running = world.start().await;
    sleep(secs(1)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a stop");
    assert!(asked.elapsed() <= secs(10), "{:?}", asked.elapsed());
    assert_eq!(world.checkpoint(FIRST), None);
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_comes_after_the_timeout_is_not_waited_for() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::RetryAfter(secs(60))]);
    world.put("ada", "1");
    let running = world.start().await;
    sleep(secs(1)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a stop");
    assert!(asked.elapsed() < secs(1), "{:?}", asked.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_halted_shard_holds_no_stop_up() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::RetryAfter(secs(5))]);
    world.ledger.plan("2", [Deed::Halt("planned")]);
    world.put("ada", "1");
    world.put("bob", "2");
    world.put("bob", "3");
    let running = world.start().await;
    sleep(secs(1)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a stop");
    assert!(asked.elapsed() < secs(1), "{:?}", asked.elapsed());
    assert_eq!(world.ledger.begun(), ["1", "2"]);
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_never_ends_is_dropped_after_the_shutdown_timeout() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::Hang]);
    world.put("ada", "1");
    let running = world.start().await;
    sleep(secs(1)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a stop");
    assert_eq!(asked.elapsed().as_secs(), 10, "shutdown_timeout of the app");
    assert_eq!(world.checkpoint(FIRST), None);
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_panics_while_it_is_dropped_costs_neither_the_checkpoint_nor_the_lease() {
    let world = World::new(1);
    world.ledger.plan("2", [Deed::HangAndPanic]);
    let first = world.put("ada", "1");
    world.put("ada", "2");
    let running = world.start().await;
    sleep(secs(1)).await;
    running.shutdown().await.expect("a stop");
    assert_eq!(world.checkpoint(FIRST), Some(first));
    assert!(world.leases.rows().iter().all(|row| row.holder.is_none()));
}

#[tokio::test(start_paused = true)]
async fn a_dead_lease_store_holds_a_stop_up_for_no_longer_than_its_leases_live() {
    let world = World::new(2);
    let store = Recording::default();
    let launch = world.launch(ledger::App).leases(store.clone());
    let running = launch.start().await.expect("a start");
    world.ledger.plan("1", [Deed::Hang]);
    world.put("ada", "1");
    sleep(secs(4)).await;
    store.die();
    let asked = Instant::now();
    running.shutdown().await.expect("a stop");
    assert!(asked.elapsed() <= secs(10), "{:?}", asked.elapsed());
    assert_eq!(world.ledger.running(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_dead_service_does_not_hold_a_stop_up() {
    let world = World::new(2);
    world.put("ada", "1");
    let running = world.start().await;
    sleep(secs(2)).await;
    world
        .kinesis
        .fault(Fault::new(Operation::GetRecords, FaultKind::Hang).always());
    world
        .kinesis
        .fault(Fault::new(Operation::ListShards, FaultKind::Hang).always());
    sleep(secs(30)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a stop");
    assert!(asked.elapsed() < secs(1), "{:?}", asked.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_dropped_application_works_no_more() {
    let world = World::new(1);
    let running = world.start().await;
    sleep(secs(1)).await;
    drop(running);
    sleep(secs(1)).await;
    let calls = world.kinesis.calls(Operation::GetRecords);
    world.put("ada", "1");
    sleep(secs(60)).await;
    assert_eq!(world.kinesis.calls(Operation::GetRecords), calls);
    assert!(world.ledger.begun().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_shard_end_whose_children_cannot_be_stored_holds_no_stop_up_and_stays_visible() {
    let world = World::new(1);
    let store = Recording::default();
    let running = world
        .launch(ledger::App)
        .leases(store.clone())
        .start()
        .await
        .expect("a start");
    sleep(secs(2)).await;
    store.refuse_creates();
    world.kinesis.split(STREAM, FIRST).expect("a split");
    sleep(secs(5)).await;
    assert_eq!(running.health().shards.len(), 1);
    let asked = Instant::now();
    running.shutdown().await.expect("a stop");
    assert!(asked.elapsed() < secs(1), "{:?}", asked.elapsed());
    assert_eq!(store.table.rows()[0].holder, None);
}

#[tokio::test(start_paused = true)]
async fn a_stop_while_leases_are_taken_leaves_those_that_were_taken_free() {
    let world = World::new(1);
    let store = Recording::default();
    let running = world
        .launch(ledger::App)
        .leases(store.clone())
        .start()
        .await
        .expect("a start");
    sleep(secs(2)).await;
    store.take_slowly();
    world.kinesis.split(STREAM, FIRST).expect("a split");
    while store
        .table
        .rows()
        .iter()
        .filter(|row| row.holder.is_some())
        .count()
        < 2
    {
        sleep(Duration::from_millis(10)).await;
    }
    running.shutdown().await.expect("a stop");
    assert_eq!(store.table.rows().len(), 3);
    assert!(store.table.rows().iter().all(|row| row.holder.is_none()));
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_asks_again_without_a_wait_for_ever_keeps_nobody_from_stopping() {
    let world = World::new(1);
    let at_once = std::iter::repeat_n(Deed::RetryAfter(Duration::ZERO), 30_000);
    world.ledger.plan("1", at_once);
    world.put("ada", "1");
    let running = world.start().await;
    sleep(secs(5)).await;
    let tries = world.ledger.begun().len();
    assert!(
        (1_000..=5_100).contains(&tries),
        "{tries} tries in five seconds"
    );
    let asked = Instant::now();
    running.shutdown().await.expect("a stop");
    assert!(asked.elapsed() < secs(12), "{:?}", asked.elapsed());
    assert!(world.ledger.ended().is_empty());
}
