//! What waits to be stored for records of one shard keeps nothing from going elsewhere, and has a bound.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use kinesis_app::{Permanent, Running, prelude::*};
use kinesis_app_emulator::{Fault, FaultKind, Operation};
use tokio::time::sleep;

use crate::world::{FIRST, World, secs};

/// How large replies are, and how many records have begun.
#[derive(Debug, Clone, Default)]
pub(crate) struct Desk {
    size: usize,
    begun: Arc<AtomicUsize>,
}

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod desk {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[stream(name = "receipts", codec(Raw))]
    struct Receipts;

    #[stream(name = "rejected", codec(Raw))]
    struct Rejected;

    #[on_start]
    async fn open() -> Result<Desk, String> {
        Ok(Desk::default())
    }

    #[on_record(
        Orders,
        publish(Receipts),
        retry(attempts = 2),
        exhausted(dead_letter(Rejected))
    )]
    async fn book(
        order: Bytes,
        key: PartitionKey,
        State(desk): State<Desk>,
    ) -> Result<Reply<Bytes>, Permanent> {
        desk.begun.fetch_add(1, Ordering::SeqCst);
        match &*order {
            b"bad" => Err(permanent("closed account")),
            b"halt" => Ok(Reply::Outcome(Outcome::halt("the ledger is closed"))),
            _ => Ok(Reply::Send(Bytes::from(vec![b'x'; desk.size]).keyed(&*key))),
        }
    }
}

fn world() -> World {
    let world = World::new(1);
    for (stream, shards) in [("receipts", 8), ("rejected", 1)] {
        let created = world.kinesis.create_stream(stream, shards);
        created.expect("a new stream");
    }
    let fault = Fault::new(Operation::PutRecords, FaultKind::Throttle);
    world.kinesis.fault(fault.stream("receipts").always());
    world
}

async fn start(world: &World, size: usize) -> (Running, Arc<AtomicUsize>) {
    let desk = Desk {
        size,
        ..Desk::default()
    };
    let begun = Arc::clone(&desk.begun);
    let running = world.launch(desk::App).state(desk).start().await;
    (running.expect("a start"), begun)
}

#[tokio::test(start_paused = true)]
async fn hundreds_of_replies_that_no_stream_takes_keep_no_dead_letter_waiting() {
    let world = world();
    let (running, begun) = start(&world, 10).await;
    for number in 0..600 {
        world.put(&format!("customer {number}"), "good");
    }
    sleep(secs(20)).await;
    assert_eq!(begun.load(Ordering::SeqCst), 600);
    world.put("eve", "bad");
    sleep(secs(5)).await;
    assert_eq!(world.kinesis.records("rejected", FIRST).len(), 1);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn replies_that_no_stream_takes_fill_a_bounded_part_of_memory() {
    let world = world();
    let (running, begun) = start(&world, 1_000_000).await;
    for number in 0..50 {
        world.put(&format!("customer {number}"), "good");
    }
    sleep(secs(30)).await;
    let filled = begun.load(Ordering::SeqCst);
    assert!((5..=10).contains(&filled), "{filled}");
    world.kinesis.clear_faults();
    sleep(secs(200)).await;
    assert_eq!(begun.load(Ordering::SeqCst), 50, "each once");
    let shards = world.kinesis.shards("receipts").expect("it is there");
    let stored = shards
        .iter()
        .map(|shard| world.kinesis.records("receipts", &shard.shard_id).len());
    assert_eq!(stored.sum::<usize>(), 50);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_halts_does_not_say_any_more_that_replies_wait() {
    let world = world();
    let (running, _) = start(&world, 10).await;
    let unstored = || {
        let shards = running.health().shards;
        shards.into_values().any(|shard| shard.unstored.is_some())
    };
    world.put("ada", "good");
    sleep(secs(120)).await;
    assert!(unstored());
    world.put("eve", "halt");
    sleep(secs(5)).await;
    assert!(
        !unstored(),
        "they are dropped, and handled again after a start"
    );
    running.shutdown().await.expect("a clean stop");
}
