//! Consumers with enhanced fan-out: registered, described, listed, deregistered.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::types::{Consumer, ConsumerStatus};
use common::*;
use kinesis_app_emulator::{Kinesis, Limits, Operation};
use std::time::Duration;

const ARN: &str = "arn:aws:kinesis:us-east-1:000000000000:stream/s";
const OTHER: &str = "arn:aws:kinesis:us-east-1:000000000000:stream/t";

async fn register(client: &Client, name: &str) -> Consumer {
    let call = client.register_stream_consumer().stream_arn(ARN);
    let answer = call.consumer_name(name).send().await.unwrap();
    answer.consumer.unwrap()
}

async fn status(client: &Client, arn: &str) -> Option<ConsumerStatus> {
    let call = client.describe_stream_consumer().consumer_arn(arn);
    let description = call.send().await.ok()?.consumer_description?;
    Some(description.consumer_status)
}

#[tokio::test(start_paused = true)]
async fn a_consumer_is_creating_then_active_then_deleting_then_gone() {
    let kinesis = Kinesis::builder()
        .operation_duration(Operation::RegisterStreamConsumer, Duration::from_secs(3))
        .delete_duration(Duration::from_secs(5))
        .build();
    kinesis.create_stream("s", 1).unwrap();
    let client = client(&kinesis);
    let consumer = register(&client, "c").await;
    assert_eq!(consumer.consumer_status, ConsumerStatus::Creating);
    let created = consumer.consumer_creation_timestamp;
    let arn = format!("{ARN}/consumer/c:{}", created.secs());
    assert_eq!(consumer.consumer_arn, arn);
    assert_eq!(summary(&client).await.consumer_count, Some(1));
    tokio::time::advance(Duration::from_secs(3)).await;
    assert_eq!(status(&client, &arn).await, Some(ConsumerStatus::Active));

    let gone = client.deregister_stream_consumer().consumer_arn(&arn);
    gone.send().await.unwrap();
    assert_eq!(status(&client, &arn).await, Some(ConsumerStatus::Deleting));
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(status(&client, &arn).await, None);
    assert_eq!(summary(&client).await.consumer_count, Some(0));
}

#[tokio::test(start_paused = true)]
async fn a_consumer_is_named_by_its_arn_or_by_stream_and_name_and_never_by_both_at_odds() {
    let (_, client) = unlimited(1);
    let arn = register(&client, "c").await.consumer_arn;
    register(&client, "d").await;
    let describe = |arn: Option<&str>, stream: Option<&str>, name: Option<&str>| {
        let call = client.describe_stream_consumer();
        call.set_consumer_arn(arn.map(str::to_owned))
            .set_stream_arn(stream.map(str::to_owned))
            .set_consumer_name(name.map(str::to_owned))
            .send()
    };
    for (given, stream, name) in [
        (Some(arn.as_str()), None, None),
        (None, Some(ARN), Some("c")),
        (Some(arn.as_str()), Some(ARN), Some("c")),
    ] {
        let found = describe(given, stream, name).await.unwrap();
        let found = found.consumer_description.unwrap();
        assert_eq!(found.consumer_arn, arn);
        assert_eq!(found.stream_arn, ARN);
    }
    for (given, stream, name) in [
        (Some(arn.as_str()), None, Some("d")),
        (Some(arn.as_str()), Some(OTHER), None),
        (None, Some(ARN), None),
        (None, None, None),
    ] {
        let odd = describe(given, stream, name).await;
        assert_eq!(code(odd), "InvalidArgumentException");
    }
    let earlier = format!("{ARN}/consumer/c:7");
    for (given, stream, name) in [
        (None, Some(ARN), Some("e")),
        (Some(earlier.as_str()), None, None),
        (None, Some(OTHER), Some("c")),
    ] {
        let absent = describe(given, stream, name).await;
        assert_eq!(code(absent), "ResourceNotFoundException");
    }
    assert_eq!(
        code(describe(Some(&format!("{ARN}/consumer/c")), None, None).await),
        "ValidationException"
    );
}

#[tokio::test(start_paused = true)]
async fn a_name_is_taken_once_and_its_next_consumer_has_another_arn() {
    let (kinesis, client) = unlimited(1);
    let first = register(&client, "c").await.consumer_arn;
    let again = client.register_stream_consumer().stream_arn(ARN);
    let (code, words) = refusal(again.consumer_name("c").send().await);
    assert_eq!(code, "ResourceInUseException");
    assert!(
        words.contains("Consumer c under stream s already exists"),
        "{words}"
    );
    let gone = client.deregister_stream_consumer();
    let gone = gone.stream_arn(ARN).consumer_name("c");
    gone.send().await.unwrap();
    let second = kinesis.register_consumer("s", "c").unwrap();
    assert_ne!(second, first, "also within one second");
    assert_eq!(status(&client, &first).await, None);
    assert_eq!(status(&client, &second).await, Some(ConsumerStatus::Active));
}

