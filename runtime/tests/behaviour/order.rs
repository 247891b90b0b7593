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
