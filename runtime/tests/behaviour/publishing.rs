//! What handlers, hooks and the program around an application publish.

use kinesis_app::{Error, Launch, Running, prelude::*};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation, StoredRecord};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep, timeout};

use crate::world::{FIRST, World, secs};

#[derive(Debug, Deserialize)]
pub(crate) struct Order {
    id: u64,
    customer: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Receipt {
    order: u64,
}

/// A receipt for each order, a greeting when it begins, a farewell when it ends.
#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod billing {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    pub(crate) struct Orders;

    /// Only written.
    #[stream(name = "receipts")]
    pub(crate) struct Receipts;

    #[on_ready]
    async fn greet(receipts: Publisher<Receipts>) -> Result<(), PublishError> {
        receipts.publish("begun".keyed("life")).await?;
        Ok(())
    }

    #[on_record(Orders)]
    async fn book(
        order: Order,
        headers: Headers,
        receipts: Publisher<Receipts>,
    ) -> Result<(), PublishError> {
        let receipt = Receipt { order: order.id };
        receipts
            .publish(receipt.keyed(order.customer).headers(&headers))
            .await?;
        Ok(())
    }

    #[on_shutdown]
    async fn part(receipts: Publisher<Receipts>) -> Result<(), PublishError> {
        receipts.publish("ended".keyed("life")).await?;
        Ok(())
    }
}

/// Passes on what it reads, as it is.
#[kinesis_app(name = "mirror", leases(memory))]
mod mirror {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[stream(name = "receipts", codec(Raw))]
    struct Receipts;

    #[on_record(Orders)]
    async fn pass(
        bytes: Bytes,
        headers: Headers,
        receipts: Publisher<Receipts>,
    ) -> Result<(), PublishError> {
        receipts.publish(bytes.unkeyed().headers(&headers)).await?;
        Ok(())
    }
}

/// Writes to a stream that it would create.
#[kinesis_app(name = "billing", leases(memory))]
mod creating {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[stream(name = "receipts", create_if_missing(shards = 3))]
    struct Receipts;

    #[on_record(Orders)]
    async fn pass(_bytes: Bytes, receipts: Publisher<Receipts>) -> Result<(), PublishError> {
        receipts.publish(1_u64.unkeyed()).await?;
        Ok(())
    }
}

/// Is declared by no application.
#[kinesis_app::stream(name = "elsewhere", codec(Raw))]
struct Elsewhere;

fn world() -> World {
    let world = World::new(1);
    world.kinesis.create_stream("receipts", 1).unwrap();
    world
}

/// Without a state, which these applications have not.
fn launch<A: kinesis_app::Application>(world: &World, app: A) -> Launch<A> {
    kinesis_app::launch(app)
        .setup(kinesis_app::Setup::empty())
        .aws(world.kinesis.sdk_config())
        .leases(world.leases.clone())
        .seed(world.seed)
}

async fn start(world: &World) -> Running {
    launch(world, billing::App).start().await.expect("a start")
}

fn receipts(world: &World) -> Vec<StoredRecord> {
    world.kinesis.records("receipts", FIRST)
}

