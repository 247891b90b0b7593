//! Rule 2: a record never begins before every earlier record of its key has ended.

use std::time::Duration;

use kinesis_app::prelude::*;
use tokio::time::sleep;

use crate::world::{Deed, Entry, Ledger, World, secs};

/// One record of a shard at a time.
#[kinesis_app(name = "billing", leases(memory))]
mod serial {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders, ordered(shard))]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

/// Records in no order, eight at a time.
#[kinesis_app(name = "billing", leases(memory))]
mod loose {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders, ordered(none), concurrency = 8)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

fn of_key(ledger: &Ledger, key: &str) -> Vec<String> {
    ledger
        .entries()
        .into_iter()
        .filter(|entry| entry.key == key)
        .map(|entry| entry.text)
        .collect()
}

#[tokio::test(start_paused = true)]
async fn keys_run_side_by_side_and_each_in_its_order() {
    let world = World::new(1);
    world.ledger.always(Deed::Take(Duration::from_millis(100)));
    let mut expected = Vec::new();
    for number in 0..20 {
        expected.push(number.to_string());
        for key in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
            world.put(key, &number.to_string());
        }
    }
    let running = world.start().await;
    sleep(secs(30)).await;
    for key in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
        assert_eq!(of_key(&world.ledger, key), expected);
    }
    assert_eq!(
        world.ledger.most_at_a_time(),
        8,
        "as many as `concurrency` says"
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn ordered_shard_handles_one_record_at_a_time_and_holds_the_shard_for_a_retry() {
    let world = World::new(1);
    world.ledger.plan("b1", [Deed::Fail, Deed::Fail]);
    world.ledger.always(Deed::Take(Duration::from_millis(10)));
    world.put("a", "a1");
    world.put("b", "b1");
    world.put("c", "c1");
    let running = world.start_app(serial::App).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), ["a1", "b1", "b1", "b1", "c1"]);
    assert_eq!(world.ledger.most_at_a_time(), 1);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_slow_key_stops_no_other_key_and_no_other_shard() {
    let world = World::new(2);
    world.ledger.plan("slow", [Deed::Hang]);
    world.put("a", "slow");
    for number in 0..50 {
        world.put("b", &format!("b{number}"));
        world.put("c", &format!("c{number}"));
        world.put("d", &format!("d{number}"));
    }
    let running = world.start().await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended().len(), 150);
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn a_record_that_waits_for_its_retry_occupies_no_slot() {
    let world = World::new(1);
    for number in 0..20 {
        let text = format!("wait{number}");
        world.ledger.plan(&text, [Deed::RetryAfter(secs(600))]);
        world.put(&format!("key{number}"), &text);
    }
    world.put("other", "goes on");
    let running = world.start().await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended(), ["goes on"]);
    running.shutdown().await.expect("a clean stop");
}

/// Handlers that compute: each moves the clock by six milliseconds in one poll.
#[tokio::test(start_paused = true)]
async fn a_retry_that_is_due_does_not_wait_for_the_backlog() {
    let world = World::new(1);
    world
        .ledger
        .plan("first", [Deed::RetryAfter(Duration::from_millis(100))]);
    world.ledger.always(Deed::Compute(Duration::from_millis(6)));
    world.put("f", "first");
    for number in 0..500 {
        world.put(&format!("k{number}"), &number.to_string());
    }
    let running = world.start().await;
    sleep(secs(20)).await;
    let begun = world.ledger.begun();
    let again = begun
        .iter()
        .skip(1)
        .position(|text| text == "first")
        .expect("tried again");
    assert!(
        again < 30,
        "due after some seventeen records, begun after {again}"
    );
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn ordered_none_handles_records_of_one_key_beside_each_other() {
    let world = World::new(1);
    world.ledger.plan("a1", [Deed::Take(secs(5))]);
    world.ledger.always(Deed::Take(Duration::from_millis(100)));
    for number in 1..=40 {
        world.put("a", &format!("a{number}"));
    }
    let running = world.start_app(loose::App).await;
    sleep(secs(30)).await;
    assert_eq!(world.ledger.most_at_a_time(), 8);
    let ended = world.ledger.ended();
    assert_eq!(ended.len(), 40, "each of them once");
    assert_eq!(
        ended.last().map(String::as_str),
        Some("a1"),
        "nobody waits for it"
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn ordered_none_lets_a_retry_hold_no_record_and_the_checkpoint_all_the_same() {
    let world = World::new(1);
    world.ledger.plan("a1", [Deed::RetryAfter(secs(600))]);
    for number in 1..=20 {
        world.put("a", &format!("a{number}"));
    }
    let running = world.start_app(loose::App).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended().len(), 19, "all but the first");
    let shard = &world.leases.rows()[0].shard_id;
    assert_eq!(world.checkpoint(shard), None, "it does not pass the first");
    running.shutdown().await.expect("a clean stop");
    let running = world.start_app(loose::App).await;
    sleep(secs(10)).await;
    let first = world
        .ledger
        .begun()
        .iter()
        .filter(|text| *text == "a1")
        .count();
    assert_eq!(first, 2, "it comes again, as does what lies behind it");
    running.shutdown().await.expect("a clean stop");
}
