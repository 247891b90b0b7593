//! Starts that ignore checkpoints: a seek by who starts alone.

use kinesis_app::{LeaseStore, Setup};
use tokio::time::{Instant, sleep};

use super::world::{STREAM_KEY, again, count};
use crate::world::{World, secs};

#[tokio::test(start_paused = true)]
async fn an_instance_that_starts_alone_and_ignores_checkpoints_reads_from_its_start_again() {
    let world = World::new(1);
    world.put_all("ada", ["1", "2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    let asked = Instant::now();
    let running = world.start_again(20).await;
    assert!(asked.elapsed() < secs(2), "free leases are nobody's");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "1", "2"]);
    assert_eq!(
        (
            world.stream_row().await.generation,
            world.leases.rows()[0].generation
        ),
        (1, 1)
    );
    running.shutdown().await.expect("a clean stop");
    // And once: the next start goes on behind what was handled.
    let running = world.start().await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun().len(), 4);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_first_start_has_nothing_to_ignore() {
    let world = World::new(1);
    world.put("ada", "1");
    let running = world.start_again(20).await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1"]);
    assert_eq!(world.stream_row().await.generation, 0);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn one_that_joins_uses_the_positions_that_it_finds_and_so_does_one_that_takes_over() {
    let world = World::new(2);
    let numbers: Vec<String> = (0..20).map(|number| number.to_string()).collect();
    for number in &numbers {
        world.put(&format!("key {number}"), number);
    }
    let one = world.start().await;
    sleep(secs(10)).await;
    let asked = Instant::now();
    let two = world.start_again(20).await;
    assert!(
        asked.elapsed() < secs(7),
        "one heartbeat of another is enough to join him: {:?}",
        asked.elapsed()
    );
    sleep(secs(10)).await;
    drop(one);
    sleep(secs(60)).await;
    world.put("ada", "last");
    sleep(secs(5)).await;
    let begun = world.ledger.begun();
    assert_eq!(begun.len(), 21, "{begun:?}");
    assert_eq!(world.stream_row().await.generation, 0);
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn of_two_starters_at_once_one_seeks_and_the_other_joins() {
    let world = World::new(4);
    for number in 0..40 {
        world.put(&format!("key {number}"), &number.to_string());
    }
    let running = world.start().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    let (one, two) = tokio::join!(world.start_again(20), world.start_again(21));
    sleep(secs(60)).await;
    assert_eq!(world.stream_row().await.generation, 1);
    let begun = world.ledger.begun();
    for number in 0..40 {
        assert_eq!(count(&begun, &number.to_string()), 2, "{begun:?}");
    }
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

/// Both judge before one of them seeks: the other's seek is refused, for the generation is not the one that he read before.
#[cfg(feature = "dynamodb")]
#[tokio::test(start_paused = true)]
async fn of_two_starters_at_once_the_refused_one_joins_and_a_lost_answer_seeks_once() {
    use kinesis_app_emulator::dynamodb::{Fault, FaultKind, Operation};

    let world = World::new(2);
    let leases = || kinesis_app::DynamoLeases::new(&world.kinesis.sdk_config(), "leases");
    let start = |seed, ignore: &str| {
        let launch = world
            .launch(again::App)
            .setup(Setup::empty().with_env("IGNORE", ignore));
        let launch = launch.leases(leases().create_if_missing()).seed(seed);
        async move { launch.start().await.expect("a start") }
    };
    for number in 0..20 {
        world.put(&format!("key {number}"), &number.to_string());
    }
    let running = start(1, "false").await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    world
        .kinesis
        .dynamodb()
        .fault(Fault::new(Operation::UpdateItem, FaultKind::AnswerLost));
    let (one, two) = tokio::join!(start(20, "true"), start(21, "true"));
    sleep(secs(60)).await;
    let row = leases().stream(STREAM_KEY).await.expect("an answer");
    assert_eq!(row.expect("met").generation, 1);
    let begun = world.ledger.begun();
    for number in 0..20 {
        assert_eq!(count(&begun, &number.to_string()), 2, "{begun:?}");
    }
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn leases_of_the_dead_keep_nobody_from_reading_again_for_longer_than_a_lease_duration() {
    let world = World::new(2);
    world.put_all("ada", ["1", "2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    drop(running);
    let asked = Instant::now();
    let running = world.start_again(20).await;
    assert!(
        (secs(10)..secs(16)).contains(&asked.elapsed()),
        "{:?}",
        asked.elapsed()
    );
    sleep(secs(40)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "1", "2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn rows_without_their_streams_row_are_ignored_by_a_start_that_ignores_checkpoints() {
    let world = World::new(1);
    world.put_all("ada", ["1", "2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    world.leases.delete(STREAM_KEY);
    let running = world.start_again(20).await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "1", "2"]);
    assert_eq!(world.stream_row().await.generation, 1);
    running.shutdown().await.expect("a clean stop");
}

#[cfg(feature = "dynamodb")]
#[tokio::test(start_paused = true)]
async fn a_table_that_stumbles_at_a_start_that_ignores_checkpoints_is_asked_again() {
    use kinesis_app_emulator::dynamodb::{Fault, FaultKind, Operation};

    let world = World::new(2);
    let start = |ignore: &str| {
        let leases = kinesis_app::DynamoLeases::new(&world.kinesis.sdk_config(), "leases");
        let setup = Setup::empty().with_env("IGNORE", ignore);
        let launch = world.launch(again::App).setup(setup);
        launch.leases(leases.create_if_missing()).start()
    };
    world.put_all("ada", ["1", "2"]);
    let running = start("false").await.expect("a start");
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    for operation in [Operation::Scan, Operation::UpdateItem] {
        let fault = Fault::new(operation, FaultKind::Throttle).times(3);
        world.kinesis.dynamodb().fault(fault);
    }
    let running = start("true").await.expect("a start");
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "1", "2"]);
    running.shutdown().await.expect("a clean stop");
}
