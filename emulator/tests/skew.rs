//! Clocks that differ: the service's and those of its clients.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::config::retry::RetryConfig;
use aws_sdk_kinesis::primitives::DateTime;
use aws_sdk_kinesis::types::ShardIteratorType;
use common::*;
use kinesis_app_emulator::{ErrorCode, Kinesis, Operation, Outcome, Skew};
use std::time::Duration;

fn skewed(skew: Skew) -> Kinesis {
    let kinesis = Kinesis::builder().skew(skew).build();
    kinesis.create_stream("s", 1).unwrap();
    kinesis
}

fn outcomes(kinesis: &Kinesis) -> Vec<Outcome> {
    kinesis.call_log().iter().map(|call| call.outcome).collect()
}

#[tokio::test(start_paused = true)]
async fn the_sdk_learns_the_difference_from_a_refusal_and_keeps_it() {
    for skew in [
        Skew::Ahead(Duration::from_mins(10)),
        Skew::Behind(Duration::from_hours(3)),
    ] {
        let kinesis = skewed(skew);
        let client = kinesis.client();
        for _ in 0..3 {
            client.list_shards().stream_name("s").send().await.unwrap();
        }
        let refused = Outcome::Refused(ErrorCode::InvalidSignature);
        assert_eq!(
            outcomes(&kinesis),
            [refused, Outcome::Ok, Outcome::Ok, Outcome::Ok],
            "{skew:?}"
        );
        // Another client has it to learn for itself.
        kinesis
            .client()
            .list_shards()
            .stream_name("s")
            .send()
            .await
            .unwrap();
        assert_eq!(kinesis.calls(Operation::ListShards), 6);
    }
}

#[tokio::test(start_paused = true)]
async fn a_difference_that_signatures_bear_is_not_noticed() {
    let kinesis = skewed(Skew::Ahead(Duration::from_secs(299)));
    kinesis
        .client()
        .list_shards()
        .stream_name("s")
        .send()
        .await
        .unwrap();
    assert_eq!(outcomes(&kinesis), [Outcome::Ok]);
}

#[tokio::test(start_paused = true)]
async fn without_a_retry_the_refusal_is_seen_with_both_times() {
    let kinesis = skewed(Skew::Behind(Duration::from_mins(10)));
    let config = kinesis.config().retry_config(RetryConfig::disabled());
    let client = Client::from_conf(config.build());
    let (code, words) = refusal(client.list_shards().stream_name("s").send().await);
    assert_eq!(code, "InvalidSignatureException");
    assert_eq!(
        words,
        "Signature expired: 20251231T235000Z is now earlier than 20251231T235500Z (20260101T000000Z - 5 min.)"
    );
    client.list_shards().stream_name("s").send().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_client_ahead_asks_for_a_time_that_is_still_to_come() {
    let kinesis = skewed(Skew::Ahead(Duration::from_secs(2)));
    let client = client(&kinesis);
    let at = |seconds: u64| {
        let time = kinesis.now() + Duration::from_secs(seconds);
        let ask = client
            .get_shard_iterator()
            .stream_name("s")
            .shard_id(SHARD_0);
        let ask = ask.shard_iterator_type(ShardIteratorType::AtTimestamp);
        ask.timestamp(DateTime::from(time)).send()
    };
    assert_eq!(code(at(2).await), "InvalidArgumentException");
    tokio::time::advance(Duration::from_secs(1)).await;
    at(0).await.unwrap();
}
