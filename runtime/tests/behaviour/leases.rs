//! Rule 3: one owner of a shard at a time.

use tokio::time::sleep;

use crate::world::{Deed, World, secs};

#[tokio::test(start_paused = true)]
async fn two_instances_never_handle_one_record_both() {
    let world = World::new(4);
    let one = world.start().await;
    let two = world.start_another().await;
    for number in 0..100 {
        world.put(&format!("k{number}"), &number.to_string());
    }
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun().len(), 100);
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
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
