//! Rule 9: a lease is renewed only while its reader says what it does. Waiting is no silence.

use std::sync::{Arc, Mutex};

use aws_smithy_async::rt::sleep::{AsyncSleep, Sleep};
use kinesis_app::{
    Activity, LeaseWrite, Running, SdkConfig, ShardName, observer::LeaseChange, prelude::*,
};
use kinesis_app_emulator::{Fault, FaultKind, Operation};
use tokio::time::sleep;

use crate::{
    log::Errors,
    store::Recording,
    tricks::Tricks,
    world::{Deed, Entry, FIRST, Ledger, STREAM, World, ledger, secs},
};

/// The SDK's timer never fires, so its timeouts are none: a call without an answer hangs for ever.
#[derive(Debug)]
struct Never;

impl AsyncSleep for Never {
    fn sleep(&self, _: std::time::Duration) -> Sleep {
        Sleep::new(std::future::pending())
    }
}

async fn start_without_timeouts(world: &World, store: &Recording, aws: SdkConfig) -> Running {
    let aws = aws.into_builder().sleep_impl(Never).build();
    let launch = world.launch(ledger::App).aws(aws).leases(store.clone());
    launch.start().await.expect("a start")
}

fn takes(store: &Recording) -> usize {
    let writes = store.writes();
    let takes = writes
        .iter()
        .filter(|write| matches!(write, LeaseWrite::Take { .. }));
    takes.count()
}

fn activities(running: &Running) -> Vec<Activity> {
    let shards = running.health().shards;
    shards.into_values().map(|shard| shard.activity).collect()
}

fn hang(world: &World, operation: Operation, times: u64) {
    world
        .kinesis
        .fault(Fault::new(operation, FaultKind::Hang).times(times));
}

#[tokio::test(start_paused = true)]
async fn a_source_that_hangs_for_ever_is_built_anew_and_goes_on_where_it_was() {
    let (world, store) = (World::new(1), Recording::default());
    world.ledger.plan("1", [Deed::Take(secs(60))]);
    world.put("ada", "1");
    world.put("bob", "2");
    let running = start_without_timeouts(&world, &store, world.kinesis.sdk_config()).await;
    sleep(secs(2)).await;
    hang(&world, Operation::GetRecords, 1);
    sleep(secs(2)).await;
    world.put("bob", "3");
    sleep(secs(15)).await;
    assert_eq!(world.ledger.begun(), ["1", "2"], "it hangs");
    assert!(running.health().is_good());
    sleep(secs(5)).await;
    assert_eq!(
        world.ledger.begun(),
        ["1", "2", "3"],
        "nothing is lost, and what runs is left alone"
    );
    assert_eq!(activities(&running), [Activity::Reading]);
    sleep(secs(60)).await;
    assert_eq!(world.ledger.ended(), ["2", "3", "1"]);
    assert_eq!(takes(&store), 1, "the lease was kept");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_second_silence_gives_the_lease_back_and_shows_in_health() {
    let (world, store) = (World::new(1), Recording::default());
    let first = world.put("ada", "1");
    let running = start_without_timeouts(&world, &store, world.kinesis.sdk_config()).await;
    sleep(secs(2)).await;
    hang(&world, Operation::GetRecords, 2);
    world.put("ada", "2");
    sleep(secs(25)).await;
    assert_eq!(activities(&running), [Activity::Silent]);
    assert!(!running.health().is_good());
    assert!(store.table.rows()[0].holder.is_some());
    sleep(secs(18)).await;
    let writes = store.writes();
    assert!(
        matches!(writes.last(), Some(LeaseWrite::Release { .. })),
        "{writes:?}"
    );
    let row = store.table.rows().remove(0);
    assert_eq!(
        row.checkpoint,
        Some(kinesis_app::Checkpoint::After(first)),
        "with what had settled"
    );
    // There is nobody else: it takes the lease again itself.
    sleep(secs(10)).await;
    assert_eq!(takes(&store), 2);
    assert_eq!(world.ledger.begun(), ["1", "2"]);
    assert_eq!(activities(&running), [Activity::Reading]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_source_that_panics_is_built_anew_and_repeats_nothing() {
    let (world, store) = (World::new(1), Recording::default());
    let (aws, tricks) = Tricks::new(&world.kinesis);
    world.put("ada", "1");
    let running = start_without_timeouts(&world, &store, aws).await;
    sleep(secs(2)).await;
    tricks.panic_at("GetRecords");
    world.put("ada", "2");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1", "2"]);
    assert_eq!(takes(&store), 1);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_takes_for_ever_is_no_silence_and_keeps_its_lease() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::Hang]);
    world.put_all("ada", ["1", "2"]);
    let running = world.start().await;
    let another = world.start_another().await;
    let holder = world.leases.rows()[0].holder.clone();
    sleep(secs(3600)).await;
    assert_eq!(world.ledger.begun(), ["1"]);
    assert_eq!(world.leases.rows()[0].holder, holder);
    assert!(running.health().is_good());
    drop((running, another));
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_is_far_away_is_no_silence() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::RetryAfter(secs(86_400))]);
    world.put("ada", "1");
    let running = world.start().await;
    let holder = world.leases.rows()[0].holder.clone();
    sleep(secs(3600)).await;
    assert_eq!(world.leases.rows()[0].holder, holder);
    assert!(running.health().is_good());
    drop(running);
}

