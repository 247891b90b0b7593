//! Rule 6: where an application begins is resolved once and stored.

use std::collections::BTreeSet;

use kinesis_app::{Error, Setup, StoredStart, StreamProblem, prelude::*};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::{Instant, sleep};

use crate::world::{Deed, Entry, FIRST, Ledger, STREAM, World, secs};

/// Reads from the tip; where it begins may be set from outside.
#[kinesis_app(name = "billing", leases(memory))]
pub(crate) mod tip {
    use super::*;

    #[stream(name = "orders", start(latest), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[configure]
    fn settings(
        config: &mut AppConfig,
        setup: &Setup,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if let Some(millis) = setup.env_opt("START_MILLIS")? {
            config
                .stream::<Orders>()
                .set_start(&Position::timestamp_millis(millis))?;
        }
        Ok(())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

impl World {
    pub(crate) async fn start_at(&self, millis: u64) -> Result<kinesis_app::Running, Error> {
        kinesis_app::launch(tip::App)
            .setup(Setup::empty().with_env("START_MILLIS", &millis.to_string()))
            .aws(self.kinesis.sdk_config())
            .leases(self.leases.clone())
            .state(self.ledger.clone())
            .seed(3)
            .start()
            .await
    }

    pub(crate) fn now_millis(&self) -> u64 {
        let since = self
            .kinesis
            .now()
            .duration_since(std::time::SystemTime::UNIX_EPOCH)
            .expect("after 1970");
        u64::try_from(since.as_millis()).expect("this era")
    }
}

#[tokio::test(start_paused = true)]
async fn latest_reads_what_is_put_after_the_start_and_not_what_was_there() {
    let world = World::new(1);
    world.put("ada", "old");
    sleep(secs(60)).await;
    let running = world.start_app(tip::App).await;
    world.put("ada", "new");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["new"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_start_returns_when_every_shard_has_its_place_and_what_is_put_then_is_read() {
    let world = World::new(8);
    sleep(secs(60)).await;
    world
        .kinesis
        .fault(Fault::new(Operation::GetShardIterator, FaultKind::Throttle).times(5));
    world
        .kinesis
        .fault(Fault::new(Operation::GetShardIterator, FaultKind::Delay(secs(3))).times(2));
    let asked = Instant::now();
    let running = world.start_app(tip::App).await;
    assert!(asked.elapsed() >= secs(3), "it waits for the slowest shard");
    let shards = world.shards();
    for shard_id in &shards {
        world.put_to(shard_id, "ada", shard_id);
    }
    sleep(secs(10)).await;
    let begun: BTreeSet<_> = world.ledger.begun().into_iter().collect();
    assert_eq!(begun.len(), 8, "{begun:?}");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn latest_is_pinned_by_the_first_start_so_that_a_crash_before_the_first_record_loses_nothing()
{
    let world = World::new(1);
    sleep(secs(60)).await;
    let running = world.start_app(tip::App).await;
    drop(running);
    world.put("ada", "while nobody ran");
    sleep(secs(600)).await;
    let another = world.start_app(tip::App).await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["while nobody ran"]);
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn children_begin_at_their_beginning_whatever_the_start_says() {
    let world = World::new(1);
    sleep(secs(60)).await;
    let running = world.start_app(tip::App).await;
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "first of the left");
    world.put_to(&right, "r", "first of the right");
    sleep(secs(60)).await;
    let mut begun = world.ledger.begun();
    begun.sort();
    assert_eq!(begun, ["first of the left", "first of the right"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_timestamp_starts_at_the_first_record_of_that_time() {
    let world = World::new(1);
    world.put("ada", "before");
    sleep(secs(10)).await;
    let at = world.now_millis();
    world.put("ada", "then");
    sleep(secs(10)).await;
    world.put("ada", "after");
    let running = world.start_at(at).await.expect("a start");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["then", "after"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_timestamp_in_the_future_fails_the_start() {
    let world = World::new(1);
    let error = world
        .start_at(world.now_millis() + 90_000)
        .await
        .expect_err("the future");
    let Error::Streams(streams) = &error else {
        panic!("{error}")
    };
    assert!(
        matches!(
            streams.iter().next().expect("one").problem(),
            StreamProblem::StartInTheFuture {
                ahead_seconds: 85..=90
            }
        ),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_checkpoint_wins_over_an_edited_start() {
    let world = World::new(1);
    world.put_all("ada", ["1", "2"]);
    let running = world.start_at(0).await.expect("a start");
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    let again = world.start_at(1).await.expect("a start");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1", "2"]);
    again.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_was_deleted_and_created_again_is_not_read_from_the_old_checkpoints() {
    let world = World::new(1);
    world.put("ada", "1");
    let running = world.start().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    world
        .kinesis
        .delete_stream(STREAM)
        .expect("the stream is there");
    sleep(secs(60)).await;
    world
        .kinesis
        .create_stream(STREAM, 1)
        .expect("the name is free");
    let error = world
        .try_start(crate::world::ledger::App)
        .await
        .expect_err("another stream");
    assert!(
        error.to_string().contains("deleted and created again"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_stored_start_is_a_time_or_the_horizon_and_never_the_word_latest() {
    use kinesis_app::LeaseStore;

    let world = World::new(1);
    sleep(secs(60)).await;
    let running = world.start_app(tip::App).await;
    let row = world
        .leases
        .stream("billing:orders")
        .await
        .expect("a memory")
        .expect("met");
    let StoredStart::At { millis } = row.start else {
        panic!("{row:?}")
    };
    let ago = i64::try_from(world.now_millis()).expect("this era") - millis;
    assert!(
        (5_000..7_000).contains(&ago),
        "the service's time less the margin, to its second: {ago}"
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_restart_after_longer_than_retention_goes_on_with_the_oldest_record_kept() {
    let world = World::new(1);
    world.put_all("ada", ["1", "2"]);
    let running = world.start_at(0).await.expect("a start");
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    world.put("ada", "gone before anybody came");
    sleep(secs(25 * 3600)).await;
    world.put("ada", "3");
    let running = world.start_at(0).await.expect("a start");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1", "2", "3"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_child_that_is_taken_over_before_its_first_checkpoint_begins_at_its_beginning() {
    let world = World::new(1);
    world.put("ada", "old");
    sleep(secs(60)).await;
    let one = world.start_app(tip::App).await;
    for text in ["left", "right"] {
        world.ledger.plan(text, [Deed::Hang]);
    }
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.running(), 2);
    assert_eq!(world.checkpoint(&left), None);
    drop(one);
    sleep(secs(600)).await;
    let launch = world.launch(tip::App).seed(world.seed + 1);
    let two = launch.start().await.expect("a start");
    sleep(secs(30)).await;
    let mut ended = world.ledger.ended();
    ended.sort();
    assert_eq!(ended, ["left", "right"]);
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn shards_that_are_split_twice_between_two_listings_are_all_read_from_their_beginning() {
    let world = World::new(1);
    sleep(secs(60)).await;
    let running = world.start_app(tip::App).await;
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "k", "child");
    world.put_to(&right, "r", "other child");
    let [grandchild, _] = world.kinesis.split(STREAM, &left).expect("a split");
    world.put_to(&grandchild, "k", "grandchild");
    sleep(secs(60)).await;
    let ended = world.ledger.ended();
    let of_key: Vec<_> = ended.iter().filter(|text| *text != "other child").collect();
    assert_eq!(of_key, ["child", "grandchild"]);
    assert_eq!(ended.len(), 3);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_timestamp_that_is_older_than_retention_begins_with_the_oldest_record_kept() {
    let world = World::new(1);
    let long_ago = world.now_millis();
    world.put("ada", "gone");
    sleep(secs(25 * 3600)).await;
    world.put("ada", "kept");
    let running = world.start_at(long_ago).await.expect("a start");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["kept"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_iterator_that_expires_before_the_first_record_was_read_is_made_again_for_the_same_place()
 {
    let world = World::new(1);
    world.put("ada", "old");
    sleep(secs(60)).await;
    let expired = FaultKind::Refuse(ErrorCode::ExpiredIterator);
    world
        .kinesis
        .fault(Fault::new(Operation::GetRecords, expired).times(3));
    let running = world.start_app(tip::App).await;
    world.put("ada", "new");
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), ["new"]);
    assert_eq!(world.kinesis.calls(Operation::GetShardIterator), 4);
    running.shutdown().await.expect("a clean stop");
}
