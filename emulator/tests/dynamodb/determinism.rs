//! The same seed gives the same run.

use crate::common::*;
use kinesis_app_emulator::Kinesis;
use kinesis_app_emulator::dynamodb::{Call, Fault, FaultKind, Operation, StaleReads};
use std::time::Duration;

type Answers = Vec<(u64, Vec<u64>)>;

/// Three workers beat and scan through faults and stale reads.
async fn run(seed: u64) -> (Answers, Vec<Call>, Duration) {
    let start = tokio::time::Instant::now();
    let kinesis = Kinesis::builder().seed(seed).build();
    let tables = kinesis.dynamodb();
    let client = kinesis.dynamodb().client();
    create(&client, "leases").send().await.unwrap();
    for row in 0..6 {
        put(&client, &row.to_string(), 0).await;
    }
    tables.stale_reads(StaleReads::within(Duration::from_secs(2)).probability(0.5));
    for (operation, kind) in [
        (Operation::UpdateItem, FaultKind::AnswerLost),
        (Operation::UpdateItem, FaultKind::Throttle),
        (Operation::Scan, FaultKind::Reset),
    ] {
        tables.fault(Fault::new(operation, kind).probability(0.2).always());
    }
    let mut tasks = tokio::task::JoinSet::new();
    for worker in 0..3_u64 {
        let client = kinesis.link(&worker.to_string()).dynamodb_client();
        tasks.spawn(async move {
            let mut scans = Answers::new();
            for _ in 0..15 {
                if let Ok(page) = client.scan().table_name("leases").send().await {
                    let counters = page.items().iter().map(counter_of).collect();
                    scans.push((worker, counters));
                }
                let row = (worker * 2).to_string();
                let held = client.get_item().table_name("leases").key(KEY, text(&row));
                if let Ok(held) = held.consistent_read(true).send().await {
                    let _ = beat(&client, &row, counter_of(&held.item.unwrap())).await;
                }
                tokio::time::sleep(Duration::from_millis(300)).await;
            }
            scans
        });
    }
    let mut answers = Answers::new();
    while let Some(ended) = tasks.join_next().await {
        answers.extend(ended.unwrap());
    }
    (answers, tables.call_log(), start.elapsed())
}

fn fresh_runtime(seed: u64) -> (Answers, Vec<Call>, Duration) {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(run(seed))
}

#[test]
fn one_seed_gives_one_run() {
    let first = fresh_runtime(1);
    assert!(first.1.len() > 100, "{} calls", first.1.len());
    assert_eq!(first, fresh_runtime(1));
    assert_ne!(first, fresh_runtime(2));
}
