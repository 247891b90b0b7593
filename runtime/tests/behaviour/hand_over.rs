//! A hand-over that breaks off: whoever dies or falls silent at whatever step, nothing is stuck and nothing is lost.

use std::{collections::BTreeSet, time::Duration};

use kinesis_app::{LeaseRow, LeaseStore, LeaseWrite, Running, StreamWrite, Wanted, prelude::*};
use tokio::time::{sleep, timeout};

use crate::{
    store::Recording,
    world::{Deed, Entry, Ledger, World, ledger, secs},
};

const SHARDS: u32 = 4;

/// An instance with a network of its own.
async fn join(world: &World, number: u64) -> (Recording, Running) {
    let store = Recording::over(&world.leases);
    let launch = world.launch(ledger::App).leases(store.clone()).seed(number);
    (store, launch.start().await.expect("a start"))
}

fn put_everywhere(world: &World, round: &str) {
    for shard_id in world.shards() {
        for number in 0..10 {
            world.put_to(&shard_id, "key", &format!("{round} {shard_id} {number}"));
        }
    }
}

fn sessions(world: &World) -> BTreeSet<Option<String>> {
    let rows = world.leases.rows().into_iter();
    rows.map(|row| row.holder.map(|holder| holder.session))
        .collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Its tasks are dropped.
    Crash,
    /// Its writes are not answered any more: its leases run out while it lives.
    Silence,
}