#[tokio::test(start_paused = true)]
async fn a_stream_has_twenty_consumers_and_an_account_creates_five_at_a_time() {
    let kinesis = Kinesis::builder()
        .limits(Limits::Off)
        .operation_duration(Operation::RegisterStreamConsumer, Duration::from_secs(1))
        .build();
    kinesis.create_stream("s", 1).unwrap();
    for n in 0..20 {
        if n % 5 == 0 {
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        kinesis.register_consumer("s", &format!("c{n}")).unwrap();
    }
    kinesis.create_stream("t", 1).unwrap();
    let sixth = kinesis.register_consumer("t", "c").unwrap_err();
    assert!(sixth.message().contains("being created"), "{sixth}");
    tokio::time::advance(Duration::from_secs(1)).await;
    kinesis.register_consumer("t", "c").unwrap();
    let most = kinesis.register_consumer("s", "c20").unwrap_err();
    assert_eq!(most.code(), kinesis_app_emulator::ErrorCode::LimitExceeded);
    assert!(most.message().contains("20"), "{most}");
}

#[tokio::test(start_paused = true)]
async fn consumers_are_listed_in_pages_of_their_stream() {
    let (kinesis, client) = unlimited(1);
    for name in ["b", "a", "c"] {
        kinesis.register_consumer("s", name).unwrap();
    }
    let created = summary(&client).await.stream_creation_timestamp;
    let list = || client.list_stream_consumers().stream_arn(ARN);
    let first = list().max_results(2).stream_creation_timestamp(created);
    let first = first.send().await.unwrap();
    let names = |page: &[Consumer]| -> Vec<String> {
        page.iter().map(|one| one.consumer_name.clone()).collect()
    };
    assert_eq!(names(first.consumers()), ["a", "b"]);
    let token = first.next_token.unwrap();
    let rest = list().next_token(&token).send().await.unwrap();
    assert_eq!(names(rest.consumers()), ["c"]);
    assert_eq!(rest.next_token, None);

    let both = list().next_token(&token).stream_creation_timestamp(created);
    assert_eq!(code(both.send().await), "InvalidArgumentException");
    let forged = list().next_token("AAAA").send().await;
    assert_eq!(code(forged), "InvalidArgumentException");
    let other = aws_sdk_kinesis::primitives::DateTime::from_secs(7);
    let other = list().stream_creation_timestamp(other).send().await;
    assert_eq!(code(other), "ResourceNotFoundException");
    kinesis.create_stream("t", 1).unwrap();
    let elsewhere = client.list_stream_consumers().next_token(&token);
    let elsewhere = elsewhere.stream_arn(kinesis.stream_arn("t")).send().await;
    assert_eq!(code(elsewhere), "InvalidArgumentException");
    tokio::time::advance(Duration::from_secs(301)).await;
    let late = list().next_token(&token).send().await;
    assert_eq!(code(late), "ExpiredNextTokenException");
}

#[tokio::test(start_paused = true)]
async fn calls_about_consumers_are_limited_per_second() {
    let (kinesis, client) = stream(1);
    kinesis.register_consumer("s", "c").unwrap();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..30 {
        let client = client.clone();
        calls.spawn(async move {
            let list = client.list_stream_consumers().stream_arn(ARN).send().await;
            let describe = client.describe_stream_consumer().stream_arn(ARN);
            let describe = describe.consumer_name("c").send().await;
            (list.is_ok(), describe.is_ok())
        });
    }
    let served = calls.join_all().await;
    assert_eq!(served.iter().filter(|(list, _)| *list).count(), 5);
    assert_eq!(served.iter().filter(|(_, describe)| *describe).count(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_stream_with_consumers_is_deleted_only_when_told_so() {
    let (kinesis, client) = unlimited(1);
    kinesis.register_consumer("s", "c").unwrap();
    let delete = || client.delete_stream().stream_name("s");
    assert_eq!(code(delete().send().await), "ResourceInUseException");
    let kept = delete().enforce_consumer_deletion(false).send().await;
    assert_eq!(code(kept), "ResourceInUseException");
    let gone = delete().enforce_consumer_deletion(true).send().await;
    gone.unwrap();
    assert!(kinesis.shards("s").is_err());
}

#[tokio::test(start_paused = true)]
async fn a_consumer_has_tags_of_its_own() {
    let (_, client) = unlimited(1);
    let call = client.register_stream_consumer().stream_arn(ARN);
    let call = call.consumer_name("c").tags("team", "one");
    let arn = call.send().await.unwrap().consumer.unwrap().consumer_arn;
    let tag = client.tag_resource().resource_arn(&arn);
    tag.tags("cost", "7").send().await.unwrap();
    let untag = client.untag_resource().resource_arn(&arn);
    untag.tag_keys("team").send().await.unwrap();
    let tags = async |arn: &str| {
        let list = client.list_tags_for_resource().resource_arn(arn);
        let tags = list.send().await.unwrap().tags.unwrap_or_default();
        tags.iter().map(|tag| tag.key.clone()).collect::<Vec<_>>()
    };
    assert_eq!(tags(&arn).await, ["cost"]);
    assert_eq!(tags(ARN).await, Vec::<String>::new());
}
