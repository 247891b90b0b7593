//! Rules 3 and 4 for an owner that does not know yet that it is none.

use std::time::Duration;

use kinesis_app::{Running, prelude::*, simulation::Machine};
use kinesis_app_emulator::Trim;
use tokio::time::sleep;

use crate::{
    phantom::Phantom,
    world::{Deed, Entry, FIRST, Ledger, STREAM, World, secs},
};

fn count(texts: &[String], text: &str) -> usize {
    texts.iter().filter(|other| *other == text).count()
}

/// One instance on a machine of its own, and one that stands by.
async fn two_machines(world: &World) -> (Machine, Running, Running) {
    let machine = Machine::default();
    let one = machine.run(world.start()).await;
    let two = world.start_another().await;
    (machine, one, two)
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_stood_still_past_its_lease_moves_no_checkpoint_and_hands_nothing_more_out() {
    let world = World::new(1);
    world.ledger.plan("a5", [Deed::Take(secs(10))]);
    world.put_all("ada", ["a1", "a2", "a3", "a4", "a5", "a6"]);
    let last = world.put("ada", "a7");
    let (machine, one, two) = two_machines(&world).await;
    sleep(secs(4)).await;
    assert_eq!(world.ledger.begun().len(), 5);
    machine.freeze();
    sleep(secs(60)).await;
    assert_eq!(world.checkpoint(FIRST), Some(last.clone()));
    let holder = world.leases.rows()[0].holder.clone();
    machine.thaw();
    sleep(secs(1)).await;
    assert_eq!(world.checkpoint(FIRST), Some(last), "it stays");
    assert_eq!(world.leases.rows()[0].holder, holder);
    world.put("ada", "a8");
    sleep(secs(60)).await;
    let begun = world.ledger.begun();
    for text in ["a1", "a2", "a3", "a4", "a6", "a7", "a8"] {
        assert_eq!(count(&begun, text), 1, "{begun:?}");
    }
    assert_eq!(count(&begun, "a5"), 2, "it was in flight: {begun:?}");
    assert!(one.health().shards.is_empty(), "it reads nothing");
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_stood_still_before_the_end_of_a_shard_ends_it_no_more() {
    let world = World::new(1);
    world
        .ledger
        .plan("a2", [Deed::Take(secs(10)), Deed::Take(secs(60))]);
    world.put_all("ada", ["a1", "a2"]);
    let (machine, one, two) = two_machines(&world).await;
    sleep(secs(2)).await;
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "b1");
    sleep(secs(2)).await;
    machine.freeze();
    sleep(secs(30)).await;
    assert_eq!(world.ledger.running(), 2, "the other is at it");
    machine.thaw();
    sleep(secs(10)).await;
    assert_ne!(
        world.checkpoint(FIRST).as_deref(),
        Some("SHARD_END"),
        "whoever holds the lease ends it"
    );
    assert_eq!(count(&world.ledger.begun(), "b1"), 0);
    sleep(secs(120)).await;
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    assert_eq!(count(&world.ledger.begun(), "b1"), 1);
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_stood_still_does_not_free_the_lease_of_its_successor() {
    let world = World::new(1);
    world.put("ada", "a1");
    let (machine, one, two) = two_machines(&world).await;
    sleep(secs(4)).await;
    let before = world.leases.rows()[0].holder.clone();
    machine.freeze();
    sleep(secs(60)).await;
    let successor = world.leases.rows()[0].holder.clone();
    assert_ne!(successor, before);
    let thaw = async { machine.thaw() };
    let (stopped, ()) = tokio::join!(one.shutdown(), thaw);
    stopped.expect("a clean stop");
    assert_eq!(world.leases.rows()[0].holder, successor);
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_owner_whose_lease_was_taken_drops_what_runs_and_what_waits_at_its_next_heartbeat() {
    let world = World::new(1);
    let first = world.put("ada", "a1");
    let running = world.start().await;
    sleep(secs(5)).await;
    assert_eq!(world.checkpoint(FIRST), Some(first.clone()));
    world.ledger.plan("a3", [Deed::Hang]);
    world.put_all("ada", ["a2", "a3", "a4"]);
    sleep(Duration::from_millis(1_200)).await;
    assert_eq!(world.ledger.begun(), ["a1", "a2", "a3"]);
    let _phantom = Phantom::take(&world, FIRST).await;
    sleep(secs(4)).await;
    assert_eq!(world.ledger.running(), 0, "its handler is dropped");
    assert_eq!(world.ledger.begun(), ["a1", "a2", "a3"]);
    assert_eq!(world.checkpoint(FIRST), Some(first), "nor does it move");
    let holder = world.leases.rows()[0].holder.clone().expect("held");
    assert_eq!(holder.owner_id, "phantom");
    drop(running);
}

/// Reads two streams whose shards have the same names.
#[kinesis_app(name = "billing", leases(memory))]
mod both {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[stream(name = "refunds", start(trim_horizon), codec(Raw))]
    struct Refunds;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }

    #[on_record(Refunds)]
    async fn pay_back(
        _: Bytes,
        entry: Entry,
        State(ledger): State<Ledger>,
    ) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

#[tokio::test(start_paused = true)]
async fn shards_of_two_streams_that_have_one_name_have_leases_of_their_own() {
    let world = World::new(1);
    world
        .kinesis
        .create_stream("refunds", 1)
        .expect("a new stream");
    world.put("ada", "order");
    let refund = world.kinesis.put("refunds", "ada", "refund");
    let refund = refund.expect("the stream is there").sequence_number;
    let running = world.start_app(both::App).await;
    sleep(secs(5)).await;
    world.kinesis.split(STREAM, FIRST).expect("a split");
    sleep(secs(10)).await;
    world
        .kinesis
        .trim(STREAM, FIRST, Trim::Oldest(1))
        .expect("a record to trim");
    sleep(secs(120)).await;
    let mut rows = world
        .leases
        .rows()
        .into_iter()
        .filter(|row| row.shard_id == FIRST);
    let row = rows.next().expect("of the other stream");
    assert!(rows.next().is_none(), "that of the trimmed shard is gone");
    assert_eq!(row.key, format!("billing:refunds:{FIRST}"));
    assert_eq!(row.checkpoint, Some(kinesis_app::Checkpoint::After(refund)));
    running.shutdown().await.expect("a clean stop");
    let again = world.start_app(both::App).await;
    sleep(secs(10)).await;
    let mut begun = world.ledger.begun();
    begun.sort();
    assert_eq!(begun, ["order", "refund"], "nothing is replayed");
    again.shutdown().await.expect("a clean stop");
}
