//! Rule 11: a service that is asked too much is asked less, shard by shard, and nothing is lost.

use std::time::Duration;

use futures_util::future::join_all;
use kinesis_app_emulator::{Fault, FaultKind, Operation, Outcome};
use tokio::time::{Instant, sleep};

use crate::world::{FIRST, SECOND, STREAM, World, ledger, secs};

#[tokio::test(start_paused = true)]
async fn a_throttled_shard_goes_on_by_itself_and_slows_no_other() {
    let world = World::new(2);
    let running = world.start().await;
    sleep(secs(2)).await;
    let throttle = Fault::new(Operation::GetRecords, FaultKind::Throttle).shard(FIRST);
    world.kinesis.fault(throttle.always());
    world.put_to(FIRST, "a", "throttled");
    for number in 0..6 {
        let text = number.to_string();
        world.put_to(SECOND, "b", &text);
        sleep(Duration::from_millis(1_100)).await;
        assert_eq!(world.ledger.ended().last(), Some(&text), "at its pace");
    }
    world.kinesis.clear_faults();
    sleep(secs(15)).await;
    assert_eq!(world.ledger.ended().len(), 7);
    running.shutdown().await.expect("a clean stop");
}

/// Calls to a shard that is throttled for ever: one a try, for the SDK tries nothing again behind our back.
#[tokio::test(start_paused = true)]
async fn a_try_is_one_call_and_tries_become_rare() {
    let world = World::new(1);
    let running = world.start().await;
    sleep(secs(2)).await;
    let throttle = Fault::new(Operation::GetRecords, FaultKind::Throttle);
    world.kinesis.fault(throttle.always());
    sleep(secs(120)).await;
    let before = world.kinesis.calls(Operation::GetRecords);
    sleep(secs(3600)).await;
    let tries = world.kinesis.calls(Operation::GetRecords) - before;
    // Between none and thirty seconds apart, fifteen at the average.
    assert!((180..=320).contains(&tries), "{tries}");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_backlog_is_read_beside_another_application_that_uses_most_of_the_shards_reads() {
    let world = World::new(1);
    for number in 0..2_000 {
        let payload = format!("{number:05}{}", "x".repeat(5_000));
        world.put(&format!("k{}", number % 50), &payload);
    }
    let client = world.kinesis.client();
    let iterator = client
        .get_shard_iterator()
        .stream_name(STREAM)
        .shard_id(FIRST)
        .shard_iterator_type(aws_sdk_kinesis::types::ShardIteratorType::Latest);
    let iterator = iterator.send().await.expect("an iterator").shard_iterator;
    let others = async {
        // Fast enough to take nearly every read that the shard has to give.
        for _ in 0..4 * 60 {
            let read = client.get_records().set_shard_iterator(iterator.clone());
            // Its own throttles are not ours to look at.
            let _ = read.send().await;
            sleep(Duration::from_millis(250)).await;
        }
    };
    let ours = async {
        let running = world.start().await;
        let begun = Instant::now();
        while world.ledger.ended().len() < 2_000 && begun.elapsed() < secs(300) {
            sleep(secs(1)).await;
        }
        running
    };
    let (running, ()) = tokio::join!(ours, others);
    assert_eq!(world.ledger.begun().len(), 2_000, "each once");
    let log = world.kinesis.call_log();
    let refused = |call: &&kinesis_app_emulator::Call| {
        call.operation == Operation::GetRecords && call.outcome != Outcome::Ok
    };
    assert!(log.iter().any(|call| refused(&call)), "there was a fight");
    running.shutdown().await.expect("a clean stop");
}

/// The service describes a stream twenty times a second, for all of an account.
#[tokio::test(start_paused = true)]
async fn instances_that_start_all_at_once_all_start() {
    const INSTANCES: u64 = 60;
    let world = World::new(4);
    let starts = (0..INSTANCES).map(|seed| world.launch(ledger::App).seed(seed).start());
    let started = join_all(starts).await;
    let running: Vec<_> = started
        .into_iter()
        .map(|started| started.expect("a start"))
        .collect();
    for number in 0..40 {
        world.put(&format!("k{number}"), &number.to_string());
    }
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun().len(), 40, "each once");
    drop(running);
}
