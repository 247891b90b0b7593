use std::time::Duration;

use futures_util::future::join_all;
use kinesis_app_emulator::{Fault, FaultKind, Kinesis as Emulated, Operation};
use tokio::time::timeout;

use super::*;
use crate::{chance::Chance, service_error::Class, source::kinesis::Target};

const STREAM: &str = "receipts";

struct World {
    kinesis: Emulated,
    producer: Arc<Producer>,
}

fn message(key: Option<&str>, headers: Headers, payload: Bytes) -> Parts<Bytes> {
    Parts {
        payload,
        key: key.map(Into::into),
        headers,
    }
}

impl World {
    fn new(shards: u32) -> Self {
        let kinesis = Emulated::builder()
            .seed(1)
            .latency(Duration::from_millis(5))
            .log_calls(100_000)
            .build();
        kinesis.create_stream(STREAM, shards).expect("a new stream");
        let client = crate::app::client::client(&kinesis.sdk_config(), "billing");
        let backoff = Backoff {
            first: defaults::BACKOFF_FIRST,
            max: defaults::BACKOFF_MAX,
            chance: Arc::new(Chance::new(Some(7))),
        };
        let target = Kinesis::new(client, Target::Name(STREAM.into()));
        let producer = Producer::with(backoff, "process", "Receipts", target);
        Self {
            kinesis,
            producer: Arc::new(producer),
        }
    }

    async fn publish(&self, key: &str, text: &str) -> Result<Published, PublishError> {
        let payload = Bytes::copy_from_slice(text.as_bytes());
        self.producer
            .publish(&message(Some(key), Headers::new(), payload))
            .await
    }

    async fn publish_bytes(&self, key: &str, size: usize) -> Result<Published, PublishError> {
        let payload = Bytes::from(vec![b'x'; size - key.len()]);
        self.producer
            .publish(&message(Some(key), Headers::new(), payload))
            .await
    }

    /// How many requests put records.
    fn puts(&self) -> usize {
        let calls = self.kinesis.call_log();
        calls
            .iter()
            .filter(|call| call.operation == Operation::PutRecords)
            .count()
    }

    /// Keys and payloads, shard by shard.
    fn stored(&self) -> Vec<(String, String)> {
        let shards = self.kinesis.shards(STREAM).expect("the stream is there");
        let records = shards
            .iter()
            .flat_map(|shard| self.kinesis.records(STREAM, &shard.shard_id));
        records
            .map(|record| {
                let text = String::from_utf8_lossy(&record.data).into_owned();
                (
                    record
                        .partition_key
                        .as_deref()
                        .unwrap_or_default()
                        .to_owned(),
                    text,
                )
            })
            .collect()
    }
}

fn texts(count: u32) -> Vec<String> {
    (0..count).map(|number| number.to_string()).collect()
}

#[tokio::test(start_paused = true)]
async fn records_that_are_published_together_share_requests_of_500() {
    let world = World::new(2);
    let texts = texts(501);
    let results = join_all(texts.iter().map(|text| world.publish(text, text))).await;
    assert!(results.iter().all(Result::is_ok));
    assert_eq!((world.puts(), world.stored().len()), (2, 501));
}

#[tokio::test(start_paused = true)]
async fn an_answer_says_where_the_record_lies() {
    let world = World::new(1);
    let published = world.publish("ada", "payload").await.unwrap();
    let record = &world.kinesis.records(STREAM, &published.shard_id)[0];
    assert_eq!(record.sequence_number, published.sequence_number);
}

#[tokio::test(start_paused = true)]
async fn failed_entries_alone_are_sent_again() {
    let world = World::new(2);
    let first = world.kinesis.shards(STREAM).unwrap()[0].shard_id.clone();
    let throttled = Fault::new(Operation::PutRecords, FaultKind::Throttle).shard(&first);
    world.kinesis.fault(throttled.times(2));
    let texts = texts(100);
    let results = join_all(texts.iter().map(|text| world.publish(text, text))).await;
    assert!(results.iter().all(Result::is_ok));
    let mut stored: Vec<_> = world.stored().into_iter().map(|(_, text)| text).collect();
    stored.sort_by_key(|text| text.parse::<u32>().unwrap());
    assert_eq!(stored, texts, "each of them once");
    assert!(world.puts() > 2);
}

