//! A stream's states, its names, and the account's quotas.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::{ShardIteratorType, StreamStatus};
use common::*;
use kinesis_app_emulator::{ErrorCode, Kinesis, Limits};
use std::time::Duration;

async fn status(client: &Client) -> Option<StreamStatus> {
    let answer = client
        .describe_stream_summary()
        .stream_name("s")
        .send()
        .await;
    let summary = answer.ok()?.stream_description_summary?;
    Some(summary.stream_status().clone())
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_created_and_deleted_in_its_time() {
    let kinesis = Kinesis::builder()
        .limits(Limits::Off)
        .create_duration(Duration::from_secs(20))
        .delete_duration(Duration::from_secs(10))
        .build();
    let client = client(&kinesis);
    client
        .create_stream()
        .stream_name("s")
        .shard_count(1)
        .send()
        .await
        .unwrap();
    assert_eq!(status(&client).await, Some(StreamStatus::Creating));
    let again = client.create_stream().stream_name("s").shard_count(1);
    assert_eq!(code(again.send().await), "ResourceInUseException");
    // ListShards and DeleteStream wait for it, data operations do not know it.
    let list = || client.list_shards().stream_name("s").send();
    assert_eq!(code(list().await), "ResourceInUseException");
    assert_eq!(
        code(client.delete_stream().stream_name("s").send().await),
        "ResourceInUseException"
    );
    let put = || {
        let put = client.put_record().stream_name("s").partition_key("k");
        put.data(Blob::new("x")).send()
    };
    assert_eq!(code(put().await), "ResourceNotFoundException");
    let description = client
        .describe_stream()
        .stream_name("s")
        .send()
        .await
        .unwrap();
    assert!(
        description
            .stream_description()
            .unwrap()
            .shards()
            .is_empty()
    );

    tokio::time::advance(Duration::from_secs(20)).await;
    assert_eq!(status(&client).await, Some(StreamStatus::Active));
    put().await.unwrap();
    assert_eq!(list().await.unwrap().shards().len(), 1);

    client
        .delete_stream()
        .stream_name("s")
        .send()
        .await
        .unwrap();
    assert_eq!(status(&client).await, Some(StreamStatus::Deleting));
    assert_eq!(code(put().await), "ResourceNotFoundException");
    assert_eq!(code(list().await), "ResourceInUseException");
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(status(&client).await, None);
    client
        .create_stream()
        .stream_name("s")
        .shard_count(1)
        .send()
        .await
        .unwrap();
}

#[tokio::test(start_paused = true)]
async fn quotas_of_the_account_are_limit_exceeded() {
    let kinesis = Kinesis::builder()
        .create_duration(Duration::from_secs(20))
        .build();
    for n in 0..5 {
        kinesis.create_stream(&format!("s{n}"), 1).unwrap();
    }
    let sixth = kinesis.create_stream("s5", 1).unwrap_err();
    assert_eq!(sixth.code(), ErrorCode::LimitExceeded);
    tokio::time::advance(Duration::from_secs(20)).await;
    let many = kinesis.create_stream("many", 20_000).unwrap_err();
    assert_eq!(many.code(), ErrorCode::LimitExceeded);
    assert!(many.message().contains("Limit: 20000"), "{many}");
    kinesis.create_stream("many", 19_995).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_stream_goes_by_its_name_or_its_arn_or_both() {
    let (kinesis, client) = stream(1);
    let arn = kinesis.stream_arn("s");
    assert_eq!(arn, "arn:aws:kinesis:us-east-1:000000000000:stream/s");
    let put = client.put_record().stream_arn(&arn).partition_key("k");
    put.data(Blob::new("by arn")).send().await.unwrap();
    client
        .list_shards()
        .stream_arn(&arn)
        .stream_name("s")
        .send()
        .await
        .unwrap();
    let iterator = client
        .get_shard_iterator()
        .stream_arn(&arn)
        .shard_id(SHARD_0);
    let iterator = iterator.shard_iterator_type(ShardIteratorType::TrimHorizon);
    let iterator = iterator.send().await.unwrap().shard_iterator.unwrap();
    let page = client
        .get_records()
        .stream_arn(&arn)
        .shard_iterator(&iterator);
    assert_eq!(texts(&page.send().await.unwrap()), ["by arn"]);

    let invalid = "InvalidArgumentException";
    kinesis.create_stream("t", 1).unwrap();
    let other = kinesis.stream_arn("t");
    let both = client.list_shards().stream_arn(&other).stream_name("s");
    assert_eq!(code(both.send().await), invalid);
    let read = client
        .get_records()
        .stream_arn(&other)
        .shard_iterator(&iterator);
    assert_eq!(code(read.send().await), invalid);
    let foreign = arn.replace("000000000000", "123456789012");
    let foreign = client.list_shards().stream_arn(foreign).send().await;
    assert_eq!(code(foreign), "ResourceNotFoundException");
}
