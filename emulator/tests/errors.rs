//! What the service refuses, and in which words.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::config::interceptors::BeforeTransmitInterceptorContextMut;
use aws_sdk_kinesis::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_kinesis::error::{BoxError, ProvideErrorMetadata};
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::{ShardIteratorType, StreamMode, StreamModeDetails};
use aws_smithy_types::body::SdkBody;
use common::*;
use kinesis_app_emulator::ErrorCode;
use std::time::Duration;

/// Changes a request after the SDK has made it.
#[derive(Clone, Debug, Default)]
struct Tamper {
    target: Option<&'static str>,
    body: Option<&'static str>,
    unsigned: bool,
}

impl Intercept for Tamper {
    fn name(&self) -> &'static str {
        "Tamper"
    }

    fn modify_before_transmit(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let request = context.request_mut();
        if let Some(target) = self.target {
            request.headers_mut().insert("x-amz-target", target);
        }
        if let Some(body) = self.body {
            *request.body_mut() = SdkBody::from(body);
        }
        if self.unsigned {
            request.headers_mut().remove("authorization");
        }
        Ok(())
    }
}

async fn tampered(client: &Client, tamper: Tamper) -> String {
    let call = client.list_shards().stream_name("s").customize();
    code(call.interceptor(tamper).send().await)
}

