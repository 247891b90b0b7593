//! `leases(.., duration = ..)`: how soon the shards of an instance that died are read again, and what is written for it.

use std::time::Duration;

use kinesis_app::{Setup, prelude::*};
use tokio::time::{Instant, sleep};

use crate::world::{Entry, Ledger, World, secs};

/// Leases as short as they may be, unless `LEASE` says so.
#[kinesis_app(name = "billing", leases(memory, duration = "3s"))]
mod short {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }

    #[configure]
    fn settings(
        config: &mut AppConfig,
        setup: &Setup,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if let Some(seconds) = setup.env_opt("LEASE")? {
            config.set_lease_duration(Duration::from_secs(seconds))?;
        }
        Ok(())
    }
}

fn counter(world: &World) -> u64 {
    world.leases.rows()[0].counter
}

#[tokio::test(start_paused = true)]
async fn a_short_lease_beats_more_often_and_one_by_default_every_three_seconds() {
    for (setup, beats) in [
        (Setup::empty(), 33..=34),
        (Setup::empty().with_env("LEASE", "10"), 9..=11),
        (Setup::empty().with_env("LEASE", "3600"), 9..=11),
    ] {
        let world = World::new(1);
        let launch = world.launch(short::App).setup(setup);
        let running = launch.start().await.expect("a start");
        let before = counter(&world);
        sleep(secs(30)).await;
        let written = counter(&world) - before;
        assert!(beats.contains(&written), "{written} is not in {beats:?}");
        running.shutdown().await.expect("a clean stop");
    }
}

#[tokio::test(start_paused = true)]
async fn the_shards_of_a_crashed_instance_are_read_again_after_the_duration() {
    let mut waited = Vec::new();
    for lease in ["3", "30"] {
        let world = World::new(1);
        let launch = |seed| {
            let launch = world.launch(short::App).seed(seed);
            launch.setup(Setup::empty().with_env("LEASE", lease))
        };
        let one = launch(1).start().await.expect("a start");
        let two = launch(2).start().await.expect("a start");
        sleep(secs(10)).await;
        drop(one);
        world.put("a", "1");
        let died = Instant::now();
        while world.ledger.ended().is_empty() {
            sleep(Duration::from_millis(100)).await;
            assert!(died.elapsed() < secs(120), "nobody takes over");
        }
        waited.push(died.elapsed());
        two.shutdown().await.expect("a clean stop");
    }
    assert!(waited[0] < secs(3 + 4), "{waited:?}");
    assert!(waited[1] > secs(20), "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn a_lease_duration_out_of_range_fails_the_start_with_the_rule() {
    let world = World::new(1);
    let launch = world.launch(short::App);
    let error = launch
        .setup(Setup::empty().with_env("LEASE", "2"))
        .start()
        .await
        .expect_err("too short");
    assert_eq!(
        error.to_string(),
        "billing: 1 setting is out of range\n  lease duration from `#[configure]`: lease duration is 2s; a heartbeat and a second try take at least 3s"
    );
    assert!(world.kinesis.call_log().is_empty());
}
