//! The pits of the SDK, which the clients that are made here cannot step into.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::config::interceptors::BeforeDeserializationInterceptorContextRef;
use aws_sdk_kinesis::config::timeout::TimeoutConfig;
use aws_sdk_kinesis::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_kinesis::error::{BoxError, SdkError};
use common::*;
use kinesis_app_emulator::{Fault, FaultKind, Kinesis, Operation};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn an_exhausted_client_leaves_the_others_their_retries() {
    let (kinesis, _) = stream(1);
    kinesis.fault(Fault::new(Operation::ListShards, FaultKind::InternalFailure).always());
    let tired = kinesis.client();
    for _ in 0..100 {
        assert!(tired.list_shards().stream_name("s").send().await.is_err());
    }
    let attempts = kinesis.calls(Operation::ListShards);
    assert!(attempts < 300, "its retry tokens ran out: {attempts}");
    kinesis.clear_faults();
    let fault = Fault::new(Operation::ListShards, FaultKind::InternalFailure);
    kinesis.fault(fault.times(2));
    assert!(
        kinesis
            .client()
            .list_shards()
            .stream_name("s")
            .send()
            .await
            .is_ok()
    );
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_longer_than_the_upload_watch_is_borne() {
    let (kinesis, _) = stream(1);
    let timeouts = TimeoutConfig::builder().operation_attempt_timeout(Duration::from_mins(10));
    let client = Client::from_conf(kinesis.config().timeout_config(timeouts.build()).build());
    kinesis.fault(Fault::new(
        Operation::ListShards,
        FaultKind::Delay(Duration::from_mins(2)),
    ));
    client.list_shards().stream_name("s").send().await.unwrap();
    assert_eq!(kinesis.calls(Operation::ListShards), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_never_answered_ends() {
    let (kinesis, client) = stream(1);
    kinesis.fault(Fault::new(Operation::ListShards, FaultKind::Hang));
    let start = Instant::now();
    let met = client.list_shards().stream_name("s").send().await;
    assert!(matches!(met, Err(SdkError::TimeoutError(_))));
    assert_eq!(start.elapsed(), Duration::from_secs(10));
}

#[tokio::test(start_paused = true)]
async fn an_application_that_takes_an_sdk_config_runs_here() {
    let (kinesis, _) = stream(1);
    let client = Client::new(&kinesis.sdk_config());
    assert_eq!(
        client
            .list_shards()
            .stream_name("s")
            .send()
            .await
            .unwrap()
            .shards()
            .len(),
        1
    );
    let config = kinesis.sdk_config();
    assert_eq!(config.region().unwrap().as_ref(), "us-east-1");
    assert!(config.credentials_provider().is_some() && config.time_source().is_some());
}

#[tokio::test(start_paused = true)]
async fn the_wall_clock_is_the_virtual_one() {
    let (kinesis, client) = stream(1);
    let epoch = SystemTime::UNIX_EPOCH + Duration::from_hours(490_896);
    assert_eq!(kinesis.now(), epoch);
    tokio::time::advance(Duration::from_hours(30)).await;
    client.list_shards().stream_name("s").send().await.unwrap();
    assert_eq!(
        kinesis.now(),
        epoch + Duration::from_hours(30) + Duration::from_millis(10)
    );
    assert_eq!(kinesis.call_log()[0].at, epoch + Duration::from_hours(30));
    assert_eq!(
        kinesis.config().build().time_source().unwrap().now(),
        kinesis.now()
    );
}

/// The `date` header of the last answer.
#[derive(Clone, Debug, Default)]
struct LastDate(Arc<Mutex<Option<String>>>);

impl Intercept for LastDate {
    fn name(&self) -> &'static str {
        "LastDate"
    }

    fn read_before_deserialization(
        &self,
        context: &BeforeDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let date = context.response().headers().get("date").map(str::to_owned);
        *self.0.lock().unwrap() = date;
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn every_answer_is_dated_by_the_virtual_clock() {
    let (kinesis, client) = stream(1);
    let date = LastDate::default();
    let list = || {
        client
            .list_shards()
            .stream_name("s")
            .customize()
            .interceptor(date.clone())
            .send()
    };
    tokio::time::advance(Duration::from_hours(30)).await;
    list().await.unwrap();
    assert_eq!(
        date.0.lock().unwrap().as_deref(),
        Some("Fri, 02 Jan 2026 06:00:00 GMT")
    );
    kinesis.fault(Fault::new(
        Operation::ListShards,
        FaultKind::InternalFailure,
    ));
    tokio::time::advance(Duration::from_secs(5)).await;
    list().await.unwrap_err();
    assert_eq!(
        date.0.lock().unwrap().as_deref(),
        Some("Fri, 02 Jan 2026 06:00:05 GMT")
    );
}

#[tokio::test]
async fn it_runs_on_the_machines_clock_as_well() {
    let kinesis = Kinesis::builder()
        .wall_clock()
        .latency(Duration::ZERO)
        .build();
    kinesis.create_stream("s", 1).unwrap();
    kinesis.put("s", "k", "x").unwrap();
    let client = client(&kinesis);
    let page = read(&client, &horizon(&client, SHARD_0).await).await;
    let arrival = page.records()[0].approximate_arrival_timestamp().unwrap();
    assert!(arrival.secs() > 1_767_225_600, "now, not the fixed epoch");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_serves_several_threads_at_once() {
    let kinesis = Kinesis::builder()
        .wall_clock()
        .latency(Duration::ZERO)
        .build();
    kinesis.create_stream("s", 2).unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..4 {
        let client = client(&kinesis);
        tasks.spawn(async move {
            for n in 0..25 {
                let put = client.put_records().stream_name("s");
                put.records(entry(&format!("{task}/{n}"), "x"))
                    .send()
                    .await
                    .unwrap();
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    let shards = kinesis.shards("s").unwrap();
    assert_eq!(shards.iter().map(|shard| shard.records).sum::<usize>(), 100);
}

#[tokio::test(start_paused = true)]
async fn instances_share_nothing_and_clones_everything() {
    let (one, client) = stream(1);
    let two = Kinesis::new();
    assert!(two.shards("s").is_err());
    let clone = one.clone();
    clone.put("s", "k", "x").unwrap();
    clone.fault(Fault::new(Operation::ListShards, FaultKind::Reset));
    assert_eq!(one.records("s", SHARD_0).len(), 1);
    assert!(client.list_shards().stream_name("s").send().await.is_err());
    assert_eq!(clone.calls(Operation::ListShards), 1);
}