fn texts(world: &World) -> Vec<String> {
    let receipts = receipts(world).into_iter();
    receipts
        .map(|record| String::from_utf8_lossy(&record.data).into_owned())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn handlers_and_hooks_publish_encoded_keyed_and_before_the_checkpoint() {
    let world = world();
    let stored = world.put("ada", r#"{"id":7,"customer":"eve"}"#);
    let running = start(&world).await;
    sleep(secs(2)).await;
    assert_eq!(texts(&world), [r#""begun""#, r#"{"order":7}"#]);
    assert_eq!(receipts(&world)[1].partition_key.as_deref(), Some("eve"));
    running.shutdown().await.expect("a clean stop");
    assert_eq!(texts(&world).last().map(String::as_str), Some(r#""ended""#));
    assert_eq!(world.checkpoint(FIRST), Some(stored));
}

#[tokio::test(start_paused = true)]
async fn a_record_whose_reply_is_not_stored_is_not_done() {
    let world = world();
    let running = start(&world).await;
    let throttled = Fault::new(Operation::PutRecords, FaultKind::Throttle).stream("receipts");
    world.kinesis.fault(throttled.times(1_000));
    world.put("ada", r#"{"id":7,"customer":"eve"}"#);
    sleep(secs(150)).await;
    assert_eq!((texts(&world).len(), world.checkpoint(FIRST)), (1, None));
    let shard = running.health().shards.values().next().cloned();
    assert!(shard.is_some_and(|shard| shard.failed_attempts >= 1));
    world.kinesis.clear_faults();
    sleep(secs(90)).await;
    assert_eq!(texts(&world)[1..], [r#"{"order":7}"#]);
    assert!(world.checkpoint(FIRST).is_some());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_is_passed_on_is_the_same_record() {
    let world = world();
    let blobs: [&[u8]; 4] = [
        b"plain",
        b"",
        b"RSK1\0\0\0\x0ctrace-id: 1\npayload",
        b"RSK2\0\0\0\x0a\0\0\0\x01n\0\0\0\x01\xff\xff\0\xfe",
    ];
    for blob in blobs {
        world.kinesis.put("orders", "ada", blob).unwrap();
    }
    let running = launch(&world, mirror::App).start().await.expect("a start");
    sleep(secs(3)).await;
    running.shutdown().await.expect("a clean stop");
    let receipts = receipts(&world);
    let passed: Vec<_> = receipts.iter().map(|record| &record.data[..]).collect();
    assert_eq!(passed, blobs, "byte for byte, and in order");
    assert!(
        receipts
            .iter()
            .all(|record| record.partition_key.as_deref() == Some("ada"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_publisher_outlives_its_application_and_says_so() {
    let world = world();
    let running = start(&world).await;
    let orders = running.publisher::<billing::Receipts>();
    let published = orders.publish("in between".keyed("ada")).await.unwrap();
    assert_eq!(published.shard_id, FIRST);
    let elsewhere = running.publisher::<Elsewhere>();
    let error = elsewhere.publish("x".keyed("ada")).await.unwrap_err();
    assert!(
        matches!(
            error,
            PublishError::NotDeclared {
                stream: "Elsewhere"
            }
        ),
        "{error}"
    );
    running.shutdown().await.expect("a clean stop");
    let before = texts(&world).len();
    for _ in 0..2 {
        let error = orders.publish("late".keyed("ada")).await.unwrap_err();
        assert!(matches!(error, PublishError::NotRunning { .. }), "{error}");
    }
    assert_eq!(texts(&world).len(), before);
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_in_its_time_although_nothing_can_be_published() {
    let world = world();
    let running = start(&world).await;
    world
        .kinesis
        .fault(Fault::new(Operation::PutRecords, FaultKind::Hang).times(1_000));
    let publisher = running.publisher::<billing::Receipts>();
    let stuck = async { publisher.publish("stuck".keyed("ada")).await };
    let stopping = async {
        sleep(secs(1)).await;
        let begun = Instant::now();
        let stopped = running.shutdown().await;
        (stopped, begun.elapsed())
    };
    let (stuck, (stopped, took)) = timeout(secs(60), async { tokio::join!(stuck, stopping) })
        .await
        .expect("it is bounded");
    assert!(
        matches!(stuck, Err(PublishError::NotRunning { .. })),
        "{stuck:?}"
    );
    assert!(matches!(
        stopped,
        Err(Error::Hook {
            hook: "on_shutdown",
            ..
        })
    ));
    assert!(took <= secs(20), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_only_written_to_is_met_at_start() {
    let world = World::new(1);
    let error = launch(&world, billing::App)
        .start()
        .await
        .expect_err("no receipts");
    let text = error.to_string();
    assert!(
        text.contains("Receipts") && text.contains("ResourceNotFoundException"),
        "{text}"
    );
    let running = launch(&world, creating::App)
        .start()
        .await
        .expect("it creates");
    assert_eq!(world.kinesis.shards("receipts").unwrap().len(), 3);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn writing_needs_no_permission_to_describe() {
    let world = world();
    let refused = Fault::new(
        Operation::DescribeStreamSummary,
        FaultKind::Refuse(ErrorCode::AccessDenied),
    );
    world.kinesis.fault(refused.stream("receipts").times(1_000));
    let running = start(&world).await;
    assert_eq!(texts(&world).len(), 1);
    running.shutdown().await.expect("a clean stop");
}