/// Reads as rarely as it may.
#[kinesis_app(name = "billing", leases(memory))]
mod rare {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw), poll_interval = "4m")]
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
async fn a_long_poll_interval_is_no_silence() {
    let (world, store) = (World::new(1), Recording::default());
    let launch = world.launch(rare::App).leases(store.clone());
    let running = launch.start().await.expect("a start");
    sleep(secs(3600)).await;
    assert_eq!(world.kinesis.calls(Operation::GetRecords), 16);
    assert_eq!(world.kinesis.calls(Operation::GetShardIterator), 1);
    assert_eq!(takes(&store), 1);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_ending_that_hangs_gives_the_lease_back() {
    let (world, store) = (World::new(1), Recording::default());
    let (aws, tricks) = Tricks::new(&world.kinesis);
    let running = start_without_timeouts(&world, &store, aws).await;
    sleep(secs(2)).await;
    // An end that names no children is looked up in a listing, which never comes.
    hang(&world, Operation::ListShards, 1);
    tricks.answer("GetRecords", 200, r#"{"Records":[]}"#, 1);
    sleep(secs(15)).await;
    assert!(store.table.rows()[0].holder.is_some());
    sleep(secs(15)).await;
    assert_eq!(takes(&store), 2, "and it is taken again: {FIRST} goes on");
    running.shutdown().await.expect("a clean stop");
}

/// Three pages of nine seconds each are longer than one call may take and a lease duration together.
#[tokio::test(start_paused = true)]
async fn a_long_listing_at_the_end_of_a_shard_is_no_silence() {
    let (world, store) = (World::new(1), Recording::default());
    let (aws, tricks) = Tricks::new(&world.kinesis);
    let launch = world.launch(ledger::App).aws(aws).leases(store.clone());
    let running = launch.start().await.expect("a start");
    let slow = Fault::new(Operation::ListShards, FaultKind::Delay(secs(9)));
    world.kinesis.fault(slow.times(3));
    let empty = r#"{"Shards":[],"NextToken":"next"}"#;
    tricks.answer("GetRecords", 200, r#"{"Records":[]}"#, 1);
    tricks.answer("ListShards", 200, empty, 2);
    let child = r#"{"Shards":[{"ShardId":"shardId-000000000001","ParentShardId":"shardId-000000000000","HashKeyRange":{"StartingHashKey":"0","EndingHashKey":"1"},"SequenceNumberRange":{"StartingSequenceNumber":"1"}}]}"#;
    tricks.answer("ListShards", 200, child, 1);
    sleep(secs(35)).await;
    let ends = store.writes().into_iter().filter_map(|write| match write {
        LeaseWrite::Release { held, .. } => Some(("given back", held.key)),
        LeaseWrite::End { held, .. } => Some(("ended", held.key)),
        _ => None,
    });
    let of_first: Vec<_> = ends.filter(|(_, key)| key.ends_with(FIRST)).collect();
    assert_eq!(of_first, [("ended", format!("billing:orders:{FIRST}"))]);
    drop(running);
}

/// What an observer is told of the lease of the first shard.
#[derive(Debug, Clone, Default)]
struct Tenures(Arc<Mutex<Vec<String>>>);

impl Observer for Tenures {
    fn lease(&self, shard: &ShardName, change: &LeaseChange<'_>) {
        if shard.shard_id == FIRST {
            let told = match change {
                LeaseChange::Taken { .. } => "taken",
                LeaseChange::Lost { reason } => reason,
                _ => "ended",
            };
            let mut all = self.0.lock().expect("no test panics with it");
            all.push(told.to_owned());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_observer_is_told_of_each_lease_that_a_panic_ends_once() {
    let (world, store) = (World::new(1), Recording::default());
    let tenures = Tenures::default();
    let running = start_to_panic(&world, &store, &tenures).await;
    sleep(secs(100)).await;
    running.shutdown().await.expect("a clean stop");
    let told = tenures.0.lock().expect("no test panics with it").clone();
    let (begun, ended): (Vec<_>, Vec<_>) = told.iter().partition(|told| *told == "taken");
    assert!(begun.len() > 2 && begun.len() == ended.len(), "{told:?}");
    let lost = "its reader ended without a word";
    assert!(ended.iter().all(|told| *told == lost), "{told:?}");
}

/// A shard that is split, and whose last handler ends after a listing has told of its children.
async fn start_to_panic(world: &World, store: &Recording, tenures: &Tenures) -> Running {
    world.ledger.plan("1", [Deed::Take(secs(40))]);
    world.put("ada", "1");
    let launch = world.launch(ledger::App).leases(store.clone());
    let launch = launch.observer(tenures.clone());
    let running = launch.start().await.expect("a start");
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "ada", "2");
    store.panic_at_second_creations(true);
    running
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_panics_each_time_is_built_anew_ever_more_rarely_and_shows_in_health() {
    let (world, store) = (World::new(1), Recording::default());
    let (errors, _logged) = Errors::capture();
    let running = start_to_panic(&world, &store, &Tenures::default()).await;
    sleep(secs(1240)).await;
    let panics = errors.all();
    assert!((5..=40).contains(&panics.len()), "{panics:#?}");
    for panic in &panics {
        assert_eq!(
            panic.get("message"),
            "reader panicked; its shard is read again"
        );
        assert_eq!(panic.get("shard"), FIRST);
    }
    let health = running.health();
    assert!(!health.is_good());
    let failing = health.shards.into_values().find_map(|shard| shard.failing);
    let failing = failing.expect("a shard fails");
    assert!(failing.error.contains("planned"), "{failing:?}");
    assert!(failing.for_how_long > secs(1000), "{failing:?}");
    store.panic_at_second_creations(false);
    sleep(secs(301 + 60 + 30)).await;
    assert_eq!(world.ledger.begun().last().expect("some"), "2");
    assert!(running.health().is_good());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn the_lease_of_a_reader_that_panics_twice_is_given_to_one_that_does_not() {
    let (world, store) = (World::new(1), Recording::default());
    let running = start_to_panic(&world, &store, &Tenures::default()).await;
    let other = Recording::over(&store.table);
    let launch = world.launch(ledger::App).leases(other.clone());
    let another = launch.seed(20).start().await.expect("a start");
    // After the end of its record it panics, and again within the first back-off.
    sleep(secs(40 + 10 + 5)).await;
    let ended = |writes: Vec<LeaseWrite>| {
        writes
            .iter()
            .any(|write| matches!(write, LeaseWrite::End { .. }))
    };
    assert!(ended(other.writes()) && !ended(store.writes()));
    assert_eq!(world.ledger.begun().last().expect("some"), "2");
    running.shutdown().await.expect("a clean stop");
    another.shutdown().await.expect("a clean stop");
}
