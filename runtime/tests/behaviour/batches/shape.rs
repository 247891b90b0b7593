//! How large a batch is, and how long it waits.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::world::{Batches, Whole, patient, tens, texts};
use crate::world::{FIRST, secs};

#[tokio::test(start_paused = true)]
async fn a_batch_has_at_most_max_records_in_the_order_of_the_shard() {
    let batches = Batches::new(1);
    let last = batches.put_numbers(0..25, 3);
    let running = batches.start(tens::App).await;
    sleep(secs(5)).await;
    let given = batches.log.given();
    assert_eq!(given.concat(), texts(0..25));
    let lens: Vec<_> = given.iter().map(Vec::len).collect();
    assert_eq!(lens, [10, 10, 5], "it takes what is there");
    assert_eq!(batches.world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn one_batch_of_a_shard_is_handled_at_a_time_and_shards_beside_each_other() {
    let batches = Batches::new(2);
    for shard in [FIRST, crate::world::SECOND] {
        for number in 0..20 {
            let shard_number = &shard[shard.len() - 1..];
            batches
                .world
                .put_to(shard, "k", &format!("{shard_number}/{number}"));
        }
    }
    batches.log.next(vec![Whole::Take(secs(10)); 4]);
    let running = batches.start(tens::App).await;
    sleep(secs(5)).await;
    assert_eq!(batches.log.calls().len(), 2, "one of each shard");
    sleep(secs(30)).await;
    assert_eq!(batches.log.calls().len(), 4);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_is_not_full_waits_for_max_wait_from_its_first_record() {
    let batches = Batches::new(1);
    let running = batches.start(patient::App).await;
    sleep(secs(3)).await;
    let put = Instant::now();
    batches.put_numbers(0..3, 1);
    sleep(secs(10)).await;
    batches.put_numbers(3..6, 1);
    sleep(secs(20)).await;
    let calls = batches.log.calls();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].texts, texts(0..6));
    let waited = calls[0].at - put;
    // A poll of a second brings the first record.
    assert!((secs(20)..secs(22)).contains(&waited), "{waited:?}");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_is_full_waits_for_nothing() {
    let batches = Batches::new(1);
    let running = batches.start(patient::App).await;
    sleep(secs(3)).await;
    let put = Instant::now();
    batches.put_numbers(0..12, 1);
    sleep(secs(40)).await;
    let calls = batches.log.calls();
    assert_eq!(calls[0].texts, texts(0..10));
    assert!(calls[0].at - put < secs(2));
    assert_eq!(calls[1].texts, texts(10..12));
    assert!(calls[1].at - put > secs(19));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn records_that_came_while_a_batch_was_handled_have_waited_already() {
    let batches = Batches::new(1);
    batches.log.next([Whole::Take(secs(60))]);
    batches.put_numbers(0..10, 1);
    let running = batches.start(patient::App).await;
    sleep(secs(5)).await;
    batches.put_numbers(10..13, 1);
    sleep(secs(60)).await;
    let calls = batches.log.calls();
    assert_eq!(calls.len(), 2);
    let behind = calls[1].at - calls[0].at;
    assert!(behind < secs(61), "at once: {behind:?}");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_shard_waits_for_no_batch_to_fill() {
    let batches = Batches::new(1);
    batches.put_numbers(0..3, 1);
    batches
        .world
        .kinesis
        .split(crate::world::STREAM, FIRST)
        .expect("a split");
    let running = batches.start(patient::App).await;
    sleep(Duration::from_secs(10)).await;
    assert_eq!(batches.log.given(), [texts(0..3)]);
    sleep(secs(10)).await;
    assert_eq!(
        batches.world.checkpoint(FIRST).as_deref(),
        Some("SHARD_END")
    );
    running.shutdown().await.expect("a clean stop");
}
