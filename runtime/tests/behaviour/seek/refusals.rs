//! Seeks that fail, or are not answered.

use std::time::Duration;

use kinesis_app::{LeaseStore, Position, SeekError};
use tokio::time::sleep;

use super::world::{
    Plans, numbers,
    seeking::{Orders, Receipts},
};
use crate::{
    tricks::Tricks,
    world::{Deed, FIRST, World, secs},
};

#[tokio::test(start_paused = true)]
async fn a_seek_that_the_service_refuses_changes_nothing() {
    let (world, plans) = (World::new(2), Plans::default());
    let (config, tricks) = Tricks::new(&world.kinesis);
    world.ledger.always(Deed::Take(Duration::from_millis(100)));
    world.put_numbers(0..500);
    let launch = world.launch_seeking(&plans).aws(config);
    let running = launch.start().await.expect("a start");
    sleep(secs(3)).await;
    let refused = r#"{"__type":"InvalidArgumentException","message":"no"}"#;
    tricks.answer("GetShardIterator", 400, refused, 1);
    let seeker = running.seeker::<Orders>();
    let error = seeker.seek(Position::latest()).await.expect_err("refused");
    assert!(!error.is_retryable() && !error.is_unknown(), "{error}");
    assert!(error.to_string().contains("InvalidArgumentException"));
    let error = seeker
        .seek(Position::sequence(FIRST, "no number"))
        .await
        .expect_err("no sequence number");
    assert!(matches!(error, SeekError::Service { .. }), "{error}");
    sleep(secs(60)).await;
    let mut ended = numbers(&world.ledger.ended());
    ended.sort_unstable();
    assert_eq!(ended, (0..500).collect::<Vec<_>>(), "each once");
    let row = world
        .leases
        .stream("billing:orders")
        .await
        .expect("a memory");
    assert_eq!(row.expect("met").generation, 0);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_outlasts_throttles() {
    let (world, plans) = (World::new(1), Plans::default());
    let (config, tricks) = Tricks::new(&world.kinesis);
    world.put_all("ada", ["1", "2"]);
    let launch = world.launch_seeking(&plans).aws(config);
    let running = launch.start().await.expect("a start");
    sleep(secs(3)).await;
    let throttled = r#"{"__type":"LimitExceededException","message":"slow down"}"#;
    tricks.answer("DescribeStreamSummary", 400, throttled, 2);
    let slow = r#"{"__type":"ProvisionedThroughputExceededException","message":"slow down"}"#;
    tricks.answer("GetShardIterator", 400, slow, 2);
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended(), ["1", "2", "1", "2"]);
    running.shutdown().await.expect("a clean stop");
}

#[cfg(feature = "dynamodb")]
#[tokio::test(start_paused = true)]
async fn a_seek_whose_answer_is_lost_is_done_once_and_one_that_is_never_answered_is_unknown() {
    use kinesis_app_emulator::dynamodb::{Fault, FaultKind, Operation};

    let (world, plans) = (World::new(1), Plans::default());
    let leases = || kinesis_app::DynamoLeases::new(&world.kinesis.sdk_config(), "leases");
    world.put_all("ada", ["1", "2"]);
    let launch = world.launch_seeking(&plans);
    let launch = launch.leases(leases().create_if_missing());
    let running = launch.start().await.expect("a start");
    sleep(Duration::from_millis(3500)).await;
    let seeker = running.seeker::<Orders>();
    let fault = |kind| Fault::new(Operation::UpdateItem, kind).key("billing:orders");
    world.kinesis.dynamodb().fault(fault(FaultKind::AnswerLost));
    seeker.seek(Position::horizon()).await.expect("sought");
    let generation = async || {
        let row = leases().stream("billing:orders").await.expect("an answer");
        row.expect("met").generation
    };
    assert_eq!(generation().await, 1);
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended(), ["1", "2", "1", "2"]);
    world
        .kinesis
        .dynamodb()
        .fault(fault(FaultKind::Reset).times(20));
    let error = seeker
        .seek(Position::horizon())
        .await
        .expect_err("no answer");
    assert!(error.is_unknown() && error.is_retryable(), "{error}");
    assert_eq!(generation().await, 1);
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn a_position_ahead_of_the_services_clock_is_refused_and_says_by_how_much() {
    let (world, plans) = (World::new(1), Plans::default());
    let running = world.start_seeking(&plans, 1).await;
    let seeker = running.seeker::<Orders>();
    let ahead = world.kinesis.now() + secs(3600);
    let error = seeker.seek(Position::timestamp(ahead)).await;
    let error = error.expect_err("in the future");
    assert!(
        matches!(error, SeekError::InTheFuture { ahead_seconds, .. } if ahead_seconds.abs_diff(3600) <= 1)
    );
    assert!(!error.is_retryable());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_without_a_handler_has_nothing_to_seek() {
    let (world, plans) = (World::new(1), Plans::default());
    let running = world.start_seeking(&plans, 1).await;
    let error = running.seeker::<Receipts>().seek(Position::latest()).await;
    let error = error.expect_err("no handler");
    assert!(matches!(
        error,
        SeekError::NotConsumed { stream: "Receipts" }
    ));
    assert_eq!(
        error.to_string(),
        "`Receipts` has no handler in this application\nhelp: seek in the application whose `#[on_record(Receipts)]` reads it"
    );
    running.shutdown().await.expect("a clean stop");
}
