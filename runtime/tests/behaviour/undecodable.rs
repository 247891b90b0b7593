//! Rule 8: a record that no handler can be given halts its shard, visibly, and loses nothing.

use kinesis_app::{Activity, prelude::*};
use md5::{Digest, Md5};
use serde::Deserialize;
use tokio::time::sleep;

use crate::world::{Deed, FIRST, Ledger, SECOND, World, secs};

#[derive(Debug, Deserialize)]
pub(crate) struct Order {
    pub(crate) id: u64,
}

#[kinesis_app(name = "billing", leases(memory))]
mod json {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders, concurrency = 4)]
    async fn book(
        order: Order,
        key: PartitionKey,
        State(ledger): State<Ledger>,
    ) -> Result<Outcome, String> {
        let entry = crate::world::Entry {
            key: key.to_string(),
            text: order.id.to_string(),
            shard_id: String::new(),
            attempt: 1,
        };
        ledger.handle(entry).await
    }
}

fn reason(running: &kinesis_app::Running, shard_id: &str) -> Option<String> {
    let name = kinesis_app::ShardName {
        stream: "Orders",
        shard_id: shard_id.to_owned(),
    };
    match &running.health().shards[&name].activity {
        Activity::Halted { reason, .. } => Some(reason.clone()),
        _ => None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_payload_that_does_not_decode_halts_its_shard_and_slows_no_other() {
    let world = World::new(2);
    let last = world.put_to(FIRST, "a", r#"{"id":1}"#);
    world.put_to(FIRST, "a", r#"{"id":"two"}"#);
    world.put_to(FIRST, "a", r#"{"id":3}"#);
    world.put_to(SECOND, "b", r#"{"id":10}"#);
    let running = world.start_app(json::App).await;
    sleep(secs(5)).await;
    world.put_to(SECOND, "b", r#"{"id":11}"#);
    sleep(secs(30)).await;
    let mut begun = world.ledger.begun();
    begun.sort();
    assert_eq!(begun, ["1", "10", "11"]);
    let reason = reason(&running, FIRST).expect("halted");
    assert!(reason.starts_with("the `Json` codec does not decode the payload: invalid type: string \"two\", expected u64"), "{reason}");
    assert!(!running.health().is_good());
    assert_eq!(
        world.checkpoint(FIRST),
        Some(last.clone()),
        "before the record"
    );
    assert!(
        world.leases.rows()[0].holder.is_some(),
        "and the lease is kept"
    );
    running.shutdown().await.expect("a clean stop");
    assert_eq!(
        world.checkpoint(FIRST),
        Some(last),
        "nothing is passed by the stop"
    );
}

#[tokio::test(start_paused = true)]
async fn a_kpl_aggregate_halts_its_shard_and_is_named() {
    let message = b"\x0a\x01a";
    let aggregate = [
        &[0xF3, 0x89, 0x9A, 0xC2][..],
        message,
        Md5::digest(message).as_slice(),
    ]
    .concat();
    for raw in [false, true] {
        let world = World::new(1);
        world
            .kinesis
            .put("orders", "a", aggregate.clone())
            .expect("the stream is there");
        let running = if raw {
            world.start().await
        } else {
            world.start_app(json::App).await
        };
        sleep(secs(5)).await;
        assert!(
            world.ledger.begun().is_empty(),
            "no handler is given opaque protobuf"
        );
        let reason = reason(&running, FIRST).expect("halted");
        assert!(reason.contains("KPL"), "{reason}");
        running.shutdown().await.expect("a clean stop");
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_may_halt_its_shard_with_a_reason() {
    let world = World::new(1);
    world.ledger.plan("2", [Deed::Halt("the ledger is closed")]);
    let first = world.put("a", "1");
    world.put("a", "2");
    let running = world.start().await;
    sleep(secs(30)).await;
    assert_eq!(
        reason(&running, FIRST).as_deref(),
        Some("the ledger is closed")
    );
    assert_eq!(world.checkpoint(FIRST), Some(first));
    running.shutdown().await.expect("a clean stop");

    // A person mended it; the next start tries the record again.
    let another = world.start_another().await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended(), ["1", "2"]);
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_without_a_key_is_undecodable_for_a_handler_that_wants_one() {
    let world = World::new(1);
    world
        .kinesis
        .put_with("orders", kinesis_app_emulator::Put::keyless("1"))
        .expect("the stream is there");
    let running = world.start().await;
    sleep(secs(5)).await;
    let reason = reason(&running, FIRST).expect("halted");
    assert!(reason.contains("Option<PartitionKey>"), "{reason}");
    running.shutdown().await.expect("a clean stop");
}
