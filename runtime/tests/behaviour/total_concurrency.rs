//! A handler's total concurrency holds over all shards of a process, and no shard starves.

use kinesis_app::prelude::*;
use tokio::time::sleep;

use crate::world::{Deed, Entry, Ledger, World, secs, shard};

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod bounded {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders, concurrency(shard = 2, total = 3))]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

const SHARDS: u32 = 8;

#[tokio::test(start_paused = true)]
async fn no_more_run_than_the_total_and_shards_take_turns() {
    let world = World::new(SHARDS);
    // The first shard alone has work for an hour.
    for number in 0..200 {
        world.put_to(&shard(0), &format!("k{number}"), "long backlog");
    }
    for number in 1..SHARDS {
        for key in ["a", "b"] {
            world.put_to(&shard(number), key, "few");
        }
    }
    world.ledger.always(Deed::Take(secs(10)));
    let running = world.start_app(bounded::App).await;
    sleep(secs(120)).await;
    assert_eq!(world.ledger.most_at_a_time(), 3);
    let few = world.ledger.ended();
    let few = few.iter().filter(|text| *text == "few").count();
    assert_eq!(few, 14, "each shard had its turn");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_waits_for_its_next_attempt_leaves_its_place_to_others() {
    let world = World::new(2);
    for number in 0..6 {
        let text = format!("bad {number}");
        world.put_to(&shard(0), &format!("k{number}"), &text);
        world.ledger.plan(&text, [Deed::RetryAfter(secs(600))]);
    }
    world.put_to(&shard(1), "a", "good");
    let running = world.start_app(bounded::App).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended(), ["good"]);
    running.shutdown().await.expect("a clean stop");
}

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod single {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders, concurrency(shard = 1, total = 1))]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

/// Each of the two shards is the one that is handed over in one of the two runs.
#[tokio::test(start_paused = true)]
async fn a_hand_over_waits_for_a_record_that_waits_for_its_turn() {
    let mut waited = 0;
    for long in [0, 1] {
        let world = World::new(2);
        let other = 1 - long;
        world.ledger.plan("b1", [Deed::RetryAfter(secs(3))]);
        world.ledger.plan("a1", [Deed::Take(secs(8))]);
        let running = world.start_app(single::App).await;
        world.put_to(&shard(other), "b", "b1");
        sleep(secs(2)).await;
        world.put_to(&shard(long), "a", "a1");
        sleep(secs(2)).await;
        let launch = world.launch(single::App).seed(world.seed + 1);
        let another = launch.start().await.expect("a start");
        sleep(secs(60)).await;
        let entries = world.ledger.entries();
        let b1 = entries.iter().filter(|entry| entry.text == "b1");
        let attempts: Vec<_> = b1.map(|entry| entry.attempt).collect();
        assert_eq!(attempts, [1, 2], "handled by its first owner, once");
        let moved = another.health().shards.into_keys();
        waited += moved.filter(|name| name.shard_id == shard(other)).count();
        running.shutdown().await.expect("a clean stop");
        another.shutdown().await.expect("a clean stop");
    }
    assert_eq!(waited, 1);
}
