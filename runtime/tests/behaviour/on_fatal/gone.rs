//! Streams that are deleted or replaced under a run, and doubts which stream it is.

use std::time::Duration;

use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::{sleep, timeout};

use super::world::{goes_on, marked, put_refund, refuse, refused_stream, start_to_stop, world};
use crate::world::{STREAM, World, secs};

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_deleted_is_marked_and_one_that_takes_its_name_is_not_taken_for_it() {
    let world = world();
    world.put("ada", "1");
    let mut running = world.start_app(marked::App).await;
    sleep(secs(5)).await;
    world
        .kinesis
        .delete_stream(STREAM)
        .expect("the stream is there");
    goes_on(&mut running, secs(600)).await;
    let words = refused_stream(&running.health()).expect("marked");
    assert!(words.contains("ResourceNotFoundException"), "{words}");

    world
        .kinesis
        .create_stream(STREAM, 1)
        .expect("the name is free");
    world.put("ada", "2");
    put_refund(&world, "3");
    goes_on(&mut running, secs(600)).await;
    assert_eq!(world.ledger.begun(), ["1", "3"]);
    let words = refused_stream(&running.health()).expect("marked");
    assert!(
        words.starts_with("it was deleted and created again"),
        "{words}"
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_replaced_under_a_run_ends_it_with_what_happened() {
    let world = World::new(1);
    world.put("ada", "1");
    let mut running = world.start().await;
    sleep(secs(5)).await;
    // Gone and back before anybody lists its shards again.
    world.kinesis.delete_stream(STREAM).expect("it is there");
    sleep(secs(2)).await;
    while world.kinesis.create_stream(STREAM, 1).is_err() {
        sleep(Duration::from_millis(100)).await;
    }
    world.put("ada", "2");
    timeout(secs(300), running.ended()).await.expect("an end");
    let error = running.shutdown().await.expect_err("another stream");
    assert!(
        error
            .to_string()
            .contains("it was deleted and created again"),
        "{error}"
    );
    assert_eq!(world.ledger.begun(), ["1"]);
}

/// Whether another stream has the name is not known, so neither is whose refusal it is.
#[tokio::test(start_paused = true)]
async fn a_refusal_ends_no_run_while_the_service_does_not_say_which_stream_it_is() {
    let world = world();
    let mut running = start_to_stop(&world).await.expect("a start");
    sleep(secs(5)).await;
    let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
    world
        .kinesis
        .fault(Fault::new(Operation::GetRecords, kind).stream(STREAM));
    let throttle = Fault::new(Operation::DescribeStreamSummary, FaultKind::Throttle);
    world.kinesis.fault(throttle.always());
    world.put("ada", "1");
    goes_on(&mut running, secs(60)).await;
    assert!(world.ledger.begun().is_empty());
    world.kinesis.clear_faults();
    goes_on(&mut running, secs(60)).await;
    assert_eq!(world.ledger.begun(), ["1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_may_not_be_described_when_it_is_doubted_is_refused() {
    for marks in [false, true] {
        let world = world();
        let mut running = if marks {
            world.start_app(marked::App).await
        } else {
            start_to_stop(&world).await.expect("a start")
        };
        sleep(secs(5)).await;
        let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
        world
            .kinesis
            .fault(Fault::new(Operation::GetRecords, kind).stream(STREAM));
        refuse(&world, Operation::DescribeStreamSummary);
        world.put("ada", "1");
        if !marks {
            let end = timeout(secs(60), running.ended()).await;
            end.expect("an end");
            let error = running.shutdown().await.expect_err("refused");
            let words = "DescribeStreamSummary was refused";
            assert!(error.to_string().contains(words), "{error}");
            continue;
        }
        goes_on(&mut running, secs(60)).await;
        let words = refused_stream(&running.health()).expect("marked");
        assert!(words.starts_with("DescribeStreamSummary was"), "{words}");
        world.kinesis.clear_faults();
        goes_on(&mut running, secs(301)).await;
        assert_eq!(world.ledger.begun(), ["1"]);
        assert!(running.health().is_good(), "{:?}", running.health());
        running.shutdown().await.expect("a clean stop");
    }
}
