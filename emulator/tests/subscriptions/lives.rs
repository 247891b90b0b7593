//! How long a subscription lives, and what ends it or keeps it from beginning.

use std::time::Duration;

use aws_sdk_kinesis::types::ChildShard;
use kinesis_app_emulator::{Kinesis, Operation};
use tokio::time::{Instant, sleep};

use crate::{
    common::*,
    subscriber::{SECOND, after, broken, consumer, horizon, latest, next, subscribe, texts},
};

#[tokio::test(start_paused = true)]
async fn an_idle_subscription_beats_every_five_seconds_until_its_five_minutes_are_over() {
    let (kinesis, _) = stream(1);
    let (client, arn) = consumer(&kinesis);
    let mut events = subscribe(&client, &arn, SHARD_0, horizon()).await.unwrap();
    let begin = Instant::now();
    let mut beats = Vec::new();
    while let Some(event) = next(&mut events).await {
        assert!(event.records.is_empty() && event.child_shards().is_empty());
        assert_eq!(event.millis_behind_latest, 0);
        beats.push(event.continuation_sequence_number);
        assert_eq!(begin.elapsed().as_secs(), 5 * beats.len() as u64);
    }
    assert_eq!(beats.len(), 59);
    assert!(beats.is_sorted() && beats[0] < beats[58], "they grow");
    assert_eq!(
        begin.elapsed().as_secs(),
        299,
        "5 ms after the service began to count"
    );

    // What came while nobody was subscribed is behind the last beat, once.
    kinesis.put("s", "k", "a1").unwrap();
    let mut events = subscribe(&client, &arn, SHARD_0, after(&beats[58]))
        .await
        .unwrap();
    assert_eq!(texts(&next(&mut events).await.unwrap()), ["a1"]);
}

/// Heartbeats are what keeps the SDK's guard against stalled streams, and any other, quiet.
#[tokio::test(start_paused = true)]
async fn a_minute_without_records_breaks_no_connection_of_the_sdk() {
    let (kinesis, _) = stream(1);
    let arn = kinesis.register_consumer("s", "c").unwrap();
    let client = kinesis.client();
    let mut events = subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
    let begin = Instant::now();
    let puts = async {
        sleep(Duration::from_mins(1)).await;
        kinesis.put("s", "k", "a1").unwrap();
    };
    let reads = async {
        loop {
            let event = next(&mut events).await.unwrap();
            if !event.records.is_empty() {
                return texts(&event).join(",");
            }
        }
    };
    let (read, ()) = tokio::join!(reads, puts);
    assert_eq!(read, "a1");
    assert_eq!(begin.elapsed(), Duration::from_millis(60_005));
    assert_eq!(kinesis.calls(Operation::SubscribeToShard), 1);
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_is_split_meanwhile_ends_with_its_children() {
    let kinesis = Kinesis::builder().update_duration(SECOND).build();
    kinesis.create_stream("s", 1).unwrap();
    let (client, arn) = consumer(&kinesis);
    let mut events = subscribe(&client, &arn, SHARD_0, horizon()).await.unwrap();
    let begin = Instant::now();
    kinesis.split("s", SHARD_0).unwrap();
    let end = next(&mut events).await.unwrap();
    assert_eq!(begin.elapsed(), SECOND + Duration::from_millis(5));
    assert!(end.records.is_empty());
    assert_eq!(end.continuation_sequence_number, "", "absent on the wire");
    let children: Vec<_> = end
        .child_shards()
        .iter()
        .map(ChildShard::shard_id)
        .collect();
    assert_eq!(children, [SHARD_1, SHARD_2]);
    assert!(next(&mut events).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn the_last_records_of_a_closed_shard_come_with_its_end() {
    let (kinesis, _) = stream(1);
    let (client, arn) = consumer(&kinesis);
    kinesis.put("s", "k", "a9").unwrap();
    kinesis.split("s", SHARD_0).unwrap();
    let mut events = subscribe(&client, &arn, SHARD_0, horizon()).await.unwrap();
    let end = next(&mut events).await.unwrap();
    assert_eq!(texts(&end), ["a9"]);
    assert_eq!(end.child_shards().len(), 2);
    assert!(next(&mut events).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_second_subscription_waits_five_seconds_and_then_takes_over() {
    let (kinesis, _) = stream(2);
    let (client, arn) = consumer(&kinesis);
    let mut first = subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
    sleep(4 * SECOND).await;
    let early = subscribe(&client, &arn, SHARD_0, latest()).await;
    let (code, words) = refusal(early);
    assert_eq!(code, "ResourceInUseException");
    assert!(
        words.contains("Another active subscription exists"),
        "{words}"
    );
    subscribe(&client, &arn, SHARD_1, latest())
        .await
        .expect("another shard");
    let other = kinesis.register_consumer("s", "d").unwrap();
    let other = subscribe(&client, &other, SHARD_0, latest()).await;
    let mut other = other.expect("another consumer");
    sleep(SECOND).await;
    let mut second = subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
    assert_eq!(broken(&mut first).await, "ResourceInUseException");
    kinesis
        .put_with("s", kinesis_app_emulator::Put::new("k", "x").hash_key(0))
        .unwrap();
    assert_eq!(texts(&next(&mut second).await.unwrap()), ["x"]);
    assert_eq!(texts(&next(&mut other).await.unwrap()), ["x"]);
}

#[tokio::test(start_paused = true)]
async fn a_consumer_subscribes_when_it_is_active_and_not_before() {
    let kinesis = Kinesis::builder()
        .operation_duration(Operation::RegisterStreamConsumer, 3 * SECOND)
        .build();
    kinesis.create_stream("s", 1).unwrap();
    let (client, arn) = consumer(&kinesis);
    let (code, words) = refusal(subscribe(&client, &arn, SHARD_0, latest()).await);
    assert_eq!(code, "ResourceInUseException");
    assert!(words.contains("is not in ACTIVE status"), "{words}");
    sleep(3 * SECOND).await;
    subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn what_is_deleted_ends_its_subscriptions_at_once() {
    let (kinesis, _) = unlimited(2);
    let (client, arn) = consumer(&kinesis);
    let begin = Instant::now();
    let mut one = subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
    let gone = client.deregister_stream_consumer().consumer_arn(&arn);
    gone.send().await.unwrap();
    assert_eq!(broken(&mut one).await, "ResourceNotFoundException");

    let arn = kinesis.register_consumer("s", "d").unwrap();
    let mut two = subscribe(&client, &arn, SHARD_1, latest()).await.unwrap();
    kinesis.delete_stream("s").unwrap();
    assert_eq!(broken(&mut two).await, "ResourceNotFoundException");
    assert!(begin.elapsed() < SECOND, "before any heartbeat");
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_subscribes_nobody() {
    let (kinesis, _) = stream(1);
    let (client, arn) = consumer(&kinesis);
    let dry = client.subscribe_to_shard().consumer_arn(&arn);
    let dry = dry.shard_id(SHARD_0).starting_position(latest());
    assert_eq!(
        code(dry.dry_run(true).send().await),
        "DryRunOperationException"
    );
    subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn time_that_is_advanced_ends_a_subscription_like_time_that_passes() {
    let (kinesis, _) = stream(1);
    let (client, arn) = consumer(&kinesis);
    let mut events = subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
    let begin = Instant::now();
    let ahead = async {
        sleep(SECOND).await;
        kinesis.advance(Duration::from_mins(6));
    };
    let (end, ()) = tokio::join!(next(&mut events), ahead);
    assert!(end.is_none());
    assert_eq!(begin.elapsed(), SECOND);
}
