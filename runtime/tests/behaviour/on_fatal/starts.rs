//! Streams that are refused at the start.

use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::{Instant, sleep};

use super::world::{marked, put_refund, refuse, refused_stream, start_to_stop, world};
use crate::world::secs;

#[tokio::test(start_paused = true)]
async fn a_start_does_not_wait_for_a_stream_that_is_refused() {
    let world = world();
    refuse(&world, Operation::ListShards);
    let running = world.start_app(marked::App).await;
    put_refund(&world, "1");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1"]);
    assert!(refused_stream(&running.health()).is_some());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_refused_ends_the_start_at_once_though_another_is_slow_to_open() {
    let world = world();
    refuse(&world, Operation::ListShards);
    let slow = Fault::new(Operation::GetShardIterator, FaultKind::Delay(secs(9)));
    world.kinesis.fault(slow.stream("refunds").always());
    let asked = Instant::now();
    let error = start_to_stop(&world).await.expect_err("refused");
    assert!(asked.elapsed() < secs(3), "{:?}", asked.elapsed());
    let error = error.to_string();
    assert!(error.contains("1 stream cannot be read"), "{error}");
    assert!(error.contains("stream `Orders`"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn streams_that_are_refused_one_after_the_other_are_told_of_together() {
    let world = world();
    refuse(&world, Operation::ListShards);
    let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
    let later = Fault::new(Operation::GetShardIterator, kind);
    world.kinesis.fault(later.stream("refunds").always());
    let error = start_to_stop(&world).await.expect_err("refused");
    let error = error.to_string();
    for words in ["2 streams", "ListShards was", "GetShardIterator was"] {
        assert!(error.contains(words), "{error}");
    }
}
