//! `DryRun`: what a request would meet, and no trace of it.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::error::SdkError;
use aws_sdk_kinesis::operation::get_shard_iterator::GetShardIteratorError;
use aws_sdk_kinesis::operation::get_shard_iterator::GetShardIteratorOutput;
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::ShardIteratorType;
use common::{SHARD_0, SHARD_1, code, entry, horizon, stream};
use kinesis_app_emulator::Kinesis;
use std::time::Duration;

const DRY: &str = "DryRunOperationException";
const THROTTLED: &str = "ProvisionedThroughputExceededException";

async fn dry_put(client: &Client, stream: &str, bytes: usize) -> String {
    let put = client.put_record().stream_name(stream).partition_key("k");
    let put = put.data(Blob::new(vec![0; bytes])).dry_run(true);
    code(put.send().await)
}

async fn dry_puts(client: &Client, stream: &str, key: &str) -> String {
    let put = client.put_records().stream_name(stream);
    let put = put.records(entry("k", "1")).records(entry(key, "2"));
    code(put.dry_run(true).send().await)
}

type Found = Result<GetShardIteratorOutput, SdkError<GetShardIteratorError>>;

async fn find(client: &Client, shard: &str, kind: ShardIteratorType, dry: bool) -> Found {
    let find = client.get_shard_iterator().stream_name("s").shard_id(shard);
    find.shard_iterator_type(kind).dry_run(dry).send().await
}

async fn dry_read(client: &Client, iterator: &str) -> String {
    let read = client.get_records().shard_iterator(iterator).dry_run(true);
    code(read.send().await)
}

/// The sequence numbers of a few puts.
fn numbers(kinesis: &Kinesis) -> Vec<String> {
    let put = |_| kinesis.put("s", "k", "x").unwrap().sequence_number;
    (0..5).map(put).collect()
}

#[tokio::test(start_paused = true)]
async fn a_request_that_would_succeed_says_so_and_leaves_no_trace() {
    let (kinesis, client) = stream(1);
    let iterator = horizon(&client, SHARD_0).await;
    for _ in 0..3 {
        assert_eq!(dry_put(&client, "s", 10).await, DRY);
        assert_eq!(dry_puts(&client, "s", "l").await, DRY);
        let found = find(&client, SHARD_0, ShardIteratorType::Latest, true).await;
        assert_eq!(code(found), DRY);
        assert_eq!(dry_read(&client, &iterator).await, DRY);
    }
    assert!(kinesis.records("s", SHARD_0).is_empty());
    let (other, client) = stream(1);
    horizon(&client, SHARD_0).await;
    tokio::time::advance(kinesis.now().duration_since(other.now()).unwrap()).await;
    assert_eq!(numbers(&kinesis), numbers(&other));
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_that_is_false_is_a_real_one() {
    let (kinesis, client) = stream(1);
    let put = client.put_record().stream_name("s").partition_key("k");
    let put = put.data(Blob::new("x")).dry_run(false);
    put.send().await.unwrap();
    assert_eq!(kinesis.records("s", SHARD_0).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_would_fail_answers_its_own_error() {
    let (_kinesis, client) = stream(1);
    let missing = "ResourceNotFoundException";
    assert_eq!(dry_put(&client, "absent", 1).await, missing);
    assert_eq!(dry_puts(&client, "absent", "l").await, missing);
    let found = find(&client, SHARD_1, ShardIteratorType::Latest, true).await;
    assert_eq!(code(found), missing);
    let found = find(&client, SHARD_0, ShardIteratorType::AtTimestamp, true).await;
    assert_eq!(code(found), "InvalidArgumentException");

    let large = dry_put(&client, "s", 1_048_576).await;
    assert_eq!(large, "InvalidArgumentException");
    assert_eq!(
        dry_puts(&client, "s", &"k".repeat(257)).await,
        "ValidationException"
    );
    assert_eq!(
        dry_read(&client, "forged").await,
        "InvalidArgumentException"
    );
    let iterator = horizon(&client, SHARD_0).await;
    tokio::time::advance(Duration::from_mins(6)).await;
    let expired = dry_read(&client, &iterator).await;
    assert_eq!(expired, "ExpiredIteratorException");
}

#[tokio::test(start_paused = true)]
async fn a_used_up_rate_refuses_dry_runs_and_they_use_up_none() {
    let kinesis = Kinesis::builder().latency(Duration::ZERO).build();
    kinesis.create_stream("s", 1).unwrap();
    let client = common::client(&kinesis);
    let iterator = horizon(&client, SHARD_0).await;
    for _ in 0..20 {
        assert_eq!(dry_read(&client, &iterator).await, DRY);
        let found = find(&client, SHARD_0, ShardIteratorType::Latest, true).await;
        assert_eq!(code(found), DRY);
        assert_eq!(dry_put(&client, "s", 1_000_000).await, DRY);
    }
    for _ in 0..5 {
        common::read(&client, &iterator).await;
    }
    assert_eq!(dry_read(&client, &iterator).await, THROTTLED);
    // One was for the iterator above.
    for _ in 0..4 {
        find(&client, SHARD_0, ShardIteratorType::Latest, false)
            .await
            .unwrap();
    }
    let found = find(&client, SHARD_0, ShardIteratorType::Latest, true).await;
    assert_eq!(code(found), THROTTLED);
    let put = client.put_record().stream_name("s").partition_key("k");
    let put = put.data(Blob::new(vec![0; 1_000_000]));
    put.send().await.unwrap();
    assert_eq!(dry_put(&client, "s", 1_000_000).await, THROTTLED);
    assert_eq!(
        dry_puts(&client, "s", "l").await,
        DRY,
        "entries fail one by one"
    );
}
