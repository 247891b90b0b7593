//! What a batch that fails as a whole comes to.

use tokio::time::sleep;

use super::world::{Batches, Say, Whole, set, tens, texts, thousands};
use crate::world::{FIRST, secs};

#[tokio::test(start_paused = true)]
async fn a_batch_that_fails_is_tried_again_as_it_is_before_anything_else() {
    let batches = Batches::new(1);
    let last = batches.put_numbers(0..20, 20);
    batches.log.next([Whole::Fail, Whole::Panic, Whole::Fail]);
    let running = batches.start(tens::App).await;
    sleep(secs(30)).await;
    let calls = batches.log.calls();
    assert_eq!(calls.len(), 5);
    for (attempt, call) in (1..).zip(&calls[..4]) {
        assert_eq!(call.texts, texts(0..10));
        assert_eq!(call.attempts, [attempt; 10]);
    }
    assert_eq!(calls[4].texts, texts(10..20));
    let shard = running.health().shards.into_values().next();
    assert_eq!(
        shard.map(|shard| shard.failed_attempts),
        Some(3),
        "one a call"
    );
    assert_eq!(batches.world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn one_poison_record_in_a_thousand_is_found_and_all_others_are_handled() {
    let batches = Batches::without_limits(1);
    let last = batches.put_numbers(0..1_000, 7);
    batches.log.poison("617", Whole::Fail);
    let running = batches.start(thousands::App).await;
    sleep(secs(60)).await;
    let done = batches.log.done();
    assert_eq!(done.len(), 999, "each is done once");
    assert_eq!(
        set(done),
        set(texts((0..1_000).filter(|number| *number != 617)))
    );
    // Three attempts, ten levels of two halves each.
    let calls = batches.log.calls().len();
    assert!(calls <= 3 + 20, "{calls} calls");
    let shard = running.health().shards.into_values().next();
    assert_eq!(
        shard.map(|shard| (shard.settled, shard.skipped)),
        Some((1_000, 1))
    );
    assert_eq!(batches.world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn halves_keep_the_order_of_each_key() {
    let batches = Batches::without_limits(1);
    batches.put_numbers(0..100, 5);
    for poison in ["13", "14", "60", "99"] {
        batches.log.poison(poison, Whole::Panic);
    }
    let running = batches.start(thousands::App).await;
    sleep(secs(60)).await;
    let poison = [13, 14, 60, 99];
    assert_eq!(
        batches.log.done(),
        texts((0..100).filter(|number| !poison.contains(number)))
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_permanent_error_halves_at_once_and_ends_what_fails_alone() {
    let batches = Batches::new(1);
    batches.put_numbers(0..8, 1);
    batches.log.poison("5", Whole::Permanent);
    let running = batches.start(thousands::App).await;
    sleep(secs(20)).await;
    assert_eq!(
        batches.log.given(),
        [
            texts(0..8),
            texts(0..4),
            texts(4..8),
            texts(4..6),
            texts([4]),
            texts([5]),
            texts(6..8)
        ]
    );
    assert_eq!(batches.log.done(), texts([0, 1, 2, 3, 4, 6, 7]));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_is_out_of_time_has_failed() {
    let batches = Batches::new(1);
    let last = batches.put_numbers(0..4, 1);
    batches.log.next([Whole::Hang]);
    let running = batches.start(thousands::App).await;
    sleep(secs(20)).await;
    assert_eq!(batches.log.given(), [texts(0..4), texts(0..4)]);
    let shard = running.health().shards.into_values().next();
    assert_eq!(shard.map(|shard| shard.timeouts), Some(1));
    assert_eq!(batches.world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn without_a_number_of_attempts_nothing_is_given_up_on() {
    let batches = Batches::new(1);
    batches.put_numbers(0..4, 1);
    batches.log.poison("2", Whole::Fail);
    let running = batches.start(tens::App).await;
    sleep(secs(600)).await;
    let given = batches.log.given();
    assert!(given.len() > 10);
    assert!(given.iter().all(|given| *given == texts(0..4)));
    assert_eq!(batches.world.checkpoint(FIRST), None);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_half_that_takes_long_keeps_time_going_while_the_other_is_due() {
    let batches = Batches::new(1);
    let last = batches.put_numbers(0..4, 4);
    batches.log.poison("2", Whole::Hang);
    let running = batches.start(thousands::App).await;
    sleep(secs(120)).await;
    assert_eq!(set(batches.log.done()), set(texts([0, 1, 3])));
    assert_eq!(batches.world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_whose_retry_is_due_waits_for_the_batch_that_runs() {
    let batches = Batches::new(1);
    let last = batches.put_numbers(0..20, 20);
    batches.log.plan("3", [Say::RetryAfter(secs(1))]);
    batches.log.poison("11", Whole::Take(secs(20)));
    let running = batches.start(tens::App).await;
    sleep(secs(60)).await;
    assert_eq!(set(batches.log.done()), set(texts(0..20)));
    assert_eq!(batches.log.times("3"), 2);
    assert_eq!(batches.world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_fails_alone_holds_its_key_and_no_other() {
    let batches = Batches::new(1);
    batches.log.poison("0", Whole::Fail);
    batches.world.put("a", "0");
    let running = batches.start(tens::App).await;
    sleep(secs(5)).await;
    batches.world.put("b", "1");
    batches.world.put("a", "2");
    sleep(secs(60)).await;
    assert_eq!(batches.log.done(), texts([1]));
    let given = batches.log.given();
    let poisoned = || given.iter().filter(|given| given.contains(&"0".to_owned()));
    assert!(poisoned().count() > 5, "{given:?}");
    assert!(
        poisoned().all(|given| given.len() == 1),
        "it fails no other"
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn later_parts_of_a_batch_go_on_without_the_key_of_a_record_that_fails_alone() {
    let batches = Batches::new(1);
    batches.put_numbers(0..4, 2);
    let next = [Whole::Permanent, Whole::Permanent, Whole::Fail];
    batches.log.next(next);
    let running = batches.start(tens::App).await;
    sleep(secs(20)).await;
    let given = [
        texts(0..4),
        texts(0..2),
        texts([0]),
        texts([1]),
        texts([3]),
        texts([0]),
        texts([2]),
    ];
    assert_eq!(batches.log.given(), given);
    running.shutdown().await.expect("a clean stop");
}
