//! `partition_key` of a stream: the key of records that are published without one.

use kinesis_app::{PARTITION_KEY_HEADER, Running, Setup, prelude::*};

use crate::world::{FIRST, STREAM, World};

#[kinesis_app(name = "billing", leases(memory))]
mod keyed {
    use super::*;

    #[stream(
        name = "orders",
        codec(Raw),
        partition_key(env = "KEY", default = "all")
    )]
    pub(super) struct Orders;

    #[stream(name = "receipts", codec(Raw), create_if_missing(shards = 1))]
    pub(super) struct Receipts;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), ConfigError> {
        if let Ok(key) = setup.env("RECEIPTS_KEY") {
            config.stream::<Receipts>().set_partition_key(&key)?;
        }
        Ok(())
    }
}

use keyed::{Orders, Receipts};

async fn start(world: &World, setup: Setup) -> Running {
    let launch = kinesis_app::launch(keyed::App).setup(setup);
    let launch = launch.aws(world.kinesis.sdk_config());
    launch
        .leases(world.leases.clone())
        .start()
        .await
        .expect("a start")
}

fn keys(world: &World, stream: &str) -> Vec<String> {
    let records = world.kinesis.records(stream, FIRST).into_iter();
    records
        .map(|record| record.partition_key.expect("a key").to_string())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_record_has_the_key_of_its_call_else_of_its_header_else_of_its_stream() {
    let world = World::new(1);
    let running = start(&world, Setup::empty()).await;
    let orders = running.publisher::<Orders>();
    orders
        .publish("a".keyed("ada").header(PARTITION_KEY_HEADER, "eve"))
        .await
        .expect("stored");
    orders
        .publish("b".unkeyed().header(PARTITION_KEY_HEADER, "eve"))
        .await
        .expect("stored");
    orders.publish("c".unkeyed()).await.expect("stored");
    orders.publish("d".unkeyed()).await.expect("stored");
    running.shutdown().await.expect("a clean stop");
    assert_eq!(keys(&world, STREAM), ["ada", "eve", "all", "all"]);
}

#[tokio::test(start_paused = true)]
async fn the_key_of_a_stream_may_come_from_the_environment_and_from_configure() {
    let world = World::new(1);
    let setup = Setup::empty()
        .with_env("KEY", "here")
        .with_env("RECEIPTS_KEY", "there");
    let running = start(&world, setup).await;
    running
        .publisher::<Orders>()
        .publish("a".unkeyed())
        .await
        .expect("stored");
    running
        .publisher::<Receipts>()
        .publish("b".unkeyed())
        .await
        .expect("stored");
    running.shutdown().await.expect("a clean stop");
    assert_eq!(keys(&world, STREAM), ["here"]);
    assert_eq!(keys(&world, "receipts"), ["there"]);
}

#[tokio::test(start_paused = true)]
async fn without_a_key_of_the_stream_each_record_has_one_of_its_own() {
    let world = World::new(1);
    let running = start(&world, Setup::empty()).await;
    let receipts = running.publisher::<Receipts>();
    for text in ["a", "b"] {
        receipts.publish(text.unkeyed()).await.expect("stored");
    }
    running.shutdown().await.expect("a clean stop");
    let keys = keys(&world, "receipts");
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn a_key_that_is_too_long_is_reported_with_all_other_settings() {
    let long = "k".repeat(257);
    let setup = Setup::empty()
        .with_env("KEY", &long)
        .with_env("RECEIPTS_KEY", "");
    let error = kinesis_app::launch(keyed::App).setup(setup).describe();
    let error = error
        .expect_err("two settings are out of range")
        .to_string();
    assert!(
        error.contains("partition key has 257 characters; the most is 256"),
        "{error}"
    );
    assert!(
        error.contains("partition key is empty; keys have 1 to 256 characters"),
        "{error}"
    );
}
