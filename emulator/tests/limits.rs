//! The service's limits on rates, in virtual time.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::operation::get_records::GetRecordsOutput;
use aws_sdk_kinesis::operation::put_record::{PutRecordError, PutRecordOutput};
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::{PutRecordsRequestEntry, ShardIteratorType};
use common::*;
use kinesis_app_emulator::{Kinesis, Limits, Put};
use std::time::Duration;
use tokio::time::sleep;

const MIB: usize = 1 << 20;

async fn try_read(client: &Client, iterator: &str) -> Option<GetRecordsOutput> {
    match client.get_records().shard_iterator(iterator).send().await {
        Ok(page) => Some(page),
        Err(error) => {
            let error = error.into_service_error();
            assert!(
                error.is_provisioned_throughput_exceeded_exception(),
                "{error:?}"
            );
            None
        }
    }
}

async fn put(client: &Client, data: Vec<u8>) -> Result<PutRecordOutput, PutRecordError> {
    let put = client.put_record().stream_name("s").partition_key("k");
    let put = put.data(Blob::new(data)).send().await;
    put.map_err(aws_sdk_kinesis::error::SdkError::into_service_error)
}

/// No latency, so that calls of one moment are of one moment.
fn instant(limits: Limits) -> (Kinesis, Client) {
    let kinesis = Kinesis::builder()
        .latency(Duration::ZERO)
        .limits(limits)
        .build();
    kinesis.create_stream("s", 2).unwrap();
    let client = client(&kinesis);
    (kinesis, client)
}

