//! SIGSTOP of the process that reads, for longer than its leases live, and SIGCONT.

use std::time::Duration;

use tokio::time::sleep;

use crate::{
    fleet::{Detour, Moment, Role, World},
    gate::{eventually, now},
};

const LEASE: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_wakes_up_without_its_leases_begins_nothing_and_its_late_write_is_refused() {
    let Some(world) = World::set("freeze", 2, LEASE).await else {
        return;
    };
    let detour = Detour::to(world.tables());
    let sleeper = world.start(&Role {
        tables: Some(&detour.endpoint),
        ..Role::PLAIN
    });
    world.held(2).await;
    let others = [world.start(&Role::PLAIN), world.start(&Role::PLAIN)];

    let strike = async {
        world.handled(100).await;
        let shards = world.held_by(sleeper.pid());
        assert!(!shards.is_empty(), "the first process holds nothing");
        detour.close();
        eventually("a write is on its way", || async {
            detour.late().contains("UpdateItem")
        })
        .await;
        sleeper.signal("-STOP");
        world.taken_over(&shards, sleeper.pid(), now()).await;
        // Even among themselves, or they would hand what one has too much to whoever wakes up.
        eventually("the others share the shards", || async {
            let mut held = others.iter().map(|other| world.held_by(other.pid()).len());
            held.all(|held| held == 1)
        })
        .await;

        detour.open();
        eventually("the late write is refused", || async {
            detour.answers().contains("ConditionalCheckFailedException")
        })
        .await;
        let woken = now();
        sleeper.signal("-CONT");
        // Longer than a round, in which it would take what it thinks is free.
        sleep(LEASE + Duration::from_secs(1)).await;
        (shards, woken)
    };
    let ((), (shards, woken)) = tokio::join!(world.put(0..1_200), strike);
    world.handled(1_200).await;

    let rows = world.rows();
    for shard in &shards {
        let holder = rows[shard].holder;
        assert!(
            others.iter().any(|other| Some(other.pid()) == holder),
            "`{shard}` is held by {holder:?}"
        );
    }
    let pid = sleeper.pid();
    let facts = world
        .judged(others.into_iter().chain([sleeper]).collect())
        .await;
    let mut late = facts
        .events
        .iter()
        .filter(|event| event.pid == pid && event.at > woken && event.moment == Moment::Begin);
    assert_eq!(late.next(), None);
}
