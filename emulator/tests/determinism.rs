//! The same seed gives the same run, to the byte.

mod common;

use aws_sdk_kinesis::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_kinesis::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_kinesis::error::BoxError;
use common::*;
use kinesis_app_emulator::{Call, Fault, FaultKind, Kinesis, Operation};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Every request, with all headers (and so the signature, over the time and the body).
#[derive(Clone, Debug, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl Intercept for Recorder {
    fn name(&self) -> &'static str {
        "Recorder"
    }

    fn read_before_transmit(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let request = context.request();
        let mut headers: Vec<_> = request
            .headers()
            .iter()
            .map(|pair| format!("{pair:?}"))
            .collect();
        headers.sort();
        self.0
            .lock()
            .unwrap()
            .push(format!("{} {headers:?}", request.uri()));
        Ok(())
    }
}

#[derive(Debug, PartialEq)]
struct Run {
    requests: Vec<String>,
    calls: Vec<Call>,
    records: Vec<String>,
    ended: Duration,
}

/// Four readers beside a producer, through faults and a split.
async fn run(seed: u64) -> Run {
    let start = tokio::time::Instant::now();
    let kinesis = Kinesis::builder()
        .seed(seed)
        .latency(Duration::from_millis(20))
        .build();
    kinesis.create_stream("s", 4).unwrap();
    let recorder = Recorder::default();
    let config = kinesis.config().interceptor(recorder.clone()).build();
    let client = aws_sdk_kinesis::Client::from_conf(config);
    for kind in [
        FaultKind::Throttle,
        FaultKind::Reset,
        FaultKind::InternalFailure,
    ] {
        kinesis.fault(Fault::new(Operation::GetRecords, kind).after(5).times(4));
    }
    let mut tasks = tokio::task::JoinSet::new();
    for shard in 0..4 {
        let client = client.clone();
        tasks.spawn(async move {
            let mut iterator = horizon(&client, &format!("shardId-{shard:012}")).await;
            for _ in 0..8 {
                let page = client.get_records().shard_iterator(&iterator).send().await;
                if let Some(next) = page.ok().and_then(|page| page.next_shard_iterator) {
                    iterator = next;
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        });
    }
    for n in 0..20 {
        let entries = (0..10).map(|k| entry(&format!("{n}/{k}"), "x")).collect();
        let put = client
            .put_records()
            .stream_name("s")
            .set_records(Some(entries));
        put.send().await.unwrap();
        if n == 10 {
            kinesis.split("s", SHARD_2).unwrap();
        }
    }
    while tasks.join_next().await.is_some() {}
    let shards = kinesis.shards("s").unwrap();
    let records = shards
        .iter()
        .flat_map(|shard| kinesis.records("s", &shard.shard_id));
    Run {
        records: records.map(|record| format!("{record:?}")).collect(),
        requests: recorder.0.lock().unwrap().clone(),
        calls: kinesis.call_log(),
        ended: start.elapsed(),
    }
}

fn fresh_runtime(seed: u64) -> Run {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(run(seed))
}

#[test]
fn one_seed_gives_one_run() {
    let (first, second) = (fresh_runtime(1), fresh_runtime(1));
    assert!(first.requests.len() > 50);
    assert_eq!(first, second);
    assert_ne!(first, fresh_runtime(2));
}
