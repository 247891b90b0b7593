//! A stop is bounded, whatever a batch does or waits for.

use tokio::time::{Instant, sleep};

use super::world::{Batches, Say, Whole, patient, tens, texts};
use crate::world::{FIRST, secs};

#[tokio::test(start_paused = true)]
async fn a_stop_waits_for_no_batch_to_fill() {
    let batches = Batches::new(1);
    batches.put_numbers(0..3, 1);
    let running = batches.start(patient::App).await;
    sleep(secs(5)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a clean stop");
    assert!(asked.elapsed() < secs(1), "{:?}", asked.elapsed());
    assert_eq!(batches.log.calls(), [], "its records are another's");
    assert_eq!(batches.world.checkpoint(FIRST), None);
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_runs_may_end_and_is_the_last() {
    let batches = Batches::new(1);
    let tenth = batches.put_numbers(0..10, 1);
    batches.put_numbers(10..20, 1);
    batches.log.next([Whole::Take(secs(5))]);
    let running = batches.start(tens::App).await;
    sleep(secs(2)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(batches.log.given(), [texts(0..10)]);
    assert_eq!(batches.world.checkpoint(FIRST), Some(tenth));
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_never_ends_is_dropped_when_time_is_up() {
    let batches = Batches::new(1);
    batches.put_numbers(0..10, 1);
    batches.log.next([Whole::Hang]);
    let running = batches.start(tens::App).await;
    sleep(secs(2)).await;
    let asked = Instant::now();
    let _ = running.shutdown().await;
    assert!(
        (secs(10)..secs(11)).contains(&asked.elapsed()),
        "{:?}",
        asked.elapsed()
    );
    assert_eq!(batches.world.checkpoint(FIRST), None);
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_waits_for_its_next_attempt_holds_no_stop_up() {
    let batches = Batches::new(1);
    batches.put_numbers(0..10, 1);
    batches.log.poison("3", Whole::Fail);
    let running = batches.start(tens::App).await;
    sleep(secs(120)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a clean stop");
    assert!(asked.elapsed() < secs(11), "{:?}", asked.elapsed());
}

#[tokio::test(start_paused = true)]
async fn nothing_begins_behind_a_halt_while_the_shard_is_left() {
    let batches = Batches::new(1);
    batches.put_numbers(1..3, 1);
    batches.log.next([Whole::Take(secs(3))]);
    batches.log.plan("1", [Say::Halt("closed")]);
    batches.log.plan("2", [Say::RetryAfter(secs(1))]);
    let running = batches.start(tens::App).await;
    sleep(secs(1)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(batches.log.given(), [texts(1..3)]);
    assert_eq!(batches.world.checkpoint(FIRST), None);
}
