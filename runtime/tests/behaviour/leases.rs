//! Rule 3: one owner of a shard at a time.

use std::time::Duration;

use tokio::time::sleep;

use crate::{
    store::Recording,
    world::{Deed, FIRST, STREAM, World, ledger, secs},
};

#[tokio::test(start_paused = true)]
async fn two_instances_that_start_together_handle_each_record_once() {
    let world = World::new(8);
    let (one, two) = tokio::join!(world.start(), world.start_another());
    for number in 0..100 {
        world.put(&format!("k{number}"), &number.to_string());
        sleep(Duration::from_millis(700)).await;
    }
    sleep(secs(30)).await;
    assert_eq!(world.ledger.begun().len(), 100);
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn two_instances_of_one_seed_are_two_owners() {
    let world = World::new(4);
    let (one, two) = (world.start().await, world.start().await);
    world.ledger.always(Deed::Take(secs(5)));
    for number in 0..100 {
        world.put(&format!("k{number}"), &number.to_string());
        sleep(secs(1)).await;
    }
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun().len(), 100);
    drop((one, two));
}

#[tokio::test(start_paused = true)]
async fn a_row_that_is_deleted_by_hand_comes_back_with_its_checkpoint_and_replays_nothing_settled()
{
    let world = World::new(1);
    world.put_all("a", ["1", "2"]);
    let running = world.start().await;
    sleep(secs(10)).await;
    world.leases.delete(&world.leases.rows()[0].key);
    world.put("a", "3");
    sleep(secs(30)).await;
    let row = &world.leases.rows()[0];
    assert!(row.counter > 5 && row.holder.is_some(), "{row:?}");
    let begun = world.ledger.begun();
    assert_eq!(begun[..3], ["1", "2", "3"]);
    assert!(begun[3..].iter().all(|text| text == "3"), "{begun:?}");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_crashed_instance_is_replaced_within_its_lease_duration_and_a_round() {
    let world = World::new(2);
    world.put("a", "1");
    let one = world.start().await;
    let two = world.start_another().await;
    sleep(secs(5)).await;
    drop(one);
    for number in 0..20 {
        world.put(&format!("k{number}"), &number.to_string());
    }
    sleep(secs(25)).await;
    assert_eq!(world.ledger.begun().len(), 21);
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_takes_longer_than_a_lease_keeps_its_lease() {
    let world = World::new(1);
    world.ledger.plan("1", [Deed::Take(secs(120))]);
    world.put("a", "1");
    let one = world.start().await;
    let two = world.start_another().await;
    sleep(secs(200)).await;
    assert_eq!(
        world.ledger.begun(),
        ["1"],
        "heartbeats do not wait for handlers"
    );
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_service_that_does_not_answer_keeps_no_heartbeat_waiting() {
    use kinesis_app_emulator::{Fault, FaultKind, Operation};

    let world = World::new(1);
    let one = world.start().await;
    let two = world.start_another().await;
    sleep(secs(2)).await;
    let holder = world.leases.rows()[0].holder.clone();
    world
        .kinesis
        .fault(Fault::new(Operation::GetRecords, FaultKind::Hang).always());
    sleep(secs(120)).await;
    assert_eq!(world.leases.rows()[0].holder, holder);
    one.shutdown().await.expect("a stop");
    two.shutdown().await.expect("a stop");
}

/// The store is one of the application's own, and has no time limit.
#[tokio::test(start_paused = true)]
async fn a_store_that_does_not_answer_fails_its_round_and_is_asked_again() {
    // Twice each: two children are looked at together.
    for (call, times, limit) in [("leases", 2, 60), ("lease", 4, 10)] {
        let world = World::new(1);
        let store = Recording::over(&world.leases);
        let launch = world.launch(ledger::App).leases(store.clone());
        let running = launch.start().await.expect("a start");
        sleep(secs(5)).await;
        store.hang(call, times);
        let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
        world.put_to(&left, "ada", "1");
        sleep(secs(limit + 5)).await;
        let failing = running.health().streams["Orders"].failing.clone();
        let words = failing.expect("its round failed").error;
        let expected = format!("`LeaseStore::{call}` gave no answer within {limit}s");
        assert!(words.ends_with(&expected), "{words}");
        sleep(secs(limit + 5)).await;
        assert_eq!(world.ledger.ended(), ["1"]);
        assert!(running.health().is_good());
        running.shutdown().await.expect("a clean stop");
    }
}
