//! What is put is read: over the wire, in order, with what the service says beside it.

mod common;

use aws_sdk_kinesis::primitives::Blob;
use common::*;
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn what_is_put_over_the_wire_is_read_back_in_order() {
    let (kinesis, client) = stream(1);
    for n in 0..3 {
        let put = client.put_record().stream_name("s").partition_key("k");
        let put = put.data(Blob::new(format!("single {n}")));
        put.send().await.unwrap();
    }
    let batch = (0..3).map(|n| entry("k", format!("batch {n}"))).collect();
    let put = client.put_records().stream_name("s");
    let answer = put.set_records(Some(batch)).send().await.unwrap();
    assert_eq!(answer.failed_record_count(), Some(0));

    let page = read(&client, &horizon(&client, SHARD_0).await).await;
    assert_eq!(
        texts(&page),
        [
            "single 0", "single 1", "single 2", "batch 0", "batch 1", "batch 2"
        ]
    );
    assert_eq!(page.millis_behind_latest(), Some(0));
    assert!(page.next_shard_iterator().is_some());
    let stored = kinesis.records("s", SHARD_0);
    for (record, stored) in page.records().iter().zip(&stored) {
        assert_eq!(record.sequence_number(), stored.sequence_number);
        assert_eq!(record.partition_key(), Some("k"));
        let arrival = record.approximate_arrival_timestamp().unwrap();
        let arrival = Duration::from_secs_f64((arrival.as_secs_f64() * 1_000.0).round() / 1_000.0);
        let expected = stored
            .arrival
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap();
        assert_eq!(arrival.as_millis(), expected.as_millis());
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_holds_the_limit_and_the_next_goes_on_behind_it() {
    let (kinesis, client) = stream(1);
    for n in 0..5 {
        kinesis.put("s", "k", n.to_string()).unwrap();
    }
    let mut iterator = horizon(&client, SHARD_0).await;
    let mut pages = Vec::new();
    for _ in 0..3 {
        let page = client.get_records().shard_iterator(&iterator).limit(2);
        let page = page.send().await.unwrap();
        pages.push(texts(&page).join(","));
        iterator = page.next_shard_iterator.unwrap();
    }
    assert_eq!(pages, ["0,1", "2,3", "4"]);
}

#[tokio::test(start_paused = true)]
async fn one_iterator_read_twice_gives_the_same_page() {
    let (kinesis, client) = stream(1);
    kinesis.put("s", "k", "a").unwrap();
    let iterator = horizon(&client, SHARD_0).await;
    let (first, second) = (
        read(&client, &iterator).await,
        read(&client, &iterator).await,
    );
    assert_eq!(first.records(), second.records());
}
