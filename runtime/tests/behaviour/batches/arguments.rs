//! What a batch handler may take, and what a batch says of its records.

use kinesis_app::{BatchContext, FromBatch, HandlerError, prelude::*};
use tokio::time::sleep;

use crate::world::{FIRST, Ledger, World, secs};

/// How many bytes the records have; refuses none.
pub(crate) struct Weight(usize);

impl<S> FromBatch<S> for Weight {
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
        match cx.records().map(|record| record.data().len()).sum() {
            0 => Err("records without payload".into()),
            weight => Ok(Self(weight)),
        }
    }
}

#[kinesis_app(name = "billing", leases(memory))]
mod all {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "everything that a handler of batches may take"
    )]
    #[on_batch(Orders, retry(attempts = 2), exhausted(skip))]
    async fn book(
        orders: Batch<RawRecord>,
        shard: ShardId,
        lag: Lag,
        lease: Lease,
        State(ledger): State<Ledger>,
        seeker: Seeker<Orders>,
        publisher: Publisher<Orders>,
        Weight(weight): Weight,
    ) -> BatchOutcome {
        let _ = (lag, seeker, publisher);
        assert!(lease.token() > 0);
        assert_eq!(orders.shard_id(), shard.as_str());
        assert_eq!(orders.keys().len(), orders.len());
        assert_eq!(
            weight,
            orders.values().map(|order| order.data.len()).sum::<usize>()
        );
        for order in &orders {
            let raw = order.value();
            assert_eq!(order.partition_key(), raw.partition_key.as_deref());
            assert_eq!(order.sequence_number(), raw.sequence_number);
            assert_eq!(order.arrival(), raw.arrival);
            assert_eq!(order.headers(), raw.headers);
            assert_eq!(
                order.position().to_string(),
                format!("{}/{}", raw.shard_id, raw.sequence_number)
            );
        }
        let outcome = orders.done();
        for order in orders {
            let (key, attempt) = (order.partition_key().map(Into::into), order.attempt().get());
            let entry = crate::world::Entry {
                key: key.unwrap_or_default(),
                text: String::from_utf8_lossy(&order.into_value().data).into_owned(),
                shard_id: shard.as_str().into(),
                attempt,
            };
            let _ = ledger.handle(entry).await;
        }
        outcome
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_says_of_each_record_what_the_service_says() {
    let world = World::new(1);
    world.put("ada", "one");
    let last = world.put("bob", "two");
    let running = world.start_app(all::App).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended(), ["one", "two"]);
    assert_eq!(world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_argument_that_cannot_be_taken_fails_the_batch_as_the_handler_would() {
    let world = World::new(1);
    let last = world.put("ada", "");
    let running = world.start_app(all::App).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), [""; 0]);
    assert_eq!(world.checkpoint(FIRST), Some(last), "after two attempts");
    let shard = running.health().shards.into_values().next();
    assert_eq!(
        shard.map(|shard| (shard.failed_attempts, shard.skipped)),
        Some((2, 1))
    );
    running.shutdown().await.expect("a clean stop");
}
