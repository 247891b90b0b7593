//! `owner_id`: a name for people. Two live processes under one are two owners, and hear of it.

use std::collections::{BTreeMap, BTreeSet};

use kinesis_app::{Running, Setup, prelude::*};
use tokio::time::sleep;

use crate::{
    log::Errors,
    store::Recording,
    world::{Entry, FIRST, Ledger, World, secs},
};

/// Named by the environment, or by `#[configure]`.
#[kinesis_app(name = "billing", owner_id(env = "OWNER", optional), leases(memory))]
mod owned {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders, concurrency = 8)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), ConfigError> {
        match setup.env("OWNER_FROM_CODE") {
            Ok(id) => config.set_owner_id(&id),
            Err(_) => Ok(()),
        }
    }
}

/// Twice as many as one instance takes at a time.
const MANY: u32 = 32;

/// Starts an instance with this id and a ledger of its own. Its takes are answered late, so that two that start together share.
async fn start(world: &World, seed: u64, owner_id: &str) -> (Running, Ledger) {
    let ledger = Ledger::default();
    let leases = Recording::over(&world.leases);
    leases.take_slowly();
    let launch = world.launch(owned::App).leases(leases).seed(seed);
    let launch = launch.state(ledger.clone());
    let setup = Setup::empty().with_env("OWNER", owner_id);
    let running = launch.setup(setup).start().await.expect("a start");
    (running, ledger)
}

fn shards_of(ledger: &Ledger) -> BTreeSet<String> {
    let entries = ledger.entries().into_iter();
    entries.map(|entry| entry.shard_id).collect()
}

fn owner_ids(world: &World) -> BTreeMap<String, String> {
    let holders = world.leases.rows().into_iter();
    let holders = holders.filter_map(|row| row.holder);
    holders
        .map(|holder| (holder.session, holder.owner_id))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn two_live_processes_of_one_owner_id_are_two_owners_and_each_hears_of_the_other_once() {
    let (errors, _logged) = Errors::capture();
    let world = World::new(MANY);
    let ((one, ones), (two, twos)) = tokio::join!(start(&world, 1, "me"), start(&world, 2, "me"));
    for round in 0..4 {
        for shard_id in world.shards() {
            world.put_to(&shard_id, &shard_id, &round.to_string());
        }
        sleep(secs(30)).await;
    }
    let owners = owner_ids(&world);
    assert_eq!(owners.len(), 2, "{owners:?}");
    assert!(owners.values().all(|id| id == "me"), "{owners:?}");
    let (read_by_one, read_by_two) = (shards_of(&ones), shards_of(&twos));
    assert!(read_by_one.is_disjoint(&read_by_two));
    let many = MANY as usize;
    assert_eq!(read_by_one.len() + read_by_two.len(), many);
    assert_eq!(ones.begun().len() + twos.begun().len(), 4 * many);
    let errors = errors.all();
    assert_eq!(errors.len(), 2, "{errors:?}");
    for error in &errors {
        assert_eq!(error.get("owner_id"), "me");
        assert_eq!(error.get("stream"), "Orders");
    }
    let named: BTreeSet<_> = errors.iter().map(|error| error.get("shard")).collect();
    assert_eq!(named.len(), 2, "each names a shard of the other: {named:?}");
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn the_second_of_one_owner_id_hears_of_it_and_the_first_who_reads_everything_does_not() {
    let (errors, _logged) = Errors::capture();
    let world = World::new(1);
    let (one, _) = start(&world, 1, "me").await;
    sleep(secs(60)).await;
    assert_eq!(errors.all(), []);
    let (two, _) = start(&world, 2, "me").await;
    sleep(secs(300)).await;
    let errors = errors.all();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].get("shard"), FIRST);
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_process_that_is_started_anew_under_its_owner_id_takes_over_from_the_dead_one_in_silence()
{
    let (errors, _logged) = Errors::capture();
    let world = World::new(4);
    let (one, _) = start(&world, 1, "me").await;
    sleep(secs(20)).await;
    drop(one);
    world.put("a", "1");
    let (two, ledger) = start(&world, 2, "me").await;
    sleep(secs(120)).await;
    assert_eq!(ledger.ended(), ["1"]);
    assert_eq!(errors.all(), []);
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn processes_of_different_owner_ids_hear_nothing_of_each_other() {
    let (errors, _logged) = Errors::capture();
    let world = World::new(MANY);
    let ((one, _), (two, _)) = tokio::join!(start(&world, 1, "me"), start(&world, 2, "you"));
    sleep(secs(120)).await;
    let named: BTreeSet<_> = owner_ids(&world).into_values().collect();
    assert_eq!(named, ["me", "you"].map(String::from).into());
    assert_eq!(errors.all(), []);
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_owner_id_comes_from_the_code_before_the_environment_or_is_the_processes_own() {
    let given = Setup::empty().with_env("OWNER", "me");
    let both = given.clone().with_env("OWNER_FROM_CODE", "pod-0");
    let mut ids = Vec::new();
    for setup in [given, both, Setup::empty(), Setup::empty()] {
        let world = World::new(1);
        let launch = world.launch(owned::App).setup(setup);
        let running = launch.start().await.expect("a start");
        ids.extend(owner_ids(&world).into_values());
        running.shutdown().await.expect("a clean stop");
    }
    assert_eq!(ids[..2], ["me", "pod-0"]);
    let own = format!("{}-", std::process::id());
    assert!(ids[2..].iter().all(|id| id.starts_with(&own)), "{ids:?}");
    assert_ne!(ids[2], ids[3], "also within one process");
}

#[tokio::test(start_paused = true)]
async fn an_owner_id_that_breaks_the_rule_fails_the_start_with_its_place() {
    let world = World::new(1);
    let setup = Setup::empty()
        .with_env("OWNER", "host:1")
        .with_env("OWNER_FROM_CODE", "");
    let launch = world.launch(owned::App).setup(setup);
    let error = launch.start().await.expect_err("two that break the rule");
    assert_eq!(
        error.to_string(),
        "billing: 2 settings are out of range\n  owner id from `OWNER`: owner id `host:1` has `:` at byte 4; ids use letters, digits, `_`, `.` and `-`\n  owner id from `#[configure]`: owner id is empty; ids have 1 to 128 characters"
    );
    assert!(world.kinesis.call_log().is_empty());
}
