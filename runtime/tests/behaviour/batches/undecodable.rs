//! A record that does not decode goes its own way, and the rest of its batch goes on.

use kinesis_app::{Activity, prelude::*};
use serde::Deserialize;
use tokio::time::sleep;

use crate::world::{FIRST, Ledger, World, secs};

#[derive(Debug, Deserialize)]
pub(crate) struct Order {
    id: u32,
}

/// Skips what does not decode.
#[kinesis_app(name = "billing", leases(memory))]
mod skips {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_batch(Orders, undecodable(skip))]
    async fn book(
        orders: Batch<Order>,
        shard: ShardId,
        State(ledger): State<Ledger>,
    ) -> Result<(), String> {
        note(&orders, &shard, &ledger).await
    }
}

/// Halts before it.
#[kinesis_app(name = "billing", leases(memory))]
mod halts {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_batch(Orders)]
    async fn book(
        orders: Batch<Order>,
        shard: ShardId,
        State(ledger): State<Ledger>,
    ) -> Result<(), String> {
        note(&orders, &shard, &ledger).await
    }
}

async fn note(orders: &Batch<Order>, shard: &ShardId, ledger: &Ledger) -> Result<(), String> {
    for order in orders {
        let entry = crate::world::Entry {
            key: order.partition_key().unwrap_or_default().into(),
            text: order.value().id.to_string(),
            shard_id: shard.as_str().into(),
            attempt: order.attempt().get(),
        };
        ledger.handle(entry).await?;
    }
    Ok(())
}

fn put(world: &World, texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| world.put("ada", text)).collect()
}

#[tokio::test(start_paused = true)]
async fn it_is_not_in_the_batch_and_the_others_are() {
    let world = World::new(1);
    let numbers = put(
        &world,
        &[r#"{"id":1}"#, "?", r#"{"id":3}"#, "{}", r#"{"id":5}"#],
    );
    let running = world.start_app(skips::App).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended(), ["1", "3", "5"]);
    assert_eq!(world.checkpoint(FIRST).as_ref(), numbers.last());
    let shard = running.health().shards.into_values().next();
    assert_eq!(shard.map(|shard| shard.skipped), Some(2));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_handler_is_never_given_an_empty_batch() {
    let world = World::new(1);
    let numbers = put(&world, &["?", "!"]);
    let running = world.start_app(skips::App).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), [""; 0]);
    assert_eq!(world.checkpoint(FIRST).as_ref(), numbers.last());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn it_goes_its_way_also_when_the_batch_fails() {
    let world = World::new(1);
    let numbers = put(&world, &[r#"{"id":1}"#, "?"]);
    world.ledger.plan("1", [crate::world::Deed::Panic]);
    let running = world.start_app(skips::App).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), ["1", "1"]);
    assert_eq!(world.checkpoint(FIRST).as_ref(), numbers.last());
    let shard = running.health().shards.into_values().next();
    assert_eq!(shard.map(|shard| shard.skipped), Some(1), "once");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn by_default_its_shard_stops_before_it_when_the_rest_of_the_batch_is_handled() {
    let world = World::new(1);
    let numbers = put(&world, &[r#"{"id":1}"#, "?", r#"{"id":3}"#]);
    let running = world.start_app(halts::App).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended(), ["1", "3"]);
    assert_eq!(world.checkpoint(FIRST).as_ref(), numbers.first());
    let shard = running.health().shards.into_values().next();
    assert!(matches!(
        shard.map(|shard| shard.activity),
        Some(Activity::Halted { .. })
    ));
    running.shutdown().await.expect("a clean stop");
}
