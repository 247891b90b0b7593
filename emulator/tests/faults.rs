//! Each fault, as the unmodified SDK sees it.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::config::retry::RetryConfig;
use aws_sdk_kinesis::config::timeout::TimeoutConfig;
use aws_sdk_kinesis::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_kinesis::operation::get_records::{GetRecordsError, GetRecordsOutput};
use aws_sdk_kinesis::primitives::Blob;
use common::*;
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Kinesis, Limits, Operation, Outcome};
use std::time::Duration;
use tokio::time::{Instant, sleep};

type Read = Result<GetRecordsOutput, SdkError<GetRecordsError>>;

async fn one_record() -> (Kinesis, Client, String) {
    let (kinesis, client) = stream(1);
    kinesis.put("s", "k", "a record").unwrap();
    let iterator = horizon(&client, SHARD_0).await;
    (kinesis, client, iterator)
}

/// Reads once under the fault, without and with the SDK's standard retry.
async fn read_under(kind: FaultKind) -> (Read, Duration) {
    let (kinesis, client, iterator) = one_record().await;
    let fault = || Fault::new(Operation::GetRecords, kind.clone()).shard(SHARD_0);
    kinesis.fault(fault());
    let start = Instant::now();
    let met = client.get_records().shard_iterator(&iterator).send().await;
    let took = start.elapsed();

    kinesis.fault(fault());
    let retrying = kinesis.client();
    let page = retrying
        .get_records()
        .shard_iterator(&iterator)
        .send()
        .await;
    assert_eq!(
        texts(&page.unwrap()),
        ["a record"],
        "the retry heals {kind:?}"
    );
    (met, took)
}

#[tokio::test(start_paused = true)]
async fn a_throttle_is_the_documented_exception() {
    let (met, _) = read_under(FaultKind::Throttle).await;
    let error = met.unwrap_err();
    assert_eq!(error.raw_response().unwrap().status().as_u16(), 400);
    assert!(
        error
            .into_service_error()
            .is_provisioned_throughput_exceeded_exception()
    );
}

#[tokio::test(start_paused = true)]
async fn a_throttle_of_a_control_operation_is_limit_exceeded() {
    let (kinesis, client) = stream(1);
    kinesis.fault(Fault::new(Operation::ListShards, FaultKind::Throttle).stream("s"));
    let error = client
        .list_shards()
        .stream_name("s")
        .send()
        .await
        .unwrap_err();
    assert!(error.into_service_error().is_limit_exceeded_exception());
}

#[tokio::test(start_paused = true)]
async fn an_internal_failure_has_status_500() {
    let (met, _) = read_under(FaultKind::InternalFailure).await;
    let error = met.unwrap_err();
    assert_eq!(error.raw_response().unwrap().status().as_u16(), 500);
    assert!(error.into_service_error().is_internal_failure_exception());
}

#[tokio::test(start_paused = true)]
async fn a_refusal_carries_its_code() {
    let codes = [
        (ErrorCode::AccessDenied, "AccessDeniedException"),
        (ErrorCode::ExpiredIterator, "ExpiredIteratorException"),
        (ErrorCode::ResourceNotFound, "ResourceNotFoundException"),
    ];
    let (kinesis, client, iterator) = one_record().await;
    for (code, name) in codes {
        kinesis.fault(Fault::new(Operation::GetRecords, FaultKind::Refuse(code)));
        let error = client
            .get_records()
            .shard_iterator(&iterator)
            .send()
            .await
            .unwrap_err();
        assert_eq!(error.code(), Some(name));
    }
}

#[tokio::test(start_paused = true)]
async fn a_reset_is_an_io_failure_of_the_dispatch() {
    let (met, _) = read_under(FaultKind::Reset).await;
    let Err(SdkError::DispatchFailure(failure)) = met else {
        panic!("a dispatch failure: {met:?}");
    };
    assert!(failure.is_io());
}

#[tokio::test(start_paused = true)]
async fn a_delay_only_takes_time() {
    let (met, took) = read_under(FaultKind::Delay(Duration::from_secs(7))).await;
    assert_eq!(texts(&met.unwrap()), ["a record"]);
    assert_eq!(took, Duration::from_millis(7_010));
}

