//! An attempt that takes too long is dropped, and has failed.

use kinesis_app::prelude::*;
use tokio::time::{Instant, sleep};

use crate::world::{Deed, Entry, FIRST, Ledger, World, secs};

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod patient {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders, timeout = "30s", retry(attempts = 2), exhausted(skip))]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_never_ends_is_dropped_in_time_and_tried_again() {
    let world = World::new(1);
    world.put("a", "hangs");
    world.put("a", "takes its time");
    let last = world.put("a", "panics when it is dropped");
    world.ledger.plan("hangs", [Deed::Hang]);
    world.ledger.plan("takes its time", [Deed::Take(secs(29))]);
    let bombs = [Deed::HangAndPanic, Deed::HangAndPanic];
    world.ledger.plan("panics when it is dropped", bombs);
    let begin = Instant::now();
    let running = world.start_app(patient::App).await;
    while world.ledger.begun().len() < 2 {
        sleep(std::time::Duration::from_millis(10)).await;
    }
    let waited = begin.elapsed();
    assert!(waited >= secs(30) && waited < secs(32), "{waited:?}");
    sleep(secs(200)).await;
    assert_eq!(
        world.ledger.ended(),
        ["hangs", "takes its time"],
        "in time is in time"
    );
    assert_eq!(world.ledger.running(), 0, "nothing is left behind");
    let health = running.health();
    let shard = health.shards.values().next().expect("it is held");
    assert_eq!((shard.failed_attempts, shard.skipped), (3, 1));
    assert!(shard.timeouts >= 1, "{shard:?}");
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST), Some(last));
}
