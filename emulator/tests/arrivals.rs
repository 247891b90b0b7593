//! Whoever watches hears of every record that is stored, and of no other.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::config::retry::RetryConfig;
use aws_sdk_kinesis::primitives::Blob;
use common::*;
use kinesis_app_emulator::{Arrival, Fault, FaultKind, Kinesis, Operation};
use std::sync::{Arc, Mutex};

fn watched(kinesis: &Kinesis) -> Arc<Mutex<Vec<Arrival>>> {
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    kinesis.watch(move |arrival| seen.lock().unwrap().push(arrival));
    told
}

/// Over a link of this name, and without retries.
fn linked(kinesis: &Kinesis, name: &str) -> Client {
    let config = kinesis.link(name).config();
    Client::from_conf(config.retry_config(RetryConfig::disabled()).build())
}

#[tokio::test(start_paused = true)]
async fn every_record_that_is_stored_is_told_in_order_and_no_other() {
    let (kinesis, client) = stream(2);
    let told = watched(&kinesis);
    kinesis.put("s", "k", "past the wire").unwrap();
    let lost = Fault::new(Operation::PutRecord, FaultKind::AnswerLost);
    kinesis.fault(lost);
    let put = linked(&kinesis, "w1").put_record().stream_name("s");
    let put = put.partition_key("k").data(Blob::new("answer lost"));
    put.send().await.unwrap_err();
    kinesis.fault(Fault::new(Operation::PutRecord, FaultKind::Reset));
    let put = client.put_record().stream_name("s").partition_key("k");
    put.data(Blob::new("reset")).send().await.unwrap_err();

    // The keys lie in both shards.
    let throttle = Fault::new(Operation::PutRecords, FaultKind::Throttle);
    kinesis.fault(throttle.shard(SHARD_0));
    let keys = ["0", "6", "1", "9"];
    let put = client.put_records().stream_name("s");
    let answer = put
        .set_records(Some(keys.map(|key| entry(key, key)).into()))
        .send()
        .await
        .unwrap();
    let stored: Vec<_> = keys
        .into_iter()
        .zip(answer.records())
        .filter_map(|(key, entry)| Some((key.to_owned(), entry.sequence_number.clone()?)))
        .collect();
    assert!(
        !stored.is_empty() && stored.len() < keys.len(),
        "{stored:?}"
    );

    let told = told.lock().unwrap();
    let text = |arrival: &Arrival| String::from_utf8_lossy(&arrival.record.data).into_owned();
    let first: Vec<_> = told[..2]
        .iter()
        .map(|arrival| (arrival.link.clone(), text(arrival)))
        .collect();
    let link = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(
        first,
        [link("", "past the wire"), link("w1", "answer lost")]
    );
    let entries: Vec<_> = told[2..]
        .iter()
        .map(|arrival| (text(arrival), arrival.record.sequence_number.clone()))
        .collect();
    assert_eq!(entries, stored);
    for arrival in told.iter() {
        let kept = kinesis.records(&arrival.stream, &arrival.shard_id);
        assert!(kept.contains(&arrival.record), "{arrival:?}");
    }
}