#[tokio::test(start_paused = true)]
async fn records_of_a_key_are_stored_in_order_across_retries() {
    let world = World::new(1);
    for skipped in [1, 3, 6] {
        let kind = if skipped == 3 {
            FaultKind::Reset
        } else {
            FaultKind::Throttle
        };
        world
            .kinesis
            .fault(Fault::new(Operation::PutRecords, kind).after(skipped));
    }
    let texts = texts(20);
    let results = join_all(texts.iter().map(|text| world.publish("ada", text))).await;
    assert!(results.iter().all(Result::is_ok));
    let stored: Vec<_> = world.stored().into_iter().map(|(_, text)| text).collect();
    assert_eq!(stored, texts);
}

#[tokio::test(start_paused = true)]
async fn each_caller_hears_of_his_own_record() {
    let world = World::new(2);
    let shards = world.kinesis.shards(STREAM).unwrap();
    let texts = texts(10);
    let throttled =
        Fault::new(Operation::PutRecords, FaultKind::Throttle).shard(&shards[0].shard_id);
    world.kinesis.fault(throttled.times(10_000));
    let begun = Instant::now();
    let results = join_all(texts.iter().map(|text| world.publish(text, text))).await;
    assert!(begun.elapsed() <= defaults::PUBLISH_PATIENCE);
    let stored: Vec<_> = world.stored().into_iter().map(|(_, text)| text).collect();
    for (text, result) in texts.iter().zip(&results) {
        match result {
            Ok(_) => assert!(stored.contains(text)),
            Err(error) => {
                assert!(!stored.contains(text) && error.is_retryable());
                let code = "ProvisionedThroughputExceededException";
                assert!(error.to_string().contains(code), "{error}");
            }
        }
    }
    assert!(!stored.is_empty() && stored.len() < texts.len());
}

#[tokio::test(start_paused = true)]
async fn a_request_that_may_have_been_carried_out_is_sent_again() {
    let world = World::new(1);
    world
        .kinesis
        .fault(Fault::new(Operation::PutRecords, FaultKind::AnswerLost));
    assert!(world.publish("ada", "twice").await.is_ok());
    assert_eq!(world.stored().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_is_no_record_fails_before_anything_is_sent() {
    let world = World::new(1);
    let error = world.publish("", "payload").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "partition key is empty; keys have 1 to 256 characters"
    );
    let headers: Headers = [("größe", "1")].into_iter().collect();
    let message = message(Some("ada"), headers, Bytes::new());
    let error = world.producer.publish(&message).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "header name `größe` has a character outside ASCII"
    );
    let error = world.publish_bytes("ada", (1 << 20) + 1).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "record of 1048577 bytes is larger than stream `Receipts` takes; the most is 1048576 bytes, key and headers among them"
    );
    assert_eq!(world.puts(), 0);
    assert!(world.publish_bytes("ada", 1 << 20).await.is_ok());
}

async fn allow(world: &World, kib: i32) {
    let arn = world.kinesis.stream_arn(STREAM);
    let update = world.kinesis.client().update_max_record_size();
    update
        .stream_arn(arn)
        .max_record_size_in_kib(kib)
        .send()
        .await
        .expect("the emulator's own limit");
    tokio::time::sleep(Duration::from_secs(30)).await;
}

#[tokio::test(start_paused = true)]
async fn the_largest_record_is_the_streams_own_and_is_asked_for_again() {
    let world = World::new(1);
    assert!(world.publish_bytes("ada", 5 << 20).await.is_err());
    allow(&world, 10_240).await;
    tokio::time::sleep(defaults::RECORD_LIMIT_AGE).await;
    assert!(world.publish_bytes("ada", 5 << 20).await.is_ok());
    assert_eq!(world.kinesis.calls(Operation::DescribeStreamSummary), 2);
}

#[tokio::test(start_paused = true)]
async fn a_request_is_never_larger_than_ten_mebibytes() {
    let world = World::new(8);
    allow(&world, 10_240).await;
    let keys = ["a", "b", "c"];
    let results = join_all(keys.map(|key| world.publish_bytes(key, 4 << 20))).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    let calls = world.kinesis.call_log();
    let puts = calls
        .iter()
        .filter(|call| call.operation == Operation::PutRecords);
    assert!(puts.map(|call| call.records).all(|records| records <= 2));
}

