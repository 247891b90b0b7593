//! Handlers that block their thread for longer than their lease lives.

use std::time::Duration;

use crate::{
    fleet::{Detour, Instance, Moment, Role, Threads, World},
    gate::{eventually, now},
};

const LEASE: Duration = Duration::from_secs(3);
/// Longer than it takes others to see a death: a lease duration, and a round of theirs.
const BLOCK: Duration = Duration::from_secs(9);
const BEFORE: u64 = 200;
const BLOCKING: u64 = 219;

/// Waits until a process has come to this moment of the record that blocks.
async fn reached(world: &World, moment: Moment, instance: &Instance) {
    eventually("the record that blocks is met", || async {
        world.events().iter().any(|event| {
            event.moment == moment && event.id == BLOCKING && event.pid == instance.pid()
        })
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_blocks_one_thread_of_two_costs_no_lease() {
    let Some(world) = World::set("blocked-one-of-two", 1, LEASE).await else {
        return;
    };
    let owner = world.start(&Role {
        block: BLOCK,
        ..Role::PLAIN
    });
    world.held(1).await;
    let other = world.start(&Role::PLAIN);
    world.put(0..BEFORE).await;
    world.put_blocking(BEFORE..=BLOCKING).await;
    reached(&world, Moment::Begin, &owner).await;
    let begun = now();
    let ended = reached(&world, Moment::End, &owner);
    tokio::join!(world.put(BLOCKING + 1..400), ended);
    assert!(Duration::from_micros(now() - begun) > LEASE * 2);
    world.handled(400).await;

    let pid = owner.pid();
    let facts = world.judged(vec![owner, other]).await;
    assert!(facts.events.iter().all(|event| event.pid == pid));
    assert!(facts.repeated().is_empty(), "{:?}", facts.repeated());
}

/// Case: a handler that is longer than the lease, with nobody left to renew it.
#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_blocks_the_only_thread_costs_the_lease_and_its_checkpoint_is_refused() {
    let Some(world) = World::set("blocked-only", 1, LEASE).await else {
        return;
    };
    let detour = Detour::to(world.tables());
    let owner = world.start(&Role {
        threads: Threads::One,
        block: BLOCK,
        tables: Some(&detour.endpoint),
    });
    world.held(1).await;
    let others = [world.start(&Role::PLAIN), world.start(&Role::PLAIN)];
    let shards = world.held_by(owner.pid());
    world.put(0..BEFORE).await;

    detour.close();
    eventually("a write is on its way", || async {
        detour.late().contains("UpdateItem")
    })
    .await;
    world.put_blocking(BEFORE..=BLOCKING).await;
    reached(&world, Moment::Begin, &owner).await;
    let blocked = now();
    let refused = async {
        world.taken_over(&shards, owner.pid(), blocked).await;
        detour.open();
        eventually("the late write is refused", || async {
            detour.answers().contains("ConditionalCheckFailedException")
        })
        .await;
        reached(&world, Moment::End, &owner).await;
    };
    let ((), ()) = tokio::join!(refused, world.put(BLOCKING + 1..1_000));
    world.handled(1_000).await;

    let holder = world.rows()[&shards[0]].holder;
    assert!(others.iter().any(|other| Some(other.pid()) == holder));
    let pid = owner.pid();
    let facts = world
        .judged(others.into_iter().chain([owner]).collect())
        .await;
    let of_owner = facts.events.iter().filter(|event| event.pid == pid);
    let begun = of_owner.filter(|event| event.moment == Moment::Begin);
    let last = begun.max_by_key(|event| event.at);
    let last = last.expect("it began some");
    assert_eq!(last.id, BLOCKING, "it began more when it went on: {last:?}");
    assert!(facts.repeated().contains(&BLOCKING), "the others handle it");
}
