//! A stream that is deleted and created again under its name is another one: nothing that is stored of the first counts in it.

use kinesis_app::{
    Activity, LeaseStore, Running, Setup, SetupError, prelude::*, spec::OnRecreated,
};
use tokio::time::{sleep, timeout};

use crate::world::{Deed, Entry, FIRST, Ledger, SECOND, STREAM, World, secs};

/// Reads from the horizon, whatever stream has the name.
#[kinesis_app(name = "billing", leases(memory))]
mod whichever {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), SetupError> {
        if setup.env_opt::<bool>("RESTART")? == Some(true) {
            config
                .stream::<Orders>()
                .set_on_recreated(OnRecreated::Restart);
        }
        Ok(())
    }

    #[on_record(Orders, concurrency = 8)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

impl World {
    async fn start_whichever(&self, seed: u64) -> Running {
        let launch = self
            .launch(whichever::App)
            .setup(Setup::empty().with_env("RESTART", "true"));
        launch.seed(seed).start().await.expect("a start")
    }

    async fn recreate(&self, shards: u32) {
        self.kinesis
            .delete_stream(STREAM)
            .expect("the stream is there");
        // The service takes its time with either.
        while self.kinesis.create_stream(STREAM, shards).is_err() {
            sleep(secs(1) / 10).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_that_may_restart_reads_the_new_stream_from_its_start() {
    let world = World::new(1);
    world.put_all("ada", ["old 1", "old 2"]);
    let running = world.start().await;
    sleep(secs(2)).await;
    world.kinesis.split(STREAM, FIRST).expect("a split");
    sleep(secs(10)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    world.recreate(2).await;
    world.put_to(FIRST, "ada", "new 1");
    world.put_to(SECOND, "bob", "new 2");
    let running = world.start_whichever(20).await;
    sleep(secs(10)).await;
    let mut begun = world.ledger.begun();
    begun[2..].sort();
    assert_eq!(begun, ["old 1", "old 2", "new 1", "new 2"]);
    // The new stream's shards get the names of the old one's: what is left of those must not stand in their way.
    sleep(secs(120)).await;
    let left: Vec<String> = world
        .leases
        .rows()
        .into_iter()
        .map(|row| row.shard_id)
        .collect();
    assert_eq!(left, [FIRST, SECOND], "rows of the old stream's go");
    let [third, fourth] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&third, "ada", "new 3");
    world.put_to(&fourth, "ada", "new 4");
    sleep(secs(40)).await;
    let mut begun = world.ledger.begun();
    begun[2..].sort();
    assert_eq!(begun[4..], ["new 3", "new 4"]);
    running.shutdown().await.expect("a clean stop");
    // From now on it is the stream that is known.
    let running = world.start().await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun().len(), 6);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn shards_of_the_old_stream_that_the_new_one_gets_at_once_are_read_though_their_rows_stand() {
    let world = World::new(4);
    for number in 0..20 {
        world.put(&format!("key {number}"), &format!("old {number}"));
    }
    let running = world.start().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    world.recreate(1).await;
    let running = world.start_whichever(20).await;
    // Before the rows of the old shards are closed.
    let [second, third] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&second, "ada", "new 2");
    world.put_to(&third, "ada", "new 3");
    sleep(secs(60)).await;
    let mut begun = world.ledger.begun()[20..].to_vec();
    begun.sort();
    assert_eq!(begun, ["new 2", "new 3"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_running_application_that_may_restart_goes_over_to_the_new_stream() {
    let world = World::new(2);
    for number in 0..20 {
        world.put(&format!("key {number}"), &format!("old {number}"));
    }
    let one = world.start_whichever(20).await;
    let two = world.start_whichever(21).await;
    sleep(secs(5)).await;
    world.recreate(1).await;
    for number in 0..20 {
        world.put(&format!("key {number}"), &format!("new {number}"));
    }
    sleep(secs(120)).await;
    let mut ended = world.ledger.ended();
    ended.sort();
    ended.dedup();
    assert_eq!(ended.len(), 40, "{ended:?}");
    let row = world.leases.stream("billing:orders").await;
    assert_eq!(row.expect("a memory").expect("met").generation, 1);
    assert!(one.health().is_good() && two.health().is_good());
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_running_application_that_may_not_restart_ends_and_says_why() {
    let world = World::new(1);
    world.put("ada", "old");
    let mut running = world.start().await;
    sleep(secs(5)).await;
    world.recreate(1).await;
    world.put("ada", "new");
    timeout(secs(120), running.ended()).await.expect("an end");
    let error = running.shutdown().await.expect_err("another stream");
    let text = format!("{error} {:?}", std::error::Error::source(&error));
    assert!(text.contains("deleted and created again"), "{text}");
    assert_eq!(world.ledger.begun(), ["old"]);
}

#[tokio::test(start_paused = true)]
async fn a_late_write_of_a_tenure_in_the_old_stream_fits_no_row_of_the_new_one() {
    let world = World::new(2);
    world.ledger.plan("old", [Deed::Hang]);
    world.put_to(SECOND, "ada", "old");
    let running = world.start_whichever(20).await;
    sleep(secs(5)).await;
    let old = world.leases.rows().remove(1);
    world.recreate(1).await;
    sleep(secs(180)).await;
    // The shard of the old row comes to life in the new stream, and the same process reads it.
    let [second, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    assert_eq!(second, SECOND);
    sleep(secs(40)).await;
    let new = world
        .leases
        .rows()
        .into_iter()
        .find(|row| row.shard_id == SECOND)
        .expect("a row");
    let session = |row: &kinesis_app::LeaseRow| row.holder.as_ref().expect("held").session.clone();
    assert_eq!(session(&old), session(&new), "the same process");
    assert!(new.counter > old.counter + (1 << 31), "{new:?}");
    assert_eq!(new.generation, 1);
    let health = running.health();
    assert!(
        health
            .shards
            .values()
            .all(|shard| shard.activity == Activity::Reading)
    );
    running.shutdown().await.expect("a clean stop");
}
