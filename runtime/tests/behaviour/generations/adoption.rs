//! What a later generation makes of rows, parents and readers of an older one.

use kinesis_app::{LeaseStore, LeaseWrite, StoredStart, StreamWrite};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::{sleep, timeout};

use super::world::{STREAM_KEY, again};
use crate::{
    store::Recording,
    world::{Deed, FIRST, SECOND, STREAM, World, ledger, secs},
};

#[tokio::test(start_paused = true)]
async fn finished_parents_are_read_again_and_their_children_wait_for_them_again() {
    let world = World::new(1);
    world.put_all("ada", ["a1", "a2"]);
    let running = world.start().await;
    sleep(secs(2)).await;
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    sleep(secs(10)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    world.ledger.plan("a2", [Deed::Take(secs(60))]);
    let running = world.start_again(20).await;
    sleep(secs(50)).await;
    assert_eq!(world.ledger.begun()[4..], ["a1", "a2"]);
    sleep(secs(30)).await;
    let mut ended = world.ledger.ended()[4..].to_vec();
    assert_eq!(ended[..2], ["a1", "a2"]);
    ended.sort();
    assert_eq!(ended, ["a1", "a2", "left", "right"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn parents_that_are_trimmed_since_keep_nobody_waiting_in_a_later_generation() {
    let world = World::new(1);
    world.put_all("ada", ["a1"]);
    let running = world.start().await;
    sleep(secs(2)).await;
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    sleep(secs(10)).await;
    running.shutdown().await.expect("a clean stop");
    world
        .kinesis
        .trim(STREAM, FIRST, kinesis_app_emulator::Trim::Oldest(1))
        .expect("a record to trim");
    let running = world.start_again(20).await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended(), ["a1", "left", "left"]);
    sleep(secs(120)).await;
    assert_eq!(world.checkpoint(FIRST), None, "and their rows go");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_crash_before_the_first_record_of_a_generation_brings_no_old_checkpoint_back() {
    let world = World::new(1);
    world.put_all("ada", ["1", "2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    world.ledger.plan("1", [Deed::Hang]);
    let running = world.start_again(20).await;
    // Long enough for heartbeats: the row has adopted the generation, and has no checkpoint in it.
    sleep(secs(7)).await;
    let row = world.leases.rows().remove(0);
    assert_eq!((row.generation, &row.checkpoint), (1, &None));
    drop(running);
    let running = world.start_another().await;
    sleep(secs(40)).await;
    assert_eq!(world.ledger.ended(), ["1", "2", "1", "2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_row_of_an_older_generation_stands_at_the_seeks_position_and_begins_nothing_before_it() {
    let world = World::new(1);
    world.put_all("ada", ["1", "2"]);
    let running = world.start().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    sleep(secs(60)).await;
    world.put("ada", "skipped");
    sleep(secs(60)).await;
    let millis = i64::try_from(world.now_millis()).expect("this era");
    world.put("ada", "3");
    world.seek(StoredStart::At { millis }).await;
    let running = world.start().await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "3"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn readers_adopt_the_seek_of_somebody_else_within_a_round() {
    let world = World::new(2);
    world.put_all("ada", ["1", "2"]);
    let one = world.start().await;
    let two = world.start_another().await;
    sleep(secs(5)).await;
    world.seek(StoredStart::TrimHorizon).await;
    sleep(secs(40)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "1", "2"]);
    let rows = world.leases.rows();
    assert!(rows.iter().all(|row| row.generation == 1), "{rows:#?}");
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

/// `w_latch` of the model: the bell rings while a take is in flight, and its reader would begin in the generation that it knew before.
#[tokio::test(start_paused = true)]
async fn a_take_that_is_in_flight_while_the_stream_is_sought_begins_nothing_in_the_old_generation()
{
    let world = World::new(1);
    let store = Recording::default();
    let table = store.table.clone();
    world.put_all("ada", ["1", "2"]);
    let launch = || {
        world
            .launch(again::App)
            .leases(store.clone())
            .seed(world.seed)
    };
    let running = launch().start().await.expect("a start");
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    store.take_slowly();
    let mut starting = Box::pin(launch().start());
    // The take is carried out and not answered yet.
    while !matches!(store.writes().last(), Some(LeaseWrite::Take { .. })) {
        assert!(
            tokio::time::timeout(secs(1) / 100, &mut starting)
                .await
                .is_err()
        );
    }
    let seek = StreamWrite::Seek {
        key: STREAM_KEY.into(),
        seen_generation: 0,
        position: StoredStart::TrimHorizon,
    };
    table.write_stream(&seek).await.expect("as seen");
    let running = starting.await.expect("a start");
    world.put("ada", "3");
    sleep(secs(60)).await;
    assert_eq!(
        world.ledger.begun()[2..],
        ["1", "2", "3"],
        "the bell tells of the seek before the take is answered"
    );
    let row = table.rows().remove(0);
    assert_eq!(row.generation, 1, "{row:?}");
    running.shutdown().await.expect("a clean stop");
}

/// A child is taken on the word that its parent is finished; while the take is on its way the stream is sought, and the parent is to be read
/// again.
#[tokio::test(start_paused = true)]
async fn what_was_judged_startable_before_a_seek_begins_nothing_after_it_was_heard_of() {
    let world = World::new(2);
    let store = Recording::default();
    world.put_to(FIRST, "a", "a1");
    world.put_to(SECOND, "b", "b1");
    // Its end makes a round while the takes of the other's children are on their way.
    world
        .ledger
        .plan("b1", [Deed::Take(std::time::Duration::from_millis(500))]);
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "a", "a2");
    world.kinesis.split(STREAM, SECOND).expect("a split");
    store.take_slowly();
    let launch = world.launch(again::App).leases(store.clone());
    let running = launch.start().await.expect("a start");
    let of_first = |write: &LeaseWrite| write.key().ends_with(FIRST);
    while !store
        .writes()
        .iter()
        .any(|write| matches!(write, LeaseWrite::End { .. }) && of_first(write))
    {
        sleep(secs(1) / 100).await;
    }
    let seek = StreamWrite::Seek {
        key: STREAM_KEY.into(),
        seen_generation: 0,
        position: StoredStart::TrimHorizon,
    };
    store.table.write_stream(&seek).await.expect("as seen");
    sleep(secs(60)).await;
    let begun: Vec<_> = world
        .ledger
        .entries()
        .into_iter()
        .filter(|entry| entry.key == "a")
        .map(|entry| entry.text)
        .collect();
    assert_eq!(begun, ["a1", "a1", "a2"]);
    running.shutdown().await.expect("a clean stop");
}

/// The seek is heard of while the lease is given back.
#[tokio::test(start_paused = true)]
async fn what_is_refused_to_a_reader_of_an_older_generation_ends_no_run() {
    let world = World::new(1);
    let store = Recording::over(&world.leases);
    world.put("ada", "1");
    let launch = world.launch(ledger::App).leases(store.clone());
    let mut running = launch.start().await.expect("a start");
    sleep(secs(5)).await;
    store.release_slowly();
    let refused = FaultKind::Refuse(ErrorCode::AccessDenied);
    let refused = Fault::new(Operation::GetRecords, refused);
    world.kinesis.fault(refused.times(1));
    let released = |write: &LeaseWrite| matches!(write, LeaseWrite::Release { .. });
    while !store.writes().iter().any(released) {
        sleep(secs(1) / 10).await;
    }
    world.seek(StoredStart::TrimHorizon).await;
    let end = timeout(secs(60), running.ended()).await;
    assert!(end.is_err(), "the run goes on");
    assert_eq!(world.ledger.begun(), ["1", "1"]);
    assert!(running.health().is_good(), "{:?}", running.health());
    running.shutdown().await.expect("a clean stop");
}
