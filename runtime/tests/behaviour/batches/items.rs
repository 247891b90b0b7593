//! What is said of one record of a batch.

use kinesis_app::Activity;
use tokio::time::sleep;

use super::world::{Batches, Say, tens, texts, thousands};
use crate::world::{FIRST, secs};

#[tokio::test(start_paused = true)]
async fn a_record_that_is_tried_again_comes_in_a_later_batch_and_holds_its_key() {
    let batches = Batches::new(1);
    // Even and odd numbers are two keys.
    batches.put_numbers(0..20, 2);
    batches.log.plan("8", [Say::RetryAfter(secs(30))]);
    let running = batches.start(tens::App).await;
    sleep(secs(20)).await;
    let given = batches.log.given();
    assert_eq!(given[0], texts(0..10));
    assert_eq!(given[1..].concat(), texts([11, 13, 15, 17, 19]));
    sleep(secs(20)).await;
    let given = batches.log.given();
    assert_eq!(given.last(), Some(&texts([8, 10, 12, 14, 16, 18])));
    let attempts = batches.log.calls().pop().map(|call| call.attempts);
    assert_eq!(attempts, Some(vec![2, 1, 1, 1, 1, 1]));
    sleep(secs(5)).await;
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
async fn two_records_of_one_key_that_are_tried_again_come_in_their_order() {
    let batches = Batches::new(1);
    batches.put_numbers(0..4, 1);
    batches.log.plan("0", [Say::RetryAfter(secs(20))]);
    batches.log.plan("2", [Say::RetryAfter(secs(5))]);
    let running = batches.start(tens::App).await;
    sleep(secs(60)).await;
    assert_eq!(batches.log.done(), texts([1, 3, 0, 2]));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_is_skipped_is_passed_and_counted() {
    let batches = Batches::new(1);
    let last = batches.put_numbers(0..5, 1);
    batches.log.plan("2", [Say::Skip]);
    let running = batches.start(tens::App).await;
    sleep(secs(10)).await;
    let shard = running.health().shards.into_values().next();
    assert_eq!(
        shard.map(|shard| (shard.settled, shard.skipped)),
        Some((5, 1))
    );
    assert_eq!(batches.world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_is_held_keeps_the_checkpoint_before_it_and_nothing_else() {
    let batches = Batches::new(1);
    let before = batches.put_numbers(0..2, 1);
    batches.put_numbers(2..15, 1);
    batches.log.plan("2", [Say::Hold]);
    let running = batches.start(tens::App).await;
    sleep(secs(10)).await;
    assert_eq!(batches.log.done().len(), 14);
    assert_eq!(batches.world.checkpoint(FIRST), Some(before));
    let held = running
        .health()
        .shards
        .into_values()
        .next()
        .and_then(|shard| shard.held);
    assert_eq!(held.map(|held| held.records), Some(1));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_halts_its_shard_keeps_the_rest_of_its_batch_settled() {
    let batches = Batches::new(1);
    let before = batches.put_numbers(0..4, 1);
    batches.put_numbers(4..30, 1);
    batches.log.plan("4", [Say::Halt("the ledger is locked")]);
    let running = batches.start(tens::App).await;
    sleep(secs(10)).await;
    assert_eq!(
        batches.log.given(),
        [texts(0..10)],
        "nothing begins behind it"
    );
    let shard = running.health().shards.into_values().next();
    assert!(
        matches!(shard.map(|shard| shard.activity), Some(Activity::Halted { reason, .. }) if reason.contains("the ledger is locked"))
    );
    assert_eq!(batches.world.checkpoint(FIRST), Some(before));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_asks_for_too_many_attempts_is_given_up_on_and_no_other() {
    let batches = Batches::new(1);
    let last = batches.put_numbers(0..5, 1);
    batches.log.plan("2", vec![Say::Retry; 9]);
    let running = batches.start(thousands::App).await;
    sleep(secs(30)).await;
    assert_eq!(batches.log.times("2"), 3);
    assert_eq!(batches.log.done(), texts([0, 1, 3, 4]));
    assert_eq!(batches.world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}
