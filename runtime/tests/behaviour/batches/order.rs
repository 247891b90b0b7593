//! Nothing is lost, and keys keep their order, across crashes, hand-overs, seeks and reshards.

use kinesis_app::Position;
use tokio::time::sleep;

use super::world::{Batches, Say, Whole, set, tens, texts};
use crate::world::{FIRST, STREAM, secs};

#[tokio::test(start_paused = true)]
async fn a_crash_in_the_middle_of_a_batch_gives_all_of_it_again() {
    let batches = Batches::new(1);
    batches.put_numbers(0..15, 3);
    batches.log.next([Whole::Hang]);
    let running = batches.start(tens::App).await;
    sleep(secs(3)).await;
    drop(running);
    let another = batches.start_seeded(tens::App, 8).await;
    sleep(secs(60)).await;
    assert_eq!(batches.log.given()[0], texts(0..10));
    assert_eq!(batches.log.done(), texts(0..15));
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn children_wait_for_every_record_of_their_parents_batches() {
    let batches = Batches::new(1);
    batches.put_numbers(0..15, 1);
    batches.log.plan("3", [Say::RetryAfter(secs(40))]);
    let [left, _] = batches.world.kinesis.split(STREAM, FIRST).expect("a split");
    batches.world.put_to(&left, "k", "child");
    let running = batches.start(tens::App).await;
    sleep(secs(30)).await;
    assert_eq!(batches.log.times("child"), 0);
    sleep(secs(60)).await;
    let done = batches.log.done();
    assert_eq!(done.last().map(String::as_str), Some("child"));
    assert_eq!(done.len(), 16);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_runs_when_its_stream_is_repositioned_settles_nothing() {
    let batches = Batches::new(1);
    let last = batches.put_numbers(0..12, 2);
    batches.log.next([Whole::Take(secs(20))]);
    let running = batches.start(tens::App).await;
    sleep(secs(5)).await;
    let seeker = running.seeker::<tens::Orders>();
    seeker.seek(Position::horizon()).await.expect("a seek");
    sleep(secs(5)).await;
    assert_eq!(batches.log.calls().len(), 1, "one batch at a time");
    assert_eq!(batches.world.checkpoint(FIRST), None);
    sleep(secs(30)).await;
    assert_eq!(
        batches.log.given(),
        [texts(0..10), texts(0..10), texts(10..12)]
    );
    assert_eq!(batches.world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_moves_to_another_instance_is_handled_once() {
    let batches = Batches::new(2);
    let one = batches.start(tens::App).await;
    batches.put_numbers(0..50, 10);
    sleep(secs(5)).await;
    let another = batches.start_seeded(tens::App, 8).await;
    for round in 1..10 {
        batches.put_numbers(round * 50..(round + 1) * 50, 10);
        sleep(secs(3)).await;
    }
    sleep(secs(30)).await;
    let done = batches.log.done();
    assert_eq!(done.len(), 500, "a clean move gives nothing twice");
    assert_eq!(set(done), set(texts(0..500)));
    one.shutdown().await.expect("a clean stop");
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_is_tried_again_at_its_time_though_a_later_one_of_its_key_waits_for_longer() {
    let batches = Batches::new(1);
    batches.put_numbers(0..3, 1);
    batches.log.plan("0", [Say::RetryAfter(secs(5))]);
    batches.log.plan("1", [Say::RetryAfter(secs(40))]);
    let running = batches.start(tens::App).await;
    sleep(secs(10)).await;
    assert_eq!(batches.log.done(), ["2", "0"]);
    sleep(secs(40)).await;
    assert_eq!(batches.log.done(), ["2", "0", "1"]);
    running.shutdown().await.expect("a clean stop");
}