/// The asker starts, and after a while one of the two comes to its end.
async fn breaks_off(owner_ends: bool, end: End, after: Duration) {
    let what = format!("owner: {owner_ends}, {end:?} after {after:?}");
    let world = World::new(SHARDS);
    world.ledger.always(Deed::Take(secs(1) / 5));
    let owner = join(&world, 1).await;
    put_everywhere(&world, "before");
    sleep(secs(1) / 10).await;
    let asker = join(&world, 2).await;
    sleep(after).await;
    let ((lost_store, lost), (_, left)) = if owner_ends {
        (owner, asker)
    } else {
        (asker, owner)
    };
    let lost = match end {
        End::Crash => {
            drop(lost);
            None
        }
        End::Silence => {
            lost_store.die();
            Some(lost)
        }
    };
    put_everywhere(&world, "after");
    // A lease duration and a round, for the last lease that was granted to the dead as well.
    sleep(secs(22) + secs(10)).await;
    let ended: BTreeSet<_> = world.ledger.ended().into_iter().collect();
    assert_eq!(ended.len(), SHARDS as usize * 20, "{what}: nothing is lost");
    assert_eq!(
        sessions(&world).len(),
        1,
        "{what}: {:#?}",
        world.leases.rows()
    );
    assert_eq!(left.health().shards.len(), SHARDS as usize, "{what}");
    drop(lost);
    left.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn whoever_ends_at_any_step_of_a_hand_over_leaves_nothing_stuck() {
    // Asked at once, answered after a second, drained within two more, taken up at once.
    let steps = [0, 300, 900, 1_001, 1_100, 1_300, 2_000, 2_500, 4_000];
    for millis in steps {
        for owner_ends in [false, true] {
            for end in [End::Crash, End::Silence] {
                let run = breaks_off(owner_ends, end, Duration::from_millis(millis));
                Box::pin(run).await;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_of_one_who_died_costs_his_share_for_a_lease_duration_and_is_refused_beyond_it() {
    let world = World::new(SHARDS);
    let (_, running) = join(&world, 1).await;
    sleep(secs(5)).await;
    let ghost = || Wanted {
        owner_id: "ghost".into(),
        session: "ghost".into(),
    };
    for row in world.leases.rows() {
        let request = LeaseWrite::Request {
            seen_session: row.holder.expect("it is held").session,
            key: row.key,
            wanted: ghost(),
        };
        world.leases.write(&request).await.expect("nobody asked");
    }
    let key = "billing:orders".into();
    let rang = world.leases.write_stream(&StreamWrite::Ring { key }).await;
    rang.expect("there is a row");
    sleep(secs(6)).await;
    let rows = world.leases.rows();
    let granted = rows.iter().filter(|row| {
        let holder = row.holder.as_ref();
        holder.is_some_and(|holder| holder.session == "ghost")
    });
    assert_eq!(granted.count(), 2, "a half: {rows:#?}");
    assert!(
        rows.iter().all(|row| row.wanted_by.is_none()),
        "the rest is refused"
    );
    put_everywhere(&world, "then");
    let all = async {
        while world.ledger.ended().len() < SHARDS as usize * 10 {
            sleep(secs(1)).await;
        }
    };
    timeout(secs(21), all)
        .await
        .expect("a lease duration and a round");
    running.shutdown().await.expect("a clean stop");
}

/// What stood in the rows before is handled; each shard gets ten records, and none of them waits for a lease to die.
async fn nothing_stands_still(world: &World) {
    let before = world.ledger.ended().len();
    put_everywhere(world, "then");
    sleep(secs(5)).await;
    let handled = world.ledger.ended().len() - before;
    assert_eq!(handled, SHARDS as usize * 10, "{:#?}", world.leases.rows());
}

fn asked_for(world: &World) -> Vec<LeaseRow> {
    let rows = world.leases.rows().into_iter();
    rows.filter(|row| row.wanted_by.is_some()).collect()
}

#[tokio::test(start_paused = true)]
async fn who_stops_asks_no_more_and_no_shard_waits_for_him_to_be_dead() {
    for millis in [100, 500, 900] {
        let world = World::new(SHARDS);
        let (_, owner) = join(&world, 1).await;
        sleep(secs(5)).await;
        let before = world.owners();
        let (_, asker) = join(&world, 2).await;
        sleep(Duration::from_millis(millis)).await;
        assert_eq!(asked_for(&world).len(), 2, "a half, after {millis} ms");
        asker.shutdown().await.expect("a clean stop");
        assert_eq!(asked_for(&world), []);
        nothing_stands_still(&world).await;
        assert_eq!(world.owners(), before, "nothing has moved");
        owner.shutdown().await.expect("a clean stop");
    }
}

#[tokio::test(start_paused = true)]
async fn who_stops_gives_back_what_is_granted_to_him_meanwhile() {
    let world = World::new(SHARDS);
    let (store, owner) = join(&world, 1).await;
    sleep(secs(5)).await;
    let (_, asker) = join(&world, 2).await;
    sleep(secs(1) / 2).await;
    let [soon, late] = <[LeaseRow; 2]>::try_from(asked_for(&world)).expect("a half");
    store.grant_late(&late.key);
    sleep(secs(2)).await;
    world.ledger.plan("slow", [Deed::Take(secs(5))]);
    world.put_to(&soon.shard_id, "key", "slow");
    sleep(secs(1)).await;
    assert_eq!(
        world.ledger.running(),
        1,
        "he reads one, and another is on its way"
    );
    assert_eq!(asked_for(&world).len(), 1);
    asker.shutdown().await.expect("a clean stop");
    let grants = store
        .writes()
        .into_iter()
        .filter(|write| matches!(write, LeaseWrite::Grant { .. }));
    assert_eq!(grants.count(), 2, "both were granted");
    nothing_stands_still(&world).await;
    owner.shutdown().await.expect("a clean stop");
}

/// Its `#[on_ready]` fails, as that of a bad deployment does at every start.
#[kinesis_app(name = "billing", leases(memory))]
mod unready {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_ready]
    async fn fail() -> Result<(), String> {
        Err("no cache to warm".into())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_that_fails_in_on_ready_again_and_again_is_handed_nothing() {
    let world = World::new(SHARDS);
    let (_, owner) = join(&world, 1).await;
    sleep(secs(5)).await;
    let before = sessions(&world);
    for seed in 2..5 {
        let started = world.launch(unready::App).seed(seed).start().await;
        assert!(started.is_err());
        for _ in 0..5 {
            sleep(secs(1)).await;
            assert_eq!(sessions(&world), before);
            assert!(
                world
                    .leases
                    .rows()
                    .iter()
                    .all(|row| row.wanted_by.is_none())
            );
        }
    }
    owner.shutdown().await.expect("a clean stop");
}
