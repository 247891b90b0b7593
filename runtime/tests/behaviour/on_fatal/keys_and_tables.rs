//! Keys of the key service and tables of leases that may not be used.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::world::{goes_on, marked, refused_shard, refused_stream, world};
use crate::{
    tricks::Tricks,
    world::{World, ledger, secs},
};

#[tokio::test(start_paused = true)]
async fn a_key_that_may_not_be_used_is_marked_in_the_words_of_the_key_service() {
    let world = world();
    let (config, tricks) = Tricks::new(&world.kinesis);
    let running = world.launch(marked::App).aws(config).start();
    let running = running.await.expect("a start");
    sleep(secs(5)).await;
    let body = r#"{"__type":"KMSAccessDeniedException","message":"the key is not yours"}"#;
    // One for each stream.
    tricks.answer("GetRecords", 400, body, 2);
    sleep(Duration::from_millis(1100)).await;
    let words = refused_shard(&running.health()).expect("marked");
    assert_eq!(
        words,
        "GetRecords was refused: KMSAccessDeniedException: the key is not yours"
    );
    sleep(secs(60)).await;
    assert!(running.health().is_good(), "{:?}", running.health());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_key_that_may_not_be_used_ends_a_run_that_stops() {
    let world = World::new(1);
    let (config, tricks) = Tricks::new(&world.kinesis);
    let running = world.launch(ledger::App).aws(config).start();
    let mut running = running.await.expect("a start");
    sleep(secs(5)).await;
    let body = r#"{"__type":"KMSDisabledException","message":"the key is off"}"#;
    tricks.answer("GetRecords", 400, body, 1);
    timeout(secs(60), running.ended()).await.expect("an end");
    let error = running.shutdown().await.expect_err("not readable");
    assert_eq!(
        error.to_string(),
        "billing: stream `Orders` is not read any more: GetRecords was refused: KMSDisabledException: the key is off"
    );
}

/// Leases die meanwhile, and others' could be taken: nothing is handled without one.
#[cfg(feature = "dynamodb")]
#[tokio::test(start_paused = true)]
async fn a_lease_table_that_may_not_be_used_is_marked_and_used_again_when_it_may() {
    use kinesis_app_emulator::dynamodb::{self, Operation};

    let world = world();
    let leases = kinesis_app::DynamoLeases::new(&world.kinesis.sdk_config(), "leases");
    let launch = world.launch(marked::App);
    let launch = launch.leases(leases.create_if_missing());
    let mut running = launch.start().await.expect("a start");
    for operation in [
        Operation::Scan,
        Operation::GetItem,
        Operation::PutItem,
        Operation::UpdateItem,
    ] {
        let kind = dynamodb::FaultKind::Refuse(dynamodb::ErrorCode::AccessDenied);
        let fault = dynamodb::Fault::new(operation, kind);
        world.kinesis.dynamodb().fault(fault.always());
    }
    sleep(secs(10)).await;
    world.put("ada", "1");
    goes_on(&mut running, secs(600)).await;
    assert!(world.ledger.begun().is_empty());
    let words = refused_stream(&running.health()).expect("marked");
    assert!(
        words.starts_with("the lease store refused the call: ")
            && words.contains("was refused: AccessDeniedException"),
        "{words}"
    );
    world.kinesis.dynamodb().clear_faults();
    sleep(secs(301 + 30)).await;
    assert_eq!(world.ledger.begun(), ["1"]);
    assert!(running.health().is_good(), "{:?}", running.health());
    running.shutdown().await.expect("a clean stop");
}