#[tokio::test(start_paused = true)]
async fn requests_that_are_none_are_told_what_is_missing() {
    let (_, client) = stream(1);
    let unsigned = Tamper {
        unsigned: true,
        ..Tamper::default()
    };
    assert_eq!(
        tampered(&client, unsigned).await,
        "MissingAuthenticationTokenException"
    );
    for target in [
        "Kinesis_20131202.Nonsense",
        "DynamoDBStreams_20120810.ListStreams",
        "",
        "ListShards",
    ] {
        let unknown = Tamper {
            target: Some(target),
            ..Tamper::default()
        };
        assert_eq!(
            tampered(&client, unknown).await,
            "UnknownOperationException"
        );
    }
    for body in [
        "",
        "null",
        "[]",
        "{",
        r#"{"StreamName":7}"#,
        r#"{"MaxResults":"1"}"#,
        r#"{"MaxResults":1.5}"#,
    ] {
        let broken = Tamper {
            body: Some(body),
            ..Tamper::default()
        };
        assert_eq!(
            tampered(&client, broken).await,
            "SerializationException",
            "{body}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_put_without_data_stores_nothing_and_one_of_zero_bytes_does() {
    let (kinesis, client) = stream(1);
    for (body, expected) in [
        (
            r#"{"StreamName":"s","PartitionKey":"k"}"#,
            "ValidationException",
        ),
        (
            r#"{"StreamName":"s","PartitionKey":"k","Data":null}"#,
            "ValidationException",
        ),
        (
            r#"{"StreamName":"s","PartitionKey":"k","Data":"%"}"#,
            "SerializationException",
        ),
        (
            r#"{"StreamName":"s","PartitionKey":"k","Data":{}}"#,
            "SerializationException",
        ),
    ] {
        let put = Tamper {
            target: Some("Kinesis_20131202.PutRecord"),
            body: Some(body),
            ..Tamper::default()
        };
        assert_eq!(tampered(&client, put).await, expected, "{body}");
    }
    assert!(kinesis.records("s", SHARD_0).is_empty());
    let put = client.put_record().stream_name("s").partition_key("k");
    put.data(Blob::new("")).send().await.unwrap();
    let page = read(&client, &horizon(&client, SHARD_0).await).await;
    assert_eq!(texts(&page), [""]);
}

#[tokio::test(start_paused = true)]
async fn keys_of_any_text_and_data_of_any_bytes_come_back_as_they_were() {
    let (kinesis, client) = stream(1);
    let keys = [
        "\"quoted\" \\ \n \u{0} \u{7f} \u{2028}",
        "schlüssel",
        "🦀",
        "</script>",
    ];
    for key in keys {
        let put = client.put_record().stream_name("s").partition_key(key);
        put.data(Blob::new((0..=255).collect::<Vec<u8>>()))
            .send()
            .await
            .unwrap();
        kinesis.put("s", key, vec![0xff, 0, 0xfe]).unwrap();
    }
    let page = read(&client, &horizon(&client, SHARD_0).await).await;
    for (pair, key) in page.records().chunks(2).zip(keys) {
        assert!(
            pair.iter()
                .all(|record| record.partition_key() == Some(key))
        );
        assert_eq!(pair[0].data().as_ref(), (0..=255).collect::<Vec<u8>>());
        assert_eq!(pair[1].data().as_ref(), [0xff, 0, 0xfe]);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_is_not_found_by_any_operation() {
    let (kinesis, client) = stream(1);
    let no = "nowhere";
    let latest = ShardIteratorType::Latest;
    let iterator = |stream: &str, shard: &str| {
        let call = client
            .get_shard_iterator()
            .stream_name(stream)
            .shard_id(shard);
        call.shard_iterator_type(latest.clone()).send()
    };
    let put = client.put_record().stream_name(no).partition_key("k");
    let split = |stream: &str, shard: &str| {
        let call = client
            .split_shard()
            .stream_name(stream)
            .shard_to_split(shard);
        call.new_starting_hash_key("9").send()
    };
    let merge = client
        .merge_shards()
        .stream_name("s")
        .shard_to_merge(SHARD_0);
    let codes = [
        code(client.delete_stream().stream_name(no).send().await),
        code(client.describe_stream().stream_name(no).send().await),
        code(
            client
                .describe_stream_summary()
                .stream_name(no)
                .send()
                .await,
        ),
        code(client.list_shards().stream_name(no).send().await),
        code(put.data(Blob::new("x")).send().await),
        code(
            client
                .put_records()
                .stream_name(no)
                .records(entry("k", "x"))
                .send()
                .await,
        ),
        code(iterator(no, SHARD_0).await),
        code(iterator("s", SHARD_1).await),
        code(iterator("s", "shardId-1").await),
        code(split(no, SHARD_0).await),
        code(split("s", SHARD_1).await),
        code(merge.adjacent_shard_to_merge(SHARD_1).send().await),
    ];
    assert_eq!(codes, ["ResourceNotFoundException"; 12]);
    let error = client
        .describe_stream_summary()
        .stream_name(no)
        .send()
        .await
        .unwrap_err();
    assert_eq!(
        error.message(),
        Some("Stream nowhere under account 000000000000 not found.")
    );
    assert_eq!(
        kinesis.shards(no).unwrap_err().code(),
        ErrorCode::ResourceNotFound
    );
}

#[tokio::test(start_paused = true)]
async fn rules_of_the_model_are_kept_word_for_word() {
    let (_, client) = stream(1);
    let name = client
        .describe_stream_summary()
        .stream_name("a b")
        .send()
        .await;
    assert_eq!(
        name.unwrap_err().message(),
        Some(
            "1 validation error detected: Value 'a b' at 'streamName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
        )
    );
    let limit = client
        .get_records()
        .shard_iterator("x")
        .limit(10_001)
        .send()
        .await;
    assert_eq!(
        limit.unwrap_err().message(),
        Some(
            "1 validation error detected: Value '10001' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 10000"
        )
    );
    let put = |hash: &str| {
        let put = client.put_record().stream_name("s").partition_key("k");
        put.data(Blob::new("x")).explicit_hash_key(hash).send()
    };
    for hash in ["", "01", "-1", "x", "1e3"] {
        assert_eq!(code(put(hash).await), "ValidationException", "{hash}");
    }
    let too_large = "340282366920938463463374607431768211456";
    assert_eq!(code(put(too_large).await), "InvalidArgumentException");
    put(&u128::MAX.to_string()).await.unwrap();
    let validation = "ValidationException";
    let create = client.create_stream();
    assert_eq!(
        code(create.stream_name("t").shard_count(0).send().await),
        validation
    );
    assert_eq!(
        code(client.create_stream().stream_name("t").send().await),
        validation
    );
    for limit in [0, -1, 10_001] {
        let read = client.get_records().shard_iterator("x").limit(limit);
        assert_eq!(code(read.send().await), validation);
    }
    let read = client.get_records().shard_iterator("x".repeat(513));
    assert_eq!(code(read.send().await), validation);
}

#[tokio::test(start_paused = true)]
async fn iterator_types_and_their_arguments_go_together() {
    use ShardIteratorType::{
        AfterSequenceNumber, AtSequenceNumber, AtTimestamp, Latest, TrimHorizon,
    };
    let (_, client) = stream(1);
    let call = || {
        client
            .get_shard_iterator()
            .stream_name("s")
            .shard_id(SHARD_0)
    };
    let invalid = "InvalidArgumentException";
    let time = aws_sdk_kinesis::primitives::DateTime::from_secs(1);
    for kind in [AtSequenceNumber, AfterSequenceNumber, AtTimestamp] {
        assert_eq!(code(call().shard_iterator_type(kind).send().await), invalid);
    }
    for kind in [TrimHorizon, Latest, AtTimestamp] {
        let call = call()
            .shard_iterator_type(kind)
            .starting_sequence_number("1");
        assert_eq!(code(call.send().await), invalid);
    }
    for kind in [TrimHorizon, Latest] {
        let call = call().shard_iterator_type(kind).timestamp(time);
        assert_eq!(code(call.send().await), invalid);
    }
    let unknown = call().shard_iterator_type(ShardIteratorType::from("SOMEWHERE"));
    assert_eq!(code(unknown.send().await), "ValidationException");
    for bad in ["x", "AAAA", "AQAAAA==", "🦀"] {
        assert_eq!(
            code(client.get_records().shard_iterator(bad).send().await),
            invalid
        );
    }
}

#[tokio::test(start_paused = true)]
async fn reshards_that_cannot_be_are_refused_and_change_nothing() {
    let (kinesis, client) = stream(3);
    let before = kinesis.shards("s").unwrap();
    let split = |at: u128| {
        let call = client
            .split_shard()
            .stream_name("s")
            .shard_to_split(SHARD_1);
        call.new_starting_hash_key(at.to_string()).send()
    };
    let range = before[1].hash_range;
    for at in [0, range.start, range.start + 1, range.end, u128::MAX] {
        assert_eq!(code(split(at).await), "InvalidArgumentException");
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    let merge = |a: &str, b: &str| {
        let call = client.merge_shards().stream_name("s").shard_to_merge(a);
        call.adjacent_shard_to_merge(b).send()
    };
    assert_eq!(
        code(merge(SHARD_0, SHARD_2).await),
        "InvalidArgumentException"
    );
    assert_eq!(
        code(merge(SHARD_0, SHARD_0).await),
        "InvalidArgumentException"
    );
    assert_eq!(
        code(merge(SHARD_2, SHARD_0).await),
        "InvalidArgumentException"
    );
    assert_eq!(kinesis.shards("s").unwrap(), before);
    split(range.start + 2).await.unwrap();
    assert_eq!(code(split(range.start + 2).await), "ResourceInUseException");
    assert_eq!(
        code(merge(SHARD_0, SHARD_1).await),
        "ResourceInUseException"
    );
    let odd = client.create_stream().stream_name("auto");
    let mode = StreamModeDetails::builder()
        .stream_mode(StreamMode::OnDemand)
        .build()
        .unwrap();
    odd.stream_mode_details(mode).send().await.unwrap();
    assert_eq!(kinesis.shards("auto").unwrap().len(), 4);
    assert_eq!(
        kinesis.split("auto", SHARD_0).unwrap_err().code(),
        ErrorCode::Validation
    );
}