#[tokio::test(start_paused = true)]
async fn a_hang_ends_with_the_attempt_timeout() {
    let (met, took) = read_under(FaultKind::Hang).await;
    assert!(matches!(met, Err(SdkError::TimeoutError(_))), "{met:?}");
    assert_eq!(took, Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn a_hang_ends_with_the_read_timeout_too() {
    let (kinesis, _, iterator) = one_record().await;
    let timeouts = TimeoutConfig::builder()
        .read_timeout(Duration::from_secs(3))
        .build();
    let config = kinesis
        .config()
        .timeout_config(timeouts)
        .retry_config(RetryConfig::disabled());
    let client = Client::from_conf(config.build());
    kinesis.fault(Fault::new(Operation::GetRecords, FaultKind::Hang));
    let start = Instant::now();
    let met = client.get_records().shard_iterator(&iterator).send().await;
    let Err(SdkError::DispatchFailure(failure)) = met else {
        panic!("a dispatch failure: {met:?}");
    };
    assert!(failure.is_timeout());
    assert_eq!(start.elapsed(), Duration::from_secs(3));
}

#[tokio::test(start_paused = true)]
async fn a_stalled_body_is_given_up_by_the_stalled_stream_protection() {
    let (met, took) = read_under(FaultKind::StalledBody(Duration::from_mins(1))).await;
    assert!(matches!(met, Err(SdkError::ResponseError(_))), "{met:?}");
    assert!(took < Duration::from_secs(8), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_short_stall_is_borne() {
    let (met, took) = read_under(FaultKind::StalledBody(Duration::from_secs(2))).await;
    assert_eq!(texts(&met.unwrap()), ["a record"]);
    assert_eq!(took, Duration::from_millis(2_010));
}

#[tokio::test(start_paused = true)]
async fn a_truncated_body_is_a_response_error() {
    let (met, _) = read_under(FaultKind::TruncatedBody).await;
    assert!(matches!(met, Err(SdkError::ResponseError(_))), "{met:?}");
}

async fn put_under(kind: FaultKind) -> (usize, Outcome) {
    let (kinesis, client) = stream(1);
    kinesis.fault(Fault::new(Operation::PutRecord, kind).shard(SHARD_0));
    let put = client.put_record().stream_name("s").partition_key("k");
    let met = put.data(Blob::new("x")).send().await;
    assert!(met.is_err());
    let log = kinesis.call_log();
    (
        kinesis.records("s", SHARD_0).len(),
        log[log.len() - 1].outcome,
    )
}

#[tokio::test(start_paused = true)]
async fn what_was_lost_on_the_way_in_was_not_done_and_on_the_way_out_was() {
    assert_eq!(put_under(FaultKind::Reset).await, (0, Outcome::Lost));
    assert_eq!(put_under(FaultKind::Hang).await, (0, Outcome::Lost));
    let code = ErrorCode::InternalFailure;
    assert_eq!(
        put_under(FaultKind::InternalFailure).await,
        (0, Outcome::Refused(code))
    );
    assert_eq!(
        put_under(FaultKind::AnswerLost).await,
        (1, Outcome::AnswerLost)
    );
    assert_eq!(
        put_under(FaultKind::TruncatedBody).await,
        (1, Outcome::AnswerLost)
    );
    let late = FaultKind::Delay(Duration::from_mins(1));
    assert_eq!(put_under(late).await, (1, Outcome::AnswerLost));
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_and_a_retry_store_a_record_twice() {
    let (kinesis, _) = stream(1);
    kinesis.fault(Fault::new(Operation::PutRecord, FaultKind::AnswerLost));
    let put = kinesis
        .client()
        .put_record()
        .stream_name("s")
        .partition_key("k");
    put.data(Blob::new("x")).send().await.unwrap();
    assert_eq!(kinesis.records("s", SHARD_0).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_looks_like_a_reset() {
    let (met, _) = read_under(FaultKind::AnswerLost).await;
    assert!(matches!(met, Err(SdkError::DispatchFailure(failure)) if failure.is_io()));
}

#[tokio::test(start_paused = true)]
async fn a_shards_fault_fails_its_entries_of_a_batch_alone() {
    let (kinesis, client) = stream(2);
    for (kind, code) in [
        (
            FaultKind::Throttle,
            "ProvisionedThroughputExceededException",
        ),
        (FaultKind::InternalFailure, "InternalFailure"),
    ] {
        kinesis.fault(Fault::new(Operation::PutRecords, kind).shard(SHARD_1));
        let entries: Vec<_> = (0..20).map(|n| entry(&n.to_string(), "x")).collect();
        let put = client
            .put_records()
            .stream_name("s")
            .set_records(Some(entries.clone()));
        let answer = put.send().await.unwrap();
        for (entry, one) in entries.iter().zip(answer.records()) {
            let hash = kinesis_app_emulator::hash_key(entry.partition_key().unwrap());
            let hit = hash > u128::MAX / 2;
            assert_eq!(one.error_code(), hit.then_some(code));
            assert_eq!(one.shard_id(), (!hit).then_some(SHARD_0));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_fault_of_one_shard_leaves_the_others_alone() {
    let (kinesis, client) = stream(2);
    let (zero, one) = (
        horizon(&client, SHARD_0).await,
        horizon(&client, SHARD_1).await,
    );
    kinesis.fault(
        Fault::new(Operation::GetRecords, FaultKind::Reset)
            .shard(SHARD_1)
            .always(),
    );
    for _ in 0..3 {
        assert!(
            client
                .get_records()
                .shard_iterator(&zero)
                .send()
                .await
                .is_ok()
        );
        assert!(
            client
                .get_records()
                .shard_iterator(&one)
                .send()
                .await
                .is_err()
        );
        sleep(Duration::from_secs(1)).await;
    }
    kinesis.clear_faults();
    assert!(
        client
            .get_records()
            .shard_iterator(&one)
            .send()
            .await
            .is_ok()
    );
}

#[tokio::test(start_paused = true)]
async fn faults_reach_every_operation() {
    let kinesis = Kinesis::builder().limits(Limits::Off).build();
    kinesis.create_stream("s", 2).unwrap();
    let client = client(&kinesis);
    for operation in Operation::ALL {
        kinesis.fault(Fault::new(
            operation,
            FaultKind::Refuse(ErrorCode::AccessDenied),
        ));
    }
    let s = "s";
    let latest = aws_sdk_kinesis::types::ShardIteratorType::Latest;
    let iterator = client.get_shard_iterator().stream_name(s).shard_id(SHARD_0);
    let merge = client.merge_shards().stream_name(s).shard_to_merge(SHARD_0);
    let split = client.split_shard().stream_name(s).shard_to_split(SHARD_0);
    let put = client.put_record().stream_name(s).partition_key("k");
    let codes = [
        code(
            client
                .create_stream()
                .stream_name("t")
                .shard_count(1)
                .send()
                .await,
        ),
        code(client.delete_stream().stream_name(s).send().await),
        code(client.describe_stream().stream_name(s).send().await),
        code(client.describe_stream_summary().stream_name(s).send().await),
        code(client.get_records().shard_iterator("x").send().await),
        code(iterator.shard_iterator_type(latest).send().await),
        code(client.list_shards().stream_name(s).send().await),
        code(merge.adjacent_shard_to_merge(SHARD_1).send().await),
        code(put.data(Blob::new("x")).send().await),
        code(
            client
                .put_records()
                .stream_name(s)
                .records(entry("k", "x"))
                .send()
                .await,
        ),
        code(split.new_starting_hash_key("9").send().await),
    ];
    assert_eq!(codes, ["AccessDeniedException"; 11]);
    assert!(client.list_shards().stream_name(s).send().await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_rough_service_is_equally_rough_under_one_seed() {
    async fn run(seed: u64) -> Vec<Outcome> {
        let kinesis = Kinesis::builder().seed(seed).limits(Limits::Off).build();
        kinesis.create_stream("s", 1).unwrap();
        let fault = Fault::new(Operation::PutRecord, FaultKind::InternalFailure);
        kinesis.fault(fault.probability(0.2));
        let client = client(&kinesis);
        for _ in 0..100 {
            let put = client.put_record().stream_name("s").partition_key("k");
            let _ = put.data(Blob::new("x")).send().await;
        }
        let failed = Outcome::Refused(ErrorCode::InternalFailure);
        let log = kinesis.call_log();
        let struck = log.iter().filter(|call| call.outcome == failed).count();
        assert!((8..35).contains(&struck), "{struck}");
        assert_eq!(kinesis.records("s", SHARD_0).len(), 100 - struck);
        log.iter().map(|call| call.outcome).collect()
    }
    assert_eq!(run(7).await, run(7).await);
    assert_ne!(run(7).await, run(8).await);
}
