//! What a record costs in allocations, over what the SDK needs to bring it.
//!
//! One test, alone in its binary: the counter is the process's.

use std::{
    alloc::System,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use kinesis_app::{MemoryLeases, Setup, prelude::*};
use kinesis_app_emulator::{Kinesis, Limits};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tokio::time::sleep;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const RECORDS: u64 = 50_000;
const STREAM: &str = "orders";

#[derive(Debug, Clone, Default)]
pub(crate) struct Sum(Arc<AtomicU64>);

#[kinesis_app(name = "billing", leases(memory))]
mod billing {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Sum, String> {
        Ok(Sum::default())
    }

    #[on_record(Orders, concurrency = 8)]
    async fn add(bytes: Bytes, key: PartitionKey, State(sum): State<Sum>) -> Outcome {
        // Yields, so that slots are really used side by side.
        tokio::task::yield_now().await;
        sum.0
            .fetch_add((bytes.len() + key.len()) as u64, Ordering::Relaxed);
        Outcome::Done
    }
}

fn kinesis() -> (Kinesis, u64) {
    let kinesis = Kinesis::builder().limits(Limits::Off).build();
    kinesis.create_stream(STREAM, 1).expect("a new stream");
    let mut total = 0;
    for number in 0..RECORDS {
        let (key, data) = (
            format!("customer-{}", number % 300),
            format!("order {number}"),
        );
        total += (key.len() + data.len()) as u64;
        kinesis
            .put(STREAM, &key, data)
            .expect("the stream is there");
    }
    (kinesis, total)
}

/// The SDK alone: the same calls, every record looked at.
async fn raw() -> u64 {
    let (kinesis, total) = kinesis();
    let client = kinesis.client();
    let region = Region::new(ALLOCATOR);
    let iterator = client
        .get_shard_iterator()
        .stream_name(STREAM)
        .shard_id("shardId-000000000000")
        .shard_iterator_type("TRIM_HORIZON".into())
        .send()
        .await
        .expect("an iterator");
    let mut next = iterator.shard_iterator;
    let mut sum = 0;
    while sum < total {
        let page = client
            .get_records()
            .set_shard_iterator(next.take())
            .send()
            .await
            .expect("a page");
        for record in page.records() {
            sum +=
                (record.data().as_ref().len() + record.partition_key().map_or(0, str::len)) as u64;
        }
        next = page.next_shard_iterator;
    }
    region.change().allocations as u64
}

async fn application() -> u64 {
    let (kinesis, total) = kinesis();
    let sum = Sum::default();
    let launch = kinesis_app::launch(billing::App)
        .setup(Setup::empty())
        .aws(kinesis.sdk_config())
        .leases(MemoryLeases::new())
        .state(sum.clone());
    let region = Region::new(ALLOCATOR);
    let running = launch.start().await.expect("a start");
    while sum.0.load(Ordering::Relaxed) < total {
        sleep(Duration::from_millis(100)).await;
    }
    let allocations = region.change().allocations as u64;
    running.shutdown().await.expect("a clean stop");
    allocations
}

#[tokio::test(start_paused = true)]
async fn a_raw_record_costs_less_than_one_allocation_over_the_sdks_own() {
    let (raw, application) = (raw().await, application().await);
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of some hundred thousand"
    )]
    let (raw, application) = (
        raw as f64 / RECORDS as f64,
        application as f64 / RECORDS as f64,
    );
    println!(
        "allocations a record: SDK {raw:.3}, application {application:.3}, over it {:.3}",
        application - raw
    );
    assert!(raw > 3.0, "the SDK's own are counted: {raw}");
    assert!(
        application - raw < 0.1,
        "promised is below 1; a page, not a record, may cost some: {}",
        application - raw
    );
}
