//! What is wrong shows in the health of the shard.

use kinesis_app_emulator::{Fault, FaultKind, Operation};
use tokio::time::sleep;

use crate::world::{World, secs};

#[tokio::test(start_paused = true)]
async fn a_shard_that_cannot_be_read_is_in_bad_health_with_the_services_words_until_it_can() {
    let world = World::new(1);
    let running = world.start().await;
    sleep(secs(2)).await;
    assert!(running.health().is_good());
    world
        .kinesis
        .fault(Fault::new(Operation::GetRecords, FaultKind::Throttle).always());
    sleep(secs(600)).await;
    let health = running.health();
    assert!(!health.is_good());
    let failing = health
        .shards
        .values()
        .next()
        .and_then(|shard| shard.failing.clone())
        .expect("failing");
    assert!(failing.for_how_long > secs(590), "{failing:?}");
    assert!(
        failing
            .error
            .contains("ProvisionedThroughputExceededException"),
        "{failing:?}"
    );
    world.kinesis.clear_faults();
    sleep(secs(60)).await;
    assert!(running.health().is_good());
    running.shutdown().await.expect("a clean stop");
}
