//! SIGTERM of the process that reads, and another one after it.

use std::time::Duration;

use crate::{
    fleet::{Role, World},
    gate::now,
};

/// So long that a lease which is not released shows.
const LEASE: Duration = Duration::from_secs(30);
const SOON: Duration = Duration::from_secs(8);

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_told_to_stop_leaves_free_leases_and_its_successor_repeats_nothing() {
    let Some(world) = World::set("restart", 2, LEASE).await else {
        return;
    };
    let first = world.start(&Role::PLAIN);
    let pid = first.pid();
    let handed_over = async {
        world.handled(150).await;
        first.terminate().await;
        let ended = now();
        world.read_since(ended).await;
        for (shard, row) in world.rows() {
            assert_eq!(row.holder, None, "`{shard}`");
            assert!(row.checkpoint.is_some(), "`{shard}`");
        }
        let shards: Vec<_> = world.rows().into_keys().collect();
        let begun = now();
        let second = world.start(&Role::PLAIN);
        let took = world.taken_over(&shards, pid, ended).await - begun;
        assert!(Duration::from_micros(took) <= SOON, "{took} us");
        second
    };
    let ((), second) = tokio::join!(world.put(0..600), handed_over);
    world.handled(600).await;
    let facts = world.judged(vec![second]).await;
    assert!(facts.repeated().is_empty(), "{:?}", facts.repeated());
}
