//! Links that can be cut, and what is counted and logged of the calls.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::config::retry::RetryConfig;
use aws_sdk_kinesis::primitives::Blob;
use common::*;
use kinesis_app_emulator::{Kinesis, Operation, Put};
use std::time::Duration;
use tokio::time::sleep;

#[tokio::test(start_paused = true)]
async fn a_cut_network_loses_requests_and_answers_until_it_is_restored() {
    let (kinesis, _) = stream(1);
    let (one, two) = (kinesis.link("one"), kinesis.link("two"));
    let client = |link: &kinesis_app_emulator::Link| {
        Client::from_conf(link.config().retry_config(RetryConfig::disabled()).build())
    };
    let put = |client: Client| async move {
        let put = client.put_record().stream_name("s").partition_key("k");
        put.data(Blob::new("x")).send().await.is_ok()
    };
    let count = || kinesis.records("s", SHARD_0).len();
    one.cut();
    assert!(!put(client(&one)).await);
    assert!(put(client(&two)).await);
    assert_eq!(count(), 1);
    one.restore();
    assert!(put(client(&one)).await);

    // A request is carried out after 5 ms, its answer comes after 10.
    let cut_early = async {
        sleep(Duration::from_millis(3)).await;
        one.cut();
    };
    let (stored, ()) = tokio::join!(put(client(&one)), cut_early);
    assert!(!stored);
    assert_eq!(count(), 2);
    one.restore();
    let cut = async {
        sleep(Duration::from_millis(7)).await;
        kinesis.cut();
    };
    let (stored, ()) = tokio::join!(put(client(&one)), cut);
    assert!(!stored);
    assert_eq!(count(), 3);
    assert!(!put(client(&two)).await);
    kinesis.restore();
    assert!(put(client(&two)).await);
    let links: Vec<String> = kinesis
        .call_log()
        .into_iter()
        .map(|call| call.link)
        .collect();
    assert_eq!(links, ["one", "two", "one", "one", "one", "two", "two"]);
}

#[tokio::test(start_paused = true)]
async fn calls_are_counted_per_operation_stream_and_shard() {
    let (kinesis, client) = stream(2);
    let iterator = horizon(&client, SHARD_1).await;
    for _ in 0..3 {
        read(&client, &iterator).await;
    }
    kinesis
        .put_with("s", Put::new("k", "not over the wire"))
        .unwrap();
    let entries: Vec<_> = (0..20).map(|n| entry(&n.to_string(), "x")).collect();
    let put = client
        .put_records()
        .stream_name("s")
        .set_records(Some(entries));
    put.send().await.unwrap();
    assert_eq!(kinesis.calls(Operation::GetRecords), 3);
    assert_eq!(kinesis.calls_for(Operation::GetRecords, "s", SHARD_1), 3);
    assert_eq!(kinesis.calls_for(Operation::GetRecords, "s", SHARD_0), 0);
    assert_eq!(kinesis.calls(Operation::PutRecords), 1);
    assert_eq!(kinesis.calls_for(Operation::PutRecords, "s", SHARD_0), 1);
    assert_eq!(kinesis.calls_for(Operation::PutRecords, "s", SHARD_1), 1);
    assert_eq!(kinesis.calls_for(Operation::PutRecords, "s", ""), 1);
    assert_eq!(kinesis.calls(Operation::PutRecord), 0);
    let log = kinesis.call_log();
    let records: Vec<_> = log
        .iter()
        .map(|call| (call.operation, call.records))
        .collect();
    assert_eq!(
        records,
        [
            (Operation::GetShardIterator, 0),
            (Operation::GetRecords, 0),
            (Operation::GetRecords, 0),
            (Operation::GetRecords, 0),
            (Operation::PutRecords, 20)
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_call_log_keeps_the_newest_and_counts_all() {
    let kinesis = Kinesis::builder().log_calls(3).build();
    kinesis.create_stream("s", 5).unwrap();
    let client = client(&kinesis);
    for n in 0..5 {
        horizon(&client, &format!("shardId-{n:012}")).await;
    }
    let shards: Vec<_> = kinesis
        .call_log()
        .into_iter()
        .flat_map(|call| call.shards)
        .collect();
    assert_eq!(shards, [SHARD_2, SHARD_3, "shardId-000000000004"]);
    assert_eq!(kinesis.calls(Operation::GetShardIterator), 5);
}
