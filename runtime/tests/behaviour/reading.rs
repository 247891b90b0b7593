//! What a reader makes of the answers that it gets: lag is a hint, empty is not the tip, and an expired iterator is a place to go on.

use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Kinesis, Limits, Operation};
use tokio::time::sleep;

use crate::{
    tricks::Tricks,
    world::{Deed, STREAM, World, ledger, secs},
};

#[tokio::test(start_paused = true)]
async fn answers_that_do_not_say_how_far_behind_they_are_lose_nothing() {
    let world = World::new(1);
    let (aws, tricks) = Tricks::new(&world.kinesis);
    tricks.say_no_lag();
    world.put_all("ada", ["a1", "a2"]);
    let launch = world.launch(ledger::App).aws(aws);
    let running = launch.start().await.expect("a start");
    sleep(secs(5)).await;
    world.put("ada", "a3");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["a1", "a2", "a3"]);
    assert_eq!(
        world.kinesis.calls(Operation::GetShardIterator),
        1,
        "and are no end"
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn empty_pages_behind_the_tip_are_followed_at_the_services_pace_and_are_not_the_tip() {
    let world = World::new(1);
    let running = world.start().await;
    sleep(secs(2)).await;
    let reads = || world.kinesis.calls(Operation::GetRecords);
    world.put("ada", "a1");
    sleep(secs(2)).await;
    let empty = Fault::new(Operation::GetRecords, FaultKind::EmptyPage);
    world.kinesis.fault(empty.always());
    world.put("ada", "a2");
    sleep(secs(2)).await;
    let before = reads();
    sleep(secs(60)).await;
    assert!(
        (200..=300).contains(&(reads() - before)),
        "as often as the service allows, and no more: {}",
        reads() - before
    );
    let behind: Vec<_> = running.health().shards.into_values().collect();
    assert!(behind[0].behind > secs(0), "{behind:?}");
    world.kinesis.clear_faults();
    sleep(secs(1)).await;
    assert_eq!(world.ledger.begun(), ["a1", "a2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_crash_in_the_middle_of_an_outage_goes_on_behind_the_checkpoint() {
    let world = World::new(1);
    world.ledger.plan("a3", [Deed::Hang]);
    world.put_all("ada", ["a1", "a2", "a3", "a4"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    world.kinesis.cut();
    sleep(secs(400)).await;
    drop(running);
    world.kinesis.restore();
    let another = world.start_another().await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["a1", "a2", "a3", "a3", "a4"]);
    another.shutdown().await.expect("a clean stop");
}

/// Behind the handler the window of 100,000 records fills, and nothing is read for longer than an iterator lives.
#[tokio::test(start_paused = true)]
async fn a_handler_that_takes_longer_than_an_iterator_lives_repeats_nothing() {
    const RECORDS: usize = 120_000;
    let kinesis = Kinesis::builder().limits(Limits::Off).build();
    kinesis.create_stream(STREAM, 1).expect("a new stream");
    let world = World {
        kinesis,
        ..World::new(1)
    };
    world.ledger.plan("0", [Deed::Take(secs(400))]);
    for number in 0..RECORDS {
        world.put("one key", &number.to_string());
    }
    let running = world.start().await;
    sleep(secs(390)).await;
    let read = world.kinesis.calls(Operation::GetRecords);
    assert!(read <= 12, "the window is full: {read}");
    sleep(secs(60)).await;
    let expected: Vec<_> = (0..RECORDS).map(|number| number.to_string()).collect();
    assert!(world.ledger.begun() == expected, "each once, in order");
    assert_eq!(world.kinesis.calls(Operation::GetShardIterator), 2);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_iterator_that_expires_right_after_a_take_over_is_made_again_behind_the_checkpoint() {
    let world = World::new(1);
    world.put_all("ada", ["a1", "a2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    drop(running);
    world.put("ada", "a3");
    let expired = FaultKind::Refuse(ErrorCode::ExpiredIterator);
    world
        .kinesis
        .fault(Fault::new(Operation::GetRecords, expired).times(2));
    let another = world.start_another().await;
    sleep(secs(30)).await;
    assert_eq!(world.ledger.begun(), ["a1", "a2", "a3"]);
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn iterators_that_expire_as_soon_as_they_are_made_fail_the_shard_and_are_made_ever_more_rarely()
 {
    let world = World::new(1);
    world.put("ada", "1");
    let running = world.start().await;
    sleep(secs(5)).await;
    let expired = FaultKind::Refuse(ErrorCode::ExpiredIterator);
    world
        .kinesis
        .fault(Fault::new(Operation::GetRecords, expired).always());
    world.put("ada", "2");
    let before = world.kinesis.calls(Operation::GetShardIterator);
    sleep(secs(30)).await;
    assert!(running.health().is_good(), "not yet");
    sleep(secs(570)).await;
    let made = world.kinesis.calls(Operation::GetShardIterator) - before;
    assert!((20..100).contains(&made), "{made}");
    let health = running.health();
    assert!(!health.is_good());
    let shard = health.shards.into_values().next().expect("it is read");
    let failing = shard.failing.expect("it fails");
    assert!(
        failing
            .error
            .starts_with("GetRecords was refused: ExpiredIteratorException"),
        "{failing:?}"
    );
    world.kinesis.clear_faults();
    sleep(secs(31)).await;
    assert_eq!(world.ledger.begun(), ["1", "2"]);
    assert!(running.health().is_good());
    running.shutdown().await.expect("a clean stop");
}
