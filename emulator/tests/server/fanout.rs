//! Subscriptions over the wire.

use crate::client::{Served, Version};
use crate::sdk::{config, put, server};
use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::operation::subscribe_to_shard::SubscribeToShardOutput;
use aws_sdk_kinesis::types::{ShardIteratorType, StartingPosition, SubscribeToShardEventStream};
use std::time::Duration;
use tokio::time::timeout;

/// Longer than anything here takes, and shorter than a subscription.
const PATIENCE: Duration = Duration::from_mins(1);

async fn subscribe(client: &Client, consumer: &str) -> SubscribeToShardOutput {
    let arn = "arn:aws:kinesis:us-east-1:000000000000:stream/orders";
    let register = client.register_stream_consumer().stream_arn(arn);
    let answer = register.consumer_name(consumer).send().await.unwrap();
    let start = StartingPosition::builder().r#type(ShardIteratorType::Latest);
    let call = client.subscribe_to_shard().shard_id("shardId-000000000000");
    call.consumer_arn(answer.consumer.unwrap().consumer_arn)
        .starting_position(start.build().unwrap())
        .send()
        .await
        .unwrap()
}

async fn next(events: &mut SubscribeToShardOutput) -> Vec<Vec<u8>> {
    let event = timeout(PATIENCE, events.event_stream.recv()).await;
    let event = event.unwrap().unwrap().expect("an event");
    let SubscribeToShardEventStream::SubscribeToShardEvent(event) = event else {
        panic!("no event: {event:?}");
    };
    let records = event.records.into_iter();
    records.map(|record| record.data.into_inner()).collect()
}

#[tokio::test]
async fn records_are_pushed_over_both_versions_of_http() {
    let served = Served::start(server()).await;
    for (version, consumer) in [(Version::Http1, "one"), (Version::Http2, "two")] {
        let client = Client::new(&config(&served, version));
        let mut events = subscribe(&client, consumer).await;
        for data in [b"a", b"b"] {
            put(&client, data).await;
            assert_eq!(next(&mut events).await, [data], "{version:?}");
        }
    }
    served.stop().await;
}

#[tokio::test]
async fn a_stop_and_a_reset_end_subscriptions_at_once() {
    let served = Served::start(server()).await;
    for version in [Version::Http1, Version::Http2] {
        let client = Client::new(&config(&served, version));
        let mut events = subscribe(&client, "c").await;
        let reset = crate::client::hyper(Version::Http1);
        let request = http::Request::post(format!("{}/_emulator/reset", served.url()));
        let request = request
            .body(aws_smithy_types::body::SdkBody::empty())
            .unwrap();
        assert_eq!(reset.request(request).await.unwrap().status(), 204);
        let ended = timeout(PATIENCE, events.event_stream.recv()).await.unwrap();
        assert!(ended.is_err(), "{version:?}: {ended:?}");
    }
    let client = Client::new(&config(&served, Version::Http2));
    let mut events = subscribe(&client, "c").await;
    timeout(Duration::from_secs(9), served.stop())
        .await
        .expect("before the grace is over");
    let ended = timeout(PATIENCE, events.event_stream.recv()).await.unwrap();
    assert!(ended.is_err(), "{ended:?}");
}
