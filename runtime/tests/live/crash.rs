//! `kill -9` of the process that reads.

use std::time::Duration;

use crate::{
    fleet::{Role, World},
    gate::now,
};

const LEASE: Duration = Duration::from_secs(3);
/// Who does not hold a lease looks at its row once a lease duration.
const ROUND: Duration = LEASE;
const SLACK: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn others_read_on_where_a_killed_process_stopped_and_lose_nothing() {
    let Some(world) = World::set("crash", 2, LEASE).await else {
        return;
    };
    let mut fleet = vec![world.start(&Role::PLAIN)];
    world.held(2).await;
    fleet.extend([world.start(&Role::PLAIN), world.start(&Role::PLAIN)]);

    let strike = async {
        world.handled(100).await;
        let victim = fleet.remove(0);
        let (pid, shards) = (victim.pid(), world.held_by(victim.pid()));
        assert!(!shards.is_empty(), "the first process holds nothing");
        victim.signal("-KILL");
        let killed = now();
        drop(victim);

        let taken = world.taken_over(&shards, pid, killed).await;
        let took = Duration::from_micros(taken - killed);
        assert!(took <= LEASE + ROUND + SLACK, "{took:?}");
        let parent = world.stream.shards().await.swap_remove(0);
        world.stream.split(&parent).await;
    };
    tokio::join!(world.put(0..800), strike);
    world.put(800..1_000).await;
    world.handled(1_000).await;

    let facts = world.judged(fleet).await;
    assert_eq!(facts.shards.len(), 4);
    for (shard, stored) in &facts.shards {
        assert!(!stored.records.is_empty(), "`{shard}` tests nothing");
    }
}
