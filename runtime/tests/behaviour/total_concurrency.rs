//! A handler's total concurrency holds over all shards of a process, and no shard starves.

use kinesis_app::prelude::*;
use tokio::time::sleep;

use crate::world::{Deed, Entry, Ledger, World, secs};

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

fn shard(number: u32) -> String {
    format!("shardId-{number:012}")
}

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
