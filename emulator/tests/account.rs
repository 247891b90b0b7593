//! What concerns the account: the list of its streams, and its limits.

mod common;

use aws_sdk_kinesis::types::{StreamMode, StreamModeDetails, StreamStatus};
use common::*;
use kinesis_app_emulator::{Kinesis, Limits};
use std::time::Duration;

fn streams(count: usize) -> (Kinesis, aws_sdk_kinesis::Client) {
    let kinesis = Kinesis::builder().limits(Limits::Off).build();
    for n in 0..count {
        kinesis.create_stream(&format!("s{n:03}"), 1).unwrap();
    }
    let client = client(&kinesis);
    (kinesis, client)
}

#[tokio::test(start_paused = true)]
async fn streams_are_listed_by_name_a_hundred_at_a_time() {
    let (kinesis, client) = streams(205);
    let (mut token, mut seen) = (None, Vec::new());
    for (count, more) in [(100, true), (100, true), (5, false)] {
        let page = client
            .list_streams()
            .limit(10_000)
            .set_next_token(token.take());
        let page = page.send().await.unwrap();
        assert_eq!(page.stream_names().len(), count);
        assert_eq!(page.has_more_streams(), more);
        assert_eq!(page.next_token().is_some(), more);
        for (summary, name) in page.stream_summaries().iter().zip(page.stream_names()) {
            assert_eq!(summary.stream_name(), name);
            assert_eq!(summary.stream_arn(), kinesis.stream_arn(name));
            assert_eq!(*summary.stream_status(), StreamStatus::Active);
            assert!(summary.stream_creation_timestamp().is_some());
            let mode = summary
                .stream_mode_details()
                .map(StreamModeDetails::stream_mode);
            assert_eq!(mode, Some(&StreamMode::Provisioned));
        }
        seen.extend(page.stream_names);
        token = page.next_token;
    }
    let expected: Vec<String> = (0..205).map(|n| format!("s{n:03}")).collect();
    assert_eq!(seen, expected);
}

#[tokio::test(start_paused = true)]
async fn a_list_of_streams_goes_on_behind_a_name_or_a_token_that_lives() {
    let (_, client) = streams(3);
    // The name itself need not be one of a stream.
    for (after, expected) in [("s000", 2), ("s0005", 2), ("s002", 0), ("a", 3)] {
        let page = client.list_streams().exclusive_start_stream_name(after);
        assert_eq!(
            page.send().await.unwrap().stream_names().len(),
            expected,
            "{after}"
        );
    }
    let token = client
        .list_streams()
        .limit(1)
        .send()
        .await
        .unwrap()
        .next_token
        .unwrap();
    let invalid = "InvalidArgumentException";
    let next = || client.list_streams().next_token(&token);
    assert_eq!(
        code(next().exclusive_start_stream_name("s").send().await),
        invalid
    );
    assert_eq!(
        code(client.list_streams().next_token("made up").send().await),
        invalid
    );
    tokio::time::advance(Duration::from_secs(299)).await;
    assert_eq!(
        next().send().await.unwrap().stream_names(),
        ["s001", "s002"]
    );
    tokio::time::advance(Duration::from_secs(2)).await;
    assert_eq!(code(next().send().await), "ExpiredNextTokenException");
    for limit in [0, 10_001] {
        let list = client.list_streams().limit(limit).send().await;
        assert_eq!(code(list), "ValidationException");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_listed_while_it_comes_and_goes() {
    let kinesis = Kinesis::builder()
        .create_duration(Duration::from_secs(10))
        .delete_duration(Duration::from_secs(10))
        .build();
    let client = client(&kinesis);
    let status = || async {
        let page = client.list_streams().send().await.unwrap();
        let first = page.stream_summaries().first();
        first.map(|summary| summary.stream_status().clone())
    };
    kinesis.create_stream("s", 1).unwrap();
    assert_eq!(status().await, Some(StreamStatus::Creating));
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(status().await, Some(StreamStatus::Active));
    client
        .delete_stream()
        .stream_name("s")
        .send()
        .await
        .unwrap();
    assert_eq!(status().await, Some(StreamStatus::Deleting));
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(status().await, None);
}

#[tokio::test(start_paused = true)]
async fn limits_and_what_is_used_of_them_are_shown_once_a_second() {
    let kinesis = Kinesis::new();
    kinesis.create_stream("s", 3).unwrap();
    let client = client(&kinesis);
    let mode = StreamModeDetails::builder()
        .stream_mode(StreamMode::OnDemand)
        .build()
        .unwrap();
    client
        .create_stream()
        .stream_name("t")
        .stream_mode_details(mode)
        .send()
        .await
        .unwrap();
    let limits = client.describe_limits().send().await.unwrap();
    assert_eq!(
        (limits.shard_limit(), limits.open_shard_count()),
        (20_000, 7)
    );
    let on_demand = (
        limits.on_demand_stream_count(),
        limits.on_demand_stream_count_limit(),
    );
    assert_eq!(on_demand, (1, 50));
    assert_eq!(
        code(client.describe_limits().send().await),
        "LimitExceededException"
    );
    tokio::time::advance(Duration::from_secs(1)).await;
    client.describe_limits().send().await.unwrap();
    for _ in 0..5 {
        client.list_streams().send().await.unwrap();
    }
    assert_eq!(
        code(client.list_streams().send().await),
        "LimitExceededException"
    );
}
