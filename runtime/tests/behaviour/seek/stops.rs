//! Seeks while an application stops or hands a shard over, and after its end.

use std::time::Duration;

use kinesis_app::{Position, SeekError};
use kinesis_app_emulator::{Fault, FaultKind, Operation};
use tokio::time::{Instant, sleep, timeout};

use super::world::{
    seeking::Orders,
    {Plans, numbers},
};
use crate::world::{Deed, FIRST, World, secs};

#[tokio::test(start_paused = true)]
async fn after_a_shutdown_and_after_a_crash_a_seek_is_an_error_that_changes_nothing() {
    let (world, plans) = (World::new(1), Plans::default());
    world.put_all("ada", ["1", "2"]);
    let running = world.start_seeking(&plans, 1).await;
    let stopped = running.seeker::<Orders>();
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    let running = world.start_seeking(&plans, 2).await;
    let crashed = running.seeker::<Orders>();
    drop(running);
    for seeker in [stopped, crashed] {
        let error = seeker.seek(Position::horizon()).await.expect_err("over");
        assert!(matches!(error, SeekError::NotRunning { stream: "Orders" }));
        assert!(!error.is_retryable());
    }
    let running = world.start_seeking(&plans, 3).await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["1", "2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_seeks_while_its_application_stops_holds_no_stop_up() {
    let (world, plans) = (World::new(1), Plans::default());
    let last = world.put("ada", "1");
    world.put("ada", "2");
    plans.at("2", Position::sequence(FIRST, &last));
    world.ledger.plan("1", [Deed::Take(secs(3))]);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(1)).await;
    let stop = timeout(secs(15), running.shutdown()).await;
    stop.expect("in its bound").expect("a clean stop");
    assert_eq!(world.ledger.ended(), ["1"]);
    let running = world.start_seeking(&plans, 2).await;
    sleep(secs(5)).await;
    assert_eq!(plans.told(), [Ok(())]);
    assert_eq!(world.ledger.ended(), ["1", "2", "1", "2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_in_the_middle_of_a_hand_over_waits_for_it_no_more_than_it_holds_it_up() {
    let (world, plans) = (World::new(2), Plans::default());
    let one = world.start_seeking(&plans, 1).await;
    world.ledger.always(Deed::Take(secs(8)));
    world.put_numbers(0..6);
    sleep(secs(2)).await;
    assert!(world.ledger.running() > 0, "what is handed over is busy");
    let two = world.start_seeking(&plans, 2).await;
    sleep(secs(2)).await;
    world.ledger.always(Deed::Take(Duration::ZERO));
    let asked = Instant::now();
    let seeker = one.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    assert!(asked.elapsed() < secs(1), "{:?}", asked.elapsed());
    sleep(secs(60)).await;
    let counts = [&one, &two].map(|running| running.health().shards.len());
    assert_eq!(counts, [1, 1]);
    let ended = numbers(&world.ledger.ended());
    assert!((0..6).all(|number| ended.iter().filter(|other| **other == number).count() >= 2));
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_handler_whose_seek_is_never_answered_holds_a_stop_up_for_its_timeout_and_no_longer() {
    let (world, plans) = (World::new(1), Plans::default());
    world.put("ada", "1");
    plans.at("1", Position::horizon());
    let running = world.start_seeking(&plans, 1).await;
    let hangs = Fault::new(Operation::DescribeStreamSummary, FaultKind::Hang);
    world.kinesis.fault(hangs.always());
    sleep(secs(2)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a clean stop");
    assert!(asked.elapsed() <= secs(11), "{:?}", asked.elapsed());
}
