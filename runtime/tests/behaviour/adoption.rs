//! A running reader adopts a later generation where it is: it keeps its lease and waits for nobody.

use kinesis_app::{Activity, LeaseWrite, Progress, StoredStart};
use tokio::time::sleep;

use crate::{
    store::Recording,
    world::{Deed, FIRST, World, ledger, secs},
};

/// Longer than instances take to hear the bell.
const HEARD: u64 = 3;

#[tokio::test(start_paused = true)]
async fn a_reader_adopts_a_generation_under_its_lease_and_writes_it_without_a_checkpoint_first() {
    let mut world = World::new(1);
    let store = Recording::default();
    world.leases = store.table.clone();
    world.put_all("ada", ["1", "2"]);
    let launch = world.launch(ledger::App).leases(store.clone());
    let running = launch.start().await.expect("a start");
    sleep(secs(5)).await;
    world.ledger.plan("1", [Deed::Take(secs(10))]);
    world.seek(StoredStart::TrimHorizon).await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.ended(), ["1", "2", "1", "2"]);
    let writes = store.writes();
    let takes = writes
        .iter()
        .filter(|write| !matches!(write, LeaseWrite::Beat { .. } | LeaseWrite::Create(_)));
    assert_eq!(takes.count(), 1, "one take, and nothing given back");
    let adopted: Vec<_> = writes
        .iter()
        .filter_map(|write| match write {
            LeaseWrite::Beat {
                progress: Some(progress),
                ..
            } if progress.generation == 1 => Some(progress.clone()),
            _ => None,
        })
        .collect();
    let none = Progress {
        generation: 1,
        checkpoint: None,
    };
    assert_eq!(adopted.first(), Some(&none));
    assert!(
        adopted[1..]
            .iter()
            .all(|progress| progress.checkpoint.is_some())
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_old_record_that_runs_is_not_waited_for_but_by_its_own_key() {
    let world = World::new(1);
    world.put_all("ada", ["a1", "a2"]);
    world.put_all("bob", ["b1", "b2"]);
    world.ledger.plan("a1", [Deed::Take(secs(100))]);
    let running = world.start().await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended(), ["b1", "b2"]);
    world.seek(StoredStart::TrimHorizon).await;
    sleep(secs(HEARD)).await;
    assert_eq!(
        world.ledger.ended(),
        ["b1", "b2", "b1", "b2"],
        "others go on"
    );
    assert_eq!(
        world
            .ledger
            .begun()
            .iter()
            .filter(|text| *text == "a1")
            .count(),
        1,
        "its own key waits"
    );
    assert_eq!(world.checkpoint(FIRST), None, "nothing old is written");
    sleep(secs(100)).await;
    assert_eq!(world.ledger.ended()[4..], ["a1", "a1", "a2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn what_an_old_record_asks_for_is_not_done_in_the_reading_after_it() {
    for deed in [Deed::Fail, Deed::Halt("no"), Deed::Hold, Deed::Panic] {
        let world = World::new(1);
        world.put("ada", "1");
        let last = world.put("ada", "2");
        world.ledger.plan("1", [Deed::Later(secs(60), deed.into())]);
        let running = world.start().await;
        sleep(secs(5)).await;
        world.seek(StoredStart::TrimHorizon).await;
        sleep(secs(70)).await;
        assert_eq!(world.ledger.begun(), ["1", "1", "2"]);
        assert_eq!(world.checkpoint(FIRST).as_ref(), Some(&last));
        let health = running.health();
        assert!(health.is_good() && health.shards.values().all(|shard| shard.held.is_none()));
        running.shutdown().await.expect("a clean stop");
    }
}

#[tokio::test(start_paused = true)]
async fn a_halted_shard_goes_on_where_a_seek_says() {
    let world = World::new(1);
    world.put("ada", "poison");
    world.ledger.plan("poison", [Deed::Halt("poison")]);
    let running = world.start().await;
    sleep(secs(5)).await;
    let halted = |running: &kinesis_app::Running| {
        let mut shards = running.health().shards.into_values();
        shards.any(|shard| matches!(shard.activity, Activity::Halted { .. }))
    };
    assert!(halted(&running));
    sleep(secs(60)).await;
    let millis = i64::try_from(world.now_millis()).expect("this era");
    world.put("ada", "good");
    world.seek(StoredStart::At { millis }).await;
    sleep(secs(HEARD)).await;
    assert_eq!(world.ledger.ended(), ["good"]);
    assert!(!halted(&running) && running.health().is_good());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_child_whose_parent_is_to_be_read_again_is_given_back_and_waits_for_it() {
    let world = World::new(1);
    world.put("ada", "parent");
    let running = world.start().await;
    sleep(secs(2)).await;
    let [left, right] = world
        .kinesis
        .split(crate::world::STREAM, FIRST)
        .expect("a split");
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended().len(), 3);
    world.ledger.plan("parent", [Deed::Take(secs(60))]);
    world.seek(StoredStart::TrimHorizon).await;
    sleep(secs(HEARD)).await;
    assert_eq!(world.ledger.begun()[3..], ["parent"]);
    sleep(secs(70)).await;
    assert_eq!(world.ledger.ended()[3], "parent");
    let mut children = world.ledger.ended()[4..].to_vec();
    children.sort();
    assert_eq!(children, ["left", "right"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_end_that_is_not_sent_is_withdrawn_and_the_shard_is_read_again() {
    let world = World::new(1);
    world.put("ada", "1");
    world.put("bob", "2");
    world.ledger.plan("2", [Deed::Take(secs(50))]);
    let running = world.start().await;
    sleep(secs(2)).await;
    let [left, _] = world
        .kinesis
        .split(crate::world::STREAM, FIRST)
        .expect("a split");
    world.put_to(&left, "l", "left");
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), ["1", "2"], "read to its end");
    world.seek(StoredStart::TrimHorizon).await;
    sleep(secs(30)).await;
    assert_eq!(world.ledger.ended(), ["1", "1"]);
    sleep(secs(60)).await;
    assert_eq!(world.ledger.ended(), ["1", "1", "2", "2", "left"]);
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    running.shutdown().await.expect("a clean stop");
}