#[tokio::test(start_paused = true)]
async fn a_record_that_the_service_refuses_takes_no_other_with_it() {
    let world = World::new(1);
    let refused = FaultKind::Refuse(kinesis_app_emulator::ErrorCode::AccessDenied);
    world
        .kinesis
        .fault(Fault::new(Operation::DescribeStreamSummary, refused));
    let (small, large) = tokio::join!(
        world.publish("ada", "small"),
        world.publish_bytes("eve", 2 << 20)
    );
    assert!(small.is_ok());
    assert!(
        matches!(&large, Err(PublishError::Service { source, .. }) if source.class() == Class::Invalid),
        "{large:?}"
    );
    assert_eq!(world.stored().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_not_there_is_an_error_at_once() {
    let world = World::new(1);
    world.kinesis.delete_stream(STREAM).unwrap();
    tokio::time::sleep(Duration::from_secs(30)).await;
    let error = world.publish("ada", "payload").await.unwrap_err();
    assert!(!error.is_retryable());
    assert!(
        error.to_string().contains("ResourceNotFoundException"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_key_is_the_messages_own_else_the_headers_else_one_that_nobody_has() {
    let world = World::new(4);
    let mut headers = Headers::new();
    headers.insert(PARTITION_KEY_HEADER, "eve");
    let publish = |key: Option<&str>, headers: &Headers| {
        let producer = Arc::clone(&world.producer);
        let message = message(key, headers.clone(), Bytes::from_static(b"x"));
        async move { producer.publish(&message).await.unwrap() }
    };
    publish(Some("ada"), &headers).await;
    publish(None, &headers).await;
    let empty = Headers::new();
    let spread = join_all((0..40).map(|_| publish(None, &empty))).await;
    let mut shards: Vec<_> = spread.iter().map(|at| &at.shard_id).collect();
    shards.sort();
    shards.dedup();
    assert_eq!(shards.len(), 4, "over all shards");
    let mut keys: Vec<_> = world.stored().into_iter().map(|(key, _)| key).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 42);
    assert!(keys.contains(&"ada".into()) && keys.contains(&"eve".into()));
}

#[tokio::test(start_paused = true)]
async fn a_stop_sends_what_was_published_and_takes_no_more() {
    let world = World::new(1);
    assert!(world.publish("ada", "first").await.is_ok());
    world
        .kinesis
        .fault(Fault::new(Operation::PutRecords, FaultKind::Throttle).times(2));
    let texts = texts(20);
    let publishing = join_all(texts.iter().map(|text| world.publish(text, text)));
    let closing = async {
        tokio::task::yield_now().await;
        world
            .producer
            .close(Instant::now() + Duration::from_secs(10))
            .await;
    };
    let (results, ()) = tokio::join!(publishing, closing);
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    let late = world.publish("ada", "late").await;
    assert!(matches!(late, Err(PublishError::NotRunning { .. })));
    assert_eq!(world.stored().len(), 21);
}

#[tokio::test(start_paused = true)]
async fn a_stop_sends_what_was_published_in_the_same_moment() {
    let world = World::new(1);
    assert!(world.publish("ada", "first").await.is_ok());
    let close = world
        .producer
        .close(Instant::now() + Duration::from_secs(10));
    let (published, ()) = tokio::join!(world.publish("ada", "second"), close);
    assert!(published.is_ok(), "{published:?}");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_waits_long_for_its_turn_has_its_whole_minute() {
    let world = World::new(1);
    let texts = texts(100);
    let slow = FaultKind::Delay(Duration::from_secs(1));
    for (kind, times) in [(slow, 80), (FaultKind::Throttle, 3)] {
        world
            .kinesis
            .fault(Fault::new(Operation::PutRecords, kind).times(times));
    }
    let begun = Instant::now();
    let results = join_all(texts.iter().map(|text| world.publish("ada", text))).await;
    assert!(begun.elapsed() > defaults::PUBLISH_PATIENCE, "one by one");
    assert!(results.iter().all(Result::is_ok));
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_the_minutes_of_those_before_him() {
    let world = World::new(1);
    assert!(world.publish("ada", "first").await.is_ok());
    world
        .kinesis
        .fault(Fault::new(Operation::PutRecords, FaultKind::Hang).times(10_000));
    let texts = texts(50);
    let begun = Instant::now();
    let results = join_all(texts.iter().map(|text| world.publish("ada", text))).await;
    assert!(results.iter().all(Result::is_err));
    assert!(begun.elapsed() <= 2 * defaults::PUBLISH_PATIENCE);
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_in_its_time_and_everybody_hears_of_it() {
    let world = World::new(1);
    assert!(world.publish("ada", "first").await.is_ok());
    world
        .kinesis
        .fault(Fault::new(Operation::PutRecords, FaultKind::Hang).times(100));
    let closing = async {
        tokio::task::yield_now().await;
        world
            .producer
            .close(Instant::now() + Duration::from_secs(3))
            .await;
    };
    let both = async { tokio::join!(world.publish("ada", "stuck"), closing) };
    let (stuck, ()) = timeout(Duration::from_secs(4), both)
        .await
        .expect("it is bounded");
    assert!(
        matches!(stuck, Err(PublishError::NotRunning { .. })),
        "{stuck:?}"
    );
}
