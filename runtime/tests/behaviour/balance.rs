//! Many instances of one application share its shards: who holds how many, how often leases move, and what a move costs.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use kinesis_app::{LeaseRow, Running};
use tokio::time::{Instant, sleep};

use crate::world::{Deed, World, ledger, secs};

async fn join(world: &World, number: u64) -> Running {
    let launch = world.launch(ledger::App).seed(number);
    launch.start().await.expect("a start")
}

/// How many leases each session holds.
fn held(rows: &[LeaseRow]) -> BTreeMap<String, usize> {
    let mut held = BTreeMap::new();
    for holder in rows.iter().filter_map(|row| row.holder.as_ref()) {
        *held.entry(holder.session.clone()).or_default() += 1;
    }
    held
}

fn shares(world: &World) -> Vec<usize> {
    let mut shares: Vec<_> = held(&world.leases.rows()).into_values().collect();
    shares.sort_unstable();
    shares
}

/// Puts a record into every shard each second, and watches how often leases change hands.
async fn work(world: &World, seconds: u64, round: &str) -> BTreeMap<String, usize> {
    let mut moves = BTreeMap::new();
    let mut before = world.owners();
    let shards = world.kinesis.shards("orders").expect("the stream is there");
    for second in 0..seconds {
        for shard in shards.iter().filter(|shard| shard.open) {
            let text = format!("{round} {second} {}", shard.shard_id);
            world.put_to(&shard.shard_id, "key", &text);
        }
        for _ in 0..20 {
            sleep(secs(1) / 20).await;
            let now = world.owners();
            for (shard_id, owner) in &now {
                if before.get(shard_id).is_some_and(|before| before != owner) {
                    *moves.entry(shard_id.clone()).or_default() += 1;
                }
            }
            before.extend(now);
        }
    }
    moves
}

fn assert_each_once(world: &World) {
    let begun = world.ledger.begun();
    let distinct: BTreeSet<_> = begun.iter().collect();
    assert_eq!(begun.len(), distinct.len(), "no record is handled twice");
}

#[tokio::test(start_paused = true)]
async fn sixty_four_shards_settle_over_one_three_and_two_instances_and_no_lease_moves_twice() {
    let world = World::new(64);
    world.ledger.always(Deed::Take(secs(1) / 2));
    let one = join(&world, 1).await;
    work(&world, 5, "one").await;
    assert_eq!(shares(&world), [64]);
    let (joined, moves) = tokio::join!(
        join_all([2, 3].map(|number| join(&world, number))),
        work(&world, 20, "three")
    );
    assert_eq!(shares(&world), [21, 21, 22]);
    assert_eq!(moves.len(), 42);
    assert!(moves.values().all(|moves| *moves == 1), "{moves:?}");
    let ((), moves) = tokio::join!(
        async { one.shutdown().await.expect("a clean stop") },
        work(&world, 20, "two")
    );
    assert_eq!(shares(&world), [32, 32]);
    assert!(moves.values().all(|moves| *moves == 1), "{moves:?}");
    assert!((21..=22).contains(&moves.len()), "{moves:?}");
    assert_eq!(
        work(&world, 60, "quiet").await.len(),
        0,
        "and then nothing moves"
    );
    sleep(secs(5)).await;
    assert_each_once(&world);
    assert_eq!(world.ledger.ended().len(), 105 * 64);
    for running in joined {
        running.shutdown().await.expect("a clean stop");
    }
}

#[tokio::test(start_paused = true)]
async fn in_one_process_a_successor_begins_at_once() {
    let world = World::new(8);
    let one = join(&world, 1).await;
    let other = join(&world, 2).await;
    sleep(secs(15)).await;
    assert_eq!(shares(&world), [4, 4]);
    one.shutdown().await.expect("a clean stop");
    let stopped = Instant::now();
    while shares(&world) != [8] {
        sleep(secs(1) / 100).await;
    }
    assert!(stopped.elapsed() <= secs(1) / 20, "{:?}", stopped.elapsed());
    other.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn what_a_crashed_instance_held_is_read_within_its_lease_duration_and_a_round() {
    let world = World::new(8);
    let instances = join_all([1, 2, 3].map(|number| join(&world, number))).await;
    sleep(secs(15)).await;
    assert_eq!(shares(&world), [2, 3, 3]);
    let mut instances = instances.into_iter();
    drop(instances.next());
    let crashed = Instant::now();
    while shares(&world) != [4, 4] {
        sleep(secs(1) / 10).await;
        assert!(
            crashed.elapsed() <= secs(20) + secs(1),
            "{:?}",
            shares(&world)
        );
    }
    for running in instances {
        running.shutdown().await.expect("a clean stop");
    }
}
