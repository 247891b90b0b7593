//! Rule 5: a checkpoint is the last record of the settled ones at the front, as they were delivered, and never goes back.

use kinesis_app::{Checkpoint, LeaseWrite};
use tokio::time::sleep;

use crate::{
    store::Recording,
    tricks::Tricks,
    world::{Deed, FIRST, World, ledger, secs},
};

/// The checkpoints that were written, in order.
fn written(store: &Recording) -> Vec<String> {
    let writes = store.writes().into_iter();
    let progress = writes.filter_map(|write| match write {
        LeaseWrite::Beat { progress, .. } | LeaseWrite::Release { progress, .. } => progress,
        _ => None,
    });
    let checkpoints = progress.map(|progress| match progress.checkpoint {
        Some(Checkpoint::After(sequence)) => sequence,
        other => panic!("{other:?}"),
    });
    checkpoints.collect()
}

#[tokio::test(start_paused = true)]
async fn a_slow_record_keeps_the_checkpoint_before_it_and_ends_without_moving_it_back() {
    let (world, store) = (World::new(1), Recording::default());
    world.ledger.plan("slow", [Deed::Take(secs(10))]);
    let first = world.put("a", "first");
    world.put("b", "slow");
    world.put_all("c", ["c1", "c2"]);
    let last = world.put("d", "d1");
    let launch = world.launch(ledger::App).leases(store.clone());
    let running = launch.start().await.expect("a start");
    sleep(secs(8)).await;
    assert_eq!(world.ledger.ended(), ["first", "c1", "d1", "c2"]);
    assert_eq!(written(&store), std::slice::from_ref(&first));
    sleep(secs(10)).await;
    assert_eq!(written(&store), [first, last]);
    running.shutdown().await.expect("a clean stop");
    assert_eq!(written(&store).len(), 2, "nothing is left to say");
}

#[tokio::test(start_paused = true)]
async fn a_crash_before_a_slow_record_has_ended_brings_it_back() {
    let world = World::new(1);
    world.ledger.plan("slow", [Deed::Take(secs(10))]);
    world.put("b", "slow");
    world.put_all("c", ["c1", "c2"]);
    let running = world.start().await;
    sleep(secs(8)).await;
    drop(running);
    assert_eq!(world.checkpoint(FIRST), None);
    let another = world.start_another().await;
    sleep(secs(30)).await;
    let begun = world.ledger.begun();
    assert_eq!(begun.iter().filter(|text| *text == "slow").count(), 2);
    another.shutdown().await.expect("a clean stop");
}

/// Sequence numbers of 55 and of 56 digits: as texts, the later one is the smaller.
#[tokio::test(start_paused = true)]
async fn checkpoints_follow_the_order_of_delivery_and_not_that_of_texts() {
    const NINES: &str = "9999999999999999999999999999999999999999999999999999999";
    const POWER: &str = "10000000000000000000000000000000000000000000000000000000";
    let world = World::new(1);
    let (aws, tricks) = Tricks::new(&world.kinesis);
    let (one, other) = (
        r#"{"Records":[{"SequenceNumber":"9999999999999999999999999999999999999999999999999999999","Data":"MQ==","PartitionKey":"a"}],"NextShardIterator":"next","MillisBehindLatest":0}"#,
        r#"{"Records":[{"SequenceNumber":"10000000000000000000000000000000000000000000000000000000","Data":"Mg==","PartitionKey":"a"}],"NextShardIterator":"next","MillisBehindLatest":0}"#,
    );
    let nothing = r#"{"Records":[],"NextShardIterator":"next","MillisBehindLatest":0}"#;
    tricks.answer("GetRecords", 200, one, 1);
    tricks.answer("GetRecords", 200, nothing, 4);
    tricks.answer("GetRecords", 200, other, 1);
    tricks.answer("GetRecords", 200, nothing, 100);
    let launch = world.launch(ledger::App).aws(aws);
    let running = launch.start().await.expect("a start");
    sleep(secs(4)).await;
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some(NINES));
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended(), ["1", "2"]);
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some(POWER));
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some(POWER));
}
