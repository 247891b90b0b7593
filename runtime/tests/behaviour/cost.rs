//! Rules 5 and 7: what an application costs is counted, and does not grow with its records.

use kinesis_app::prelude::*;
use kinesis_app_emulator::{Fault, FaultKind, Kinesis, Limits, Operation};
use tokio::time::{Instant, sleep};

use crate::world::{Deed, STREAM, World, secs};

#[tokio::test(start_paused = true)]
async fn checkpoint_writes_are_one_a_heartbeat_whatever_the_record_rate() {
    let world = World::new(1);
    let running = world.start().await;
    let before = world.leases.counts().writes;
    for second in 0..60 {
        for number in 0..500 {
            world.put(&format!("k{}", number % 50), &format!("{second}-{number}"));
        }
        sleep(secs(1)).await;
    }
    let writes = world.leases.counts().writes - before;
    sleep(secs(2)).await;
    assert!(
        (19..=21).contains(&writes),
        "one write every three seconds of a minute: {writes}"
    );
    assert_eq!(world.ledger.ended().len(), 30_000);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_holds_nothing_writes_nothing_and_tries_nothing_in_vain() {
    let world = World::new(1);
    let one = world.start().await;
    let standby = world.start_another().await;
    sleep(secs(5)).await;
    let before = world.leases.counts();
    sleep(secs(300)).await;
    let after = world.leases.counts();
    assert_eq!(after.writes - before.writes, 100, "the other's beats");
    assert_eq!(after.refused, before.refused);
    assert!(standby.health().shards.is_empty());
    one.shutdown().await.expect("a clean stop");
    standby.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_idle_shard_is_read_once_a_poll_interval_and_a_stream_listed_every_half_minute() {
    let world = World::new(3);
    let running = world.start().await;
    sleep(secs(5)).await;
    let (reads, lists) = (
        world.kinesis.calls(Operation::GetRecords),
        world.kinesis.calls(Operation::ListShards),
    );
    sleep(secs(600)).await;
    assert_eq!(world.kinesis.calls(Operation::GetRecords) - reads, 3 * 600);
    assert_eq!(world.kinesis.calls(Operation::ListShards) - lists, 20);
    assert_eq!(world.kinesis.calls(Operation::GetShardIterator), 3);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_backlog_is_read_within_the_services_limits_without_a_single_throttle() {
    let world = World::new(1);
    let payload = "x".repeat(1000);
    for number in 0..30_000 {
        world.put(&format!("k{}", number % 100), &payload);
    }
    let begun = Instant::now();
    let running = world.start().await;
    while world.ledger.ended().len() < 30_000 {
        sleep(secs(1)).await;
    }
    // 30 MB at 2 MiB a second are 15 seconds; one more for the last poll.
    assert!(begun.elapsed() <= secs(17), "{:?}", begun.elapsed());
    let log = world.kinesis.call_log();
    let refused = log
        .iter()
        .filter(|call| {
            call.operation == Operation::GetRecords
                && call.outcome != kinesis_app_emulator::Outcome::Ok
        })
        .count();
    assert_eq!(refused, 0, "{log:#?}");
    running.shutdown().await.expect("a clean stop");
}

/// A back-off with full jitter may be next to nothing.
#[tokio::test(start_paused = true)]
async fn reads_that_fail_keep_to_five_a_second_as_well() {
    for seed in 0..30 {
        let mut world = World::new(1);
        world.seed = seed;
        let running = world.start().await;
        for kind in [FaultKind::InternalFailure, FaultKind::Throttle] {
            world
                .kinesis
                .fault(Fault::new(Operation::GetRecords, kind).times(4));
        }
        sleep(secs(30)).await;
        let log = world.kinesis.call_log().into_iter();
        let reads: Vec<_> = log
            .filter(|call| call.operation == Operation::GetRecords)
            .map(|call| call.at)
            .collect();
        for six in reads.windows(6) {
            let took = six[5].duration_since(six[0]).expect("in order");
            assert!(took >= secs(1), "six reads in {took:?} under seed {seed}");
        }
        running.shutdown().await.expect("a clean stop");
    }
}

#[tokio::test(start_paused = true)]
async fn a_shard_whose_handlers_stand_still_is_not_read_ahead_without_end() {
    let kinesis = Kinesis::builder().limits(Limits::Off).build();
    kinesis.create_stream(STREAM, 1).expect("a new stream");
    let world = World {
        kinesis,
        ..World::new(1)
    };
    for number in 0..200_000 {
        world.put("one key", &number.to_string());
    }
    world.ledger.plan("0", [Deed::Hang]);
    let running = world.start().await;
    sleep(secs(600)).await;
    // Records of one key wait behind its first one; the window of 100,000 stops the reading.
    let reads = world.kinesis.calls(Operation::GetRecords);
    assert!(
        reads <= 13,
        "the window of 100,000 records bounds the pages that are read: {reads}"
    );
    assert_eq!(world.ledger.begun(), ["0"]);
    drop(running);
}

/// Reads ten records at a time.
#[kinesis_app(name = "billing", leases(memory))]
mod sipping {
    use super::*;
    use crate::world::{Entry, Ledger};

    #[stream(name = "orders", start(trim_horizon), codec(Raw), batch_size = 10)]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_asks_for_as_many_records_as_batch_size_says() {
    let world = World::new(1);
    for number in 0..35 {
        world.put("k", &number.to_string());
    }
    let running = world.start_app(sipping::App).await;
    sleep(secs(5)).await;
    let log = world.kinesis.call_log();
    let pages: Vec<_> = log
        .iter()
        .filter(|call| call.operation == Operation::GetRecords && call.records > 0)
        .map(|call| call.records)
        .collect();
    assert_eq!(pages, [10, 10, 10, 5]);
    running.shutdown().await.expect("a clean stop");
}
