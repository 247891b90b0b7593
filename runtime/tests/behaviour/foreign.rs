//! Rows that another system left in the table under `<stream>:<shard>`: copied once, when it works no more.

use aws_sdk_dynamodb::types::AttributeValue;
use kinesis_app::{DynamoLeases, LeaseStore, Running};
use tokio::time::{Instant, sleep};

use crate::world::{FIRST, SECOND, STREAM, World, ledger, secs};

const TABLE: &str = "leases";

impl World {
    fn table(&self) -> DynamoLeases {
        DynamoLeases::new(&self.kinesis.sdk_config(), TABLE).create_if_missing()
    }

    async fn start_on_table(&self, seed: u64) -> Running {
        let launch = self.launch(ledger::App).leases(self.table()).seed(seed);
        launch.start().await.expect("a start")
    }

    /// As the other system does.
    async fn foreign(&self, shard_id: &str, attributes: &[(&str, AttributeValue)]) {
        let client = self.kinesis.link("the other system").dynamodb_client();
        let mut put = client
            .put_item()
            .table_name(TABLE)
            .item("lease_key", text(&format!("{STREAM}:{shard_id}")));
        for (name, value) in attributes {
            put = put.item(*name, value.clone());
        }
        put.send().await.expect("the table is there");
    }
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.into())
}

fn number(value: u64) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

#[tokio::test(start_paused = true)]
async fn what_another_system_left_is_gone_on_behind_once_it_stood_still_for_a_lease_duration() {
    let world = World::new(3);
    world.table().prepare().await.expect("a table");
    let handled = world.put_to(FIRST, "a", "handled by the other");
    world.put_to(FIRST, "a", "first");
    world.put_to(SECOND, "b", "second");
    world.put_to("shardId-000000000002", "c", "third");
    let expiry = ("lease_expiry", number(4_102_444_800_000));
    let owner = ("lease_owner", text("other"));
    let checkpoint = ("checkpoint", text(&handled));
    world
        .foreign(FIRST, &[owner.clone(), expiry, checkpoint])
        .await;
    world.foreign(SECOND, &[owner]).await;
    let asked = Instant::now();
    let running = world.start_on_table(1).await;
    sleep(secs(5)).await;
    assert_eq!(
        world.ledger.begun(),
        ["third"],
        "a shard that nobody else has a row of waits for nothing"
    );
    sleep(secs(20)).await;
    let mut begun = world.ledger.begun();
    begun.sort();
    assert_eq!(begun, ["first", "second", "third"]);
    assert!(asked.elapsed() > secs(10));
    running.shutdown().await.expect("a clean stop");
    // Once: what the other system does later is its own affair.
    let checkpoint = ("checkpoint", text("1"));
    world.foreign(FIRST, &[checkpoint]).await;
    let running = world.start_on_table(2).await;
    sleep(secs(30)).await;
    assert_eq!(world.ledger.begun().len(), 3);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_another_system_still_reads_is_left_to_it() {
    let world = World::new(1);
    world.table().prepare().await.expect("a table");
    let one = world.put("a", "1");
    let two = world.put("a", "2");
    world.put("a", "3");
    let lease = |counter, reached: &str| {
        [
            ("lease_owner", text("other")),
            ("lease_counter", number(counter)),
            ("checkpoint", text(reached)),
        ]
    };
    world.foreign(FIRST, &lease(0, &one)).await;
    let running = world.start_on_table(1).await;
    for counter in 1..20 {
        sleep(secs(3)).await;
        world.foreign(FIRST, &lease(counter, &one)).await;
    }
    world.foreign(FIRST, &lease(20, &two)).await;
    assert_eq!(world.ledger.begun(), Vec::<String>::new());
    sleep(secs(30)).await;
    assert_eq!(world.ledger.begun(), ["3"], "from where it stopped");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_another_system_read_to_its_end_is_finished_and_its_children_start() {
    let world = World::new(1);
    world.table().prepare().await.expect("a table");
    world.put("a", "1");
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "a", "2");
    world
        .foreign(FIRST, &[("checkpoint", text("SHARD_END"))])
        .await;
    let running = world.start_on_table(1).await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_checkpoint_that_cannot_be_understood_ends_the_run_and_names_its_item() {
    let world = World::new(1);
    world.table().prepare().await.expect("a table");
    world
        .foreign(FIRST, &[("checkpoint", text("TRIM_HORIZON"))])
        .await;
    let launch = world.launch(ledger::App).leases(world.table());
    let error = launch.start().await.expect_err("no checkpoint");
    let text = error.to_string();
    assert!(
        text.contains("the item `orders:shardId-000000000000` has no attribute `checkpoint`"),
        "{text}"
    );
}

/// The parent is read to its end before the other system's row of its child has stood still.
#[tokio::test(start_paused = true)]
async fn a_child_begins_behind_what_another_system_left_of_it_though_its_parent_ends_first() {
    let world = World::new(1);
    world.table().prepare().await.expect("a table");
    let [lower, _] = world.kinesis.split(STREAM, FIRST).expect("an open shard");
    let handled = world.put_to(&lower, "a", "handled by the other");
    world.put_to(&lower, "a", "new");
    world
        .foreign(
            &lower,
            &[
                ("checkpoint", text(&handled)),
                ("lease_owner", text("other")),
            ],
        )
        .await;
    let running = world.start_on_table(1).await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["new"]);
    running.shutdown().await.expect("a stop");
}