#[tokio::test(start_paused = true)]
async fn a_shard_answers_five_reads_a_second() {
    let (_, client) = instant(Limits::Enforced);
    let iterator = horizon(&client, SHARD_0).await;
    for _ in 0..5 {
        assert!(try_read(&client, &iterator).await.is_some());
    }
    assert!(try_read(&client, &iterator).await.is_none());
    // Another shard has its own budget.
    let other = horizon(&client, SHARD_1).await;
    assert!(try_read(&client, &other).await.is_some());
    sleep(Duration::from_millis(200)).await;
    assert!(try_read(&client, &iterator).await.is_some());
    assert!(try_read(&client, &iterator).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_read_every_fifth_of_a_second_is_never_refused() {
    let (_, client) = instant(Limits::Enforced);
    let mut iterator = horizon(&client, SHARD_0).await;
    for _ in 0..50 {
        let page = try_read(&client, &iterator).await.unwrap();
        iterator = page.next_shard_iterator.unwrap();
        sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn ten_mebibytes_is_the_most_of_one_answer_and_closes_the_shard_for_five_seconds() {
    let (kinesis, client) = instant(Limits::Enforced);
    for _ in 0..14 {
        kinesis
            .put_with("s", Put::new("k", vec![0; 1_000_000]).hash_key(0))
            .unwrap();
    }
    let page = try_read(&client, &horizon(&client, SHARD_0).await)
        .await
        .unwrap();
    assert_eq!(page.records().len(), 10);
    let next = page.next_shard_iterator.unwrap();
    sleep(Duration::from_millis(4_999)).await;
    assert!(try_read(&client, &next).await.is_none());
    sleep(Duration::from_millis(1)).await;
    assert_eq!(try_read(&client, &next).await.unwrap().records().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_shard_gives_two_mebibytes_a_second() {
    let (kinesis, client) = instant(Limits::Enforced);
    for _ in 0..8 {
        kinesis
            .put_with("s", Put::new("k", vec![0; MIB - 1]).hash_key(0))
            .unwrap();
    }
    let mut iterator = horizon(&client, SHARD_0).await;
    let start = tokio::time::Instant::now();
    let mut read = 0;
    while read < 8 {
        let page = client
            .get_records()
            .shard_iterator(&iterator)
            .limit(1)
            .send()
            .await;
        match page {
            Ok(page) => {
                read += page.records().len();
                iterator = page.next_shard_iterator.unwrap();
            }
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
    // 8 MiB: 2 saved, one call may go into debt, the rest at 2 a second.
    let took = start.elapsed();
    assert!(
        (Duration::from_millis(2_500)..=Duration::from_secs(3)).contains(&took),
        "{took:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_shard_takes_a_thousand_records_a_second() {
    let (_, client) = instant(Limits::Enforced);
    let batch = |n: usize| {
        let entries = (0..n).map(|_| entry("k", "x")).collect();
        client
            .put_records()
            .stream_name("s")
            .set_records(Some(entries))
            .send()
    };
    assert_eq!(batch(500).await.unwrap().failed_record_count(), Some(0));
    assert_eq!(batch(499).await.unwrap().failed_record_count(), Some(0));
    let answer = batch(3).await.unwrap();
    assert_eq!(answer.failed_record_count(), Some(2));
    let [stored, failed, _] = answer.records() else {
        panic!("as many results as entries");
    };
    assert!(stored.sequence_number().is_some() && stored.error_code().is_none());
    assert!(failed.sequence_number().is_none() && failed.shard_id().is_none());
    assert_eq!(
        failed.error_code(),
        Some("ProvisionedThroughputExceededException")
    );
    assert!(
        failed
            .error_message()
            .unwrap()
            .starts_with("Rate exceeded for shard shardId-")
    );
    let single = put(&client, b"x".to_vec()).await.unwrap_err();
    assert!(single.is_provisioned_throughput_exceeded_exception());
    sleep(Duration::from_secs(1)).await;
    assert_eq!(batch(500).await.unwrap().failed_record_count(), Some(0));
}

#[tokio::test(start_paused = true)]
async fn one_full_shard_does_not_hold_up_the_entries_of_another() {
    let (kinesis, client) = instant(Limits::Enforced);
    let full = Put::new("k", vec![0; MIB - 1]).hash_key(0).metered();
    kinesis.put_with("s", full).unwrap();
    let entries = (0..6).map(|n| {
        let hash = if n % 2 == 0 { 0 } else { u128::MAX };
        let entry = PutRecordsRequestEntry::builder().partition_key("k");
        let entry = entry.explicit_hash_key(hash.to_string());
        entry.data(Blob::new("x")).build().unwrap()
    });
    let put = client
        .put_records()
        .stream_name("s")
        .set_records(Some(entries.collect()));
    let answer = put.send().await.unwrap();
    let failed: Vec<bool> = answer
        .records()
        .iter()
        .map(|one| one.error_code().is_some())
        .collect();
    assert_eq!(failed, [true, false, true, false, true, false]);
    assert_eq!(answer.failed_record_count(), Some(3));
    assert_eq!(kinesis.records("s", SHARD_1).len(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_shard_takes_one_mebibyte_a_second() {
    let (_, client) = instant(Limits::Enforced);
    put(&client, vec![0; MIB - 1]).await.unwrap();
    let error = put(&client, vec![0; 1_024]).await.unwrap_err();
    assert!(error.is_provisioned_throughput_exceeded_exception());
    sleep(Duration::from_millis(10)).await;
    put(&client, vec![0; 1_024]).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn without_limits_no_rate_is_too_high() {
    let (kinesis, client) = instant(Limits::Off);
    let half = Put::new("k", vec![0; MIB / 2]).hash_key(0);
    kinesis.put_with("s", half).unwrap();
    let iterator = horizon(&client, SHARD_0).await;
    // More than five calls, and more than 2 MiB.
    for _ in 0..6 {
        assert!(try_read(&client, &iterator).await.is_some());
    }
    // More than 1 MiB.
    for _ in 0..3 {
        put(&client, vec![0; MIB / 2]).await.unwrap();
    }
    for _ in 0..30 {
        client
            .describe_stream()
            .stream_name("s")
            .send()
            .await
            .unwrap();
        horizon(&client, SHARD_0).await;
    }
}

#[tokio::test(start_paused = true)]
async fn control_calls_have_their_own_rates() {
    let (_, client) = instant(Limits::Enforced);
    for _ in 0..10 {
        client
            .describe_stream()
            .stream_name("s")
            .send()
            .await
            .unwrap();
    }
    let error = client
        .describe_stream()
        .stream_name("s")
        .send()
        .await
        .unwrap_err();
    assert!(error.into_service_error().is_limit_exceeded_exception());
    for _ in 0..20 {
        client
            .describe_stream_summary()
            .stream_name("s")
            .send()
            .await
            .unwrap();
    }
    let error = client
        .describe_stream_summary()
        .stream_name("s")
        .send()
        .await
        .unwrap_err();
    assert!(error.into_service_error().is_limit_exceeded_exception());
    for _ in 0..5 {
        horizon(&client, SHARD_0).await;
    }
    let sixth = client
        .get_shard_iterator()
        .stream_name("s")
        .shard_id(SHARD_0);
    let sixth = sixth
        .shard_iterator_type(ShardIteratorType::Latest)
        .send()
        .await
        .unwrap_err();
    assert!(
        sixth
            .into_service_error()
            .is_provisioned_throughput_exceeded_exception()
    );
    sleep(Duration::from_millis(100)).await;
    client
        .describe_stream()
        .stream_name("s")
        .send()
        .await
        .unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_large_record_is_read_alone_and_leaves_a_debt() {
    let (kinesis, client) = instant(Limits::Enforced);
    let create = client.create_stream().stream_name("large").shard_count(1);
    create.max_record_size_in_kib(10_240).send().await.unwrap();
    for _ in 0..2 {
        kinesis.put("large", "k", vec![0; 10 * MIB - 1]).unwrap();
    }
    let put = client.put_record().stream_name("large").partition_key("k");
    put.data(Blob::new(vec![0; 2 * MIB])).send().await.unwrap();
    let put = client.put_record().stream_name("large").partition_key("k");
    let error = put.data(Blob::new("x")).send().await.unwrap_err();
    assert!(
        error
            .into_service_error()
            .is_provisioned_throughput_exceeded_exception()
    );
    let iterator = client
        .get_shard_iterator()
        .stream_name("large")
        .shard_id(SHARD_0);
    let iterator = iterator.shard_iterator_type(ShardIteratorType::TrimHorizon);
    let iterator = iterator.send().await.unwrap().shard_iterator.unwrap();
    assert_eq!(read(&client, &iterator).await.records().len(), 1);
}
