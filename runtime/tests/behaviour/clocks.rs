//! Rules 3, 6 and 12: the service's clock says where an application begins, elapsed time says who is dead, and the machine's own clock nothing.

use std::time::Duration;

use kinesis_app::Running;
use tokio::time::sleep;

use crate::{
    start::tip,
    wall::Wall,
    world::{FIRST, SECOND, World, ledger, secs},
};

/// Starts the application that reads from the tip on a machine whose clock is so many seconds ahead.
async fn start_at_the_tip(world: &World, ahead: i64) -> Running {
    let (aws, wall) = Wall::of(world.kinesis.sdk_config());
    wall.set_ahead(ahead);
    let launch = world.launch(tip::App).aws(aws);
    launch.start().await.expect("a start")
}

#[tokio::test(start_paused = true)]
async fn the_tip_is_where_the_service_is_whatever_the_clock_of_the_machine_says() {
    for ahead in [-240, -2, 2, 240] {
        let world = World::new(1);
        world.put("ada", "old");
        sleep(secs(60)).await;
        let running = start_at_the_tip(&world, ahead).await;
        world.put("ada", "new");
        sleep(secs(10)).await;
        assert_eq!(world.ledger.begun(), ["new"], "{ahead} s ahead");
        running.shutdown().await.expect("a clean stop");
    }
}

/// What a machine whose clock is two seconds ahead calls now.
#[tokio::test(start_paused = true)]
async fn a_start_at_the_now_of_a_clock_that_is_a_little_ahead_reads_what_comes() {
    for ahead_millis in [0, 2_000] {
        let world = World::new(1);
        world.put("ada", "old");
        sleep(Duration::from_millis(60_700)).await;
        let now = world.now_millis() + ahead_millis;
        let running = world.start_at(now).await.expect("a start");
        sleep(secs(1)).await;
        world.put("ada", "new");
        sleep(secs(10)).await;
        assert_eq!(world.ledger.begun(), ["new"]);
        running.shutdown().await.expect("a clean stop");
    }
}

#[tokio::test(start_paused = true)]
async fn a_time_is_kept_to_its_millisecond() {
    let world = World::new(1);
    world.put("ada", "before");
    sleep(Duration::from_millis(300)).await;
    let at = world.now_millis();
    world.put("ada", "then");
    sleep(secs(10)).await;
    let running = world.start_at(at).await.expect("a start");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["then"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn instances_whose_clocks_differ_by_minutes_take_no_living_lease_and_replace_the_dead_in_time()
 {
    let world = World::new(2);
    let start = async |seed: u64, ahead: i64| {
        let (aws, wall) = Wall::of(world.kinesis.sdk_config());
        wall.set_ahead(ahead);
        let launch = world.launch(ledger::App).aws(aws).seed(seed);
        launch.start().await.expect("a start")
    };
    let (behind, ahead) = (start(1, -240).await, start(2, 240).await);
    let holders = || -> Vec<_> {
        let rows = world.leases.rows().into_iter();
        rows.map(|row| row.holder.map(|holder| holder.session))
            .collect()
    };
    sleep(secs(15)).await;
    let before = holders();
    assert_ne!(before[0], before[1], "each has its share");
    sleep(secs(300)).await;
    assert_eq!(holders(), before);
    drop(behind);
    world.put_to(FIRST, "ada", "1");
    world.put_to(SECOND, "ada", "2");
    sleep(secs(25)).await;
    let mut ended = world.ledger.ended();
    ended.sort();
    assert_eq!(ended, ["1", "2"]);
    drop(ahead);
}
