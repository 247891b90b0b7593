//! Limits on the sizes and counts of one request: they hold with or without limits on rates.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::error::ProvideErrorMetadata;
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::{RecordDistributionStrategy, StreamMode, StreamModeDetails};
use common::*;
use kinesis_app_emulator::{Kinesis, Limits, Operation, Put};
use std::time::Duration;

const MIB: usize = 1 << 20;

fn unlimited() -> (Kinesis, Client) {
    let kinesis = Kinesis::builder()
        .latency(Duration::ZERO)
        .limits(Limits::Off)
        .build();
    kinesis.create_stream("s", 2).unwrap();
    let client = client(&kinesis);
    (kinesis, client)
}

#[tokio::test(start_paused = true)]
async fn a_record_is_a_mebibyte_with_its_key_unless_the_stream_allows_more() {
    let (_, client) = unlimited();
    let put = |stream: &str, size| {
        let put = client.put_record().stream_name(stream).partition_key("k");
        put.data(Blob::new(vec![0; size])).send()
    };
    put("s", MIB - 1).await.unwrap();
    assert_eq!(code(put("s", MIB).await), "InvalidArgumentException");

    let create = client.create_stream().stream_name("large").shard_count(1);
    create.max_record_size_in_kib(2_048).send().await.unwrap();
    put("large", 2 * MIB - 1).await.unwrap();
    assert!(put("large", 2 * MIB).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_batch_has_one_to_500_entries_and_ten_mebibytes() {
    let (kinesis, client) = unlimited();
    let batch = |n: usize, size: usize| {
        let entries = (0..n).map(|_| entry("k", vec![0; size])).collect();
        client
            .put_records()
            .stream_name("s")
            .set_records(Some(entries))
            .send()
    };
    batch(500, 0).await.unwrap();
    for n in [0, 501] {
        let error = batch(n, 0).await.unwrap_err().into_service_error();
        assert_eq!(error.code(), Some("ValidationException"));
    }
    let before = kinesis.calls_for(Operation::PutRecords, "s", SHARD_0);
    let error = batch(11, 1_000_000).await.unwrap_err().into_service_error();
    assert!(error.is_invalid_argument_exception());
    assert_eq!(
        kinesis.calls_for(Operation::PutRecords, "s", SHARD_0),
        before
    );
    let stored: usize = kinesis
        .shards("s")
        .unwrap()
        .iter()
        .map(|shard| shard.records)
        .sum();
    assert_eq!(stored, 500, "a refused batch stores nothing");
}

#[tokio::test(start_paused = true)]
async fn a_partition_key_has_1_to_256_characters_of_any_width() {
    let (kinesis, client) = unlimited();
    let put = |key: String| {
        let put = client.put_record().stream_name("s").partition_key(key);
        put.data(Blob::new("x")).send()
    };
    put("é".repeat(256)).await.unwrap();
    for key in [String::new(), "a".repeat(257)] {
        let error = put(key.clone()).await.unwrap_err().into_service_error();
        assert_eq!(error.code(), Some("ValidationException"));
        assert!(kinesis.put("s", &key, "x").is_err());
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_without_a_key_needs_a_stream_that_distributes_by_itself() {
    let (kinesis, client) = unlimited();
    let keyless = |stream: &str| {
        let put = client.put_record().stream_name(stream);
        put.data(Blob::new("x")).send()
    };
    let error = keyless("s").await.unwrap_err().into_service_error();
    assert_eq!(error.code(), Some("ValidationException"));
    let on_demand = StreamModeDetails::builder().stream_mode(StreamMode::OnDemand);
    let create = client.create_stream().stream_name("auto");
    let create = create.record_distribution_strategy(RecordDistributionStrategy::Auto);
    assert_eq!(
        code(create.clone().shard_count(2).send().await),
        "ValidationException",
        "the strategy is one of on-demand streams"
    );
    let create = create.stream_mode_details(on_demand.build().unwrap());
    create.send().await.unwrap();
    for n in 0..40 {
        let put = client.put_record().stream_name("auto").data(Blob::new("x"));
        // Whether there is a key or not, and which: it decides nothing.
        let put = if n % 2 == 0 {
            put
        } else {
            put.partition_key("k").explicit_hash_key("0")
        };
        put.send().await.unwrap();
    }
    assert!(
        kinesis
            .shards("auto")
            .unwrap()
            .iter()
            .all(|shard| shard.records > 0)
    );
    kinesis
        .put_with("s", Put::keyless("y").hash_key(0))
        .unwrap();
    let page = read(&client, &horizon(&client, SHARD_0).await).await;
    assert_eq!(page.records()[0].partition_key(), None);
}
