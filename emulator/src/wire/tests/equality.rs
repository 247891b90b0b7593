//! The same calls in both protocols are the same calls, and their answers say the same.

use super::cbor_value::{Form, to_cbor, to_json};
use crate::service::{Answer, Limits, Moment, Push, Service, Settings, Twist};
use crate::wire::{Protocol, decode, encode, encode_error, event, exception};
use crate::{Operation, Operation as O, limits};
use aws_smithy_eventstream::frame::read_message_from;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const BIRTH: u64 = 1_767_225_600_123;

/// One service, spoken to in one way.
struct Side {
    service: Service,
    protocol: Protocol,
    form: Form,
}

impl Side {
    fn new(protocol: Protocol, form: Form) -> Self {
        let service = Service::new(Settings {
            account: "000000000000".into(),
            region: "us-east-1".into(),
            limits: Limits::Off,
            create_duration: Duration::ZERO,
            update_duration: Duration::ZERO,
            delete_duration: Duration::ZERO,
            durations: BTreeMap::new(),
            retention: limits::RETENTION_LEAST,
            seed: 7,
        });
        Self {
            service,
            protocol,
            form,
        }
    }

    /// The answer, or the refusal, as JSON; `null` for an empty body.
    fn call(&mut self, operation: Operation, body: &Value, at: u64) -> Value {
        let bytes = match self.protocol {
            Protocol::Json => body.to_string().into_bytes(),
            Protocol::Cbor => to_cbor(body, self.form),
        };
        let now = Moment::from_millis(BIRTH + at);
        let answer = decode(self.protocol, operation, &bytes)
            .and_then(|request| self.service.answer(request, &Twist::None, now));
        let bytes = match &answer {
            Ok(answer) => encode(self.protocol, answer),
            Err(error) => encode_error(self.protocol, error),
        };
        match self.protocol {
            Protocol::Cbor => to_json(&bytes),
            Protocol::Json if bytes.is_empty() => Value::Null,
            Protocol::Json => serde_json::from_slice(&bytes).unwrap(),
        }
    }
}

struct Both {
    json: Side,
    cbor: Side,
    called: BTreeSet<Operation>,
    at: u64,
}

impl Both {
    fn new(form: Form) -> Self {
        Self {
            json: Side::new(Protocol::Json, form),
            cbor: Side::new(Protocol::Cbor, form),
            called: BTreeSet::new(),
            at: 0,
        }
    }

    #[track_caller]
    fn call(&mut self, operation: Operation, body: &Value) -> Value {
        self.at += 1_001;
        let answer = self.json.call(operation, body, self.at);
        assert_eq!(
            self.cbor.call(operation, body, self.at),
            answer,
            "{operation:?} {body}"
        );
        if answer.get("__type").is_none() {
            self.called.insert(operation);
        }
        answer
    }
}

const SHARD: &str = "shardId-000000000000";
const ARN: &str = "arn:aws:kinesis:us-east-1:000000000000:stream/s";

/// Every operation at least once with success.
fn tour(both: &mut Both) {
    both.call(
        O::CreateStream,
        &json!({"StreamName": "s", "ShardCount": 1, "Tags": {"a": "b"}}),
    );
    both.call(
        O::CreateStream,
        &json!({"StreamName": "t", "StreamModeDetails": {"StreamMode": "ON_DEMAND"}}),
    );
    both.call(O::DescribeLimits, &json!({}));
    both.call(O::ListStreams, &json!({"Limit": 1}));
    tags(both);
    let put = json!({"StreamName": "s", "Data": "AAH/fw==", "PartitionKey": "a \"quoted\" 🦀"});
    both.call(O::PutRecord, &put);
    both.call(
        O::PutRecords,
        &json!({"StreamARN": ARN, "Records": [
            {"Data": "", "PartitionKey": "k"},
            {"Data": "eHg=", "PartitionKey": "k", "ExplicitHashKey": "0"},
        ]}),
    );
    both.call(
        O::StartStreamEncryption,
        &json!({"StreamName": "s", "EncryptionType": "KMS", "KeyId": "k"}),
    );
    both.call(
        O::PutRecord,
        &json!({"StreamName": "s", "Data": "eA==", "PartitionKey": "k"}),
    );
    both.call(
        O::UpdateMaxRecordSize,
        &json!({"StreamARN": ARN, "MaxRecordSizeInKiB": 2048}),
    );
    both.call(
        O::EnableEnhancedMonitoring,
        &json!({"StreamName": "s", "ShardLevelMetrics": ["ALL"]}),
    );
    both.call(
        O::DisableEnhancedMonitoring,
        &json!({"StreamName": "s", "ShardLevelMetrics": ["IncomingBytes"]}),
    );
    both.call(
        O::IncreaseStreamRetentionPeriod,
        &json!({"StreamName": "s", "RetentionPeriodHours": 48}),
    );
    both.call(
        O::DecreaseStreamRetentionPeriod,
        &json!({"StreamName": "s", "RetentionPeriodHours": 30}),
    );
    both.call(O::DescribeStreamSummary, &json!({"StreamName": "s"}));
    both.call(
        O::StopStreamEncryption,
        &json!({"StreamName": "s", "EncryptionType": "KMS", "KeyId": "k"}),
    );
    both.call(
        O::UpdateShardCount,
        &json!({"StreamName": "s", "TargetShardCount": 2, "ScalingType": "UNIFORM_SCALING"}),
    );
    both.call(
        O::MergeShards,
        &json!({"StreamName": "s", "ShardToMerge": "shardId-000000000001",
            "AdjacentShardToMerge": "shardId-000000000002"}),
    );
    both.call(
        O::SplitShard,
        &json!({"StreamName": "s", "ShardToSplit": "shardId-000000000003", "NewStartingHashKey": "170"}),
    );
    both.call(O::DescribeStream, &json!({"StreamName": "s", "Limit": 3}));
    consumers(both);
    listings(both);
    reads(both);
    both.call(
        O::UpdateStreamMode,
        &json!({"StreamARN": ARN, "StreamModeDetails": {"StreamMode": "ON_DEMAND"}}),
    );
    both.call(
        O::UpdateStreamRecordDistributionStrategy,
        &json!({"StreamARN": ARN, "RecordDistributionStrategy": "AUTO"}),
    );
    both.call(
        O::DeleteStream,
        &json!({"StreamName": "t", "EnforceConsumerDeletion": true}),
    );
}

fn tags(both: &mut Both) {
    both.call(
        O::AddTagsToStream,
        &json!({"StreamName": "s", "Tags": {"k": "v", "Größe": ""}}),
    );
    both.call(
        O::TagResource,
        &json!({"ResourceARN": ARN, "Tags": {"r": "v"}}),
    );
    both.call(
        O::ListTagsForStream,
        &json!({"StreamName": "s", "Limit": 2}),
    );
    both.call(O::ListTagsForResource, &json!({"ResourceARN": ARN}));
    both.call(
        O::RemoveTagsFromStream,
        &json!({"StreamName": "s", "TagKeys": ["k"]}),
    );
    both.call(
        O::UntagResource,
        &json!({"ResourceARN": ARN, "TagKeys": ["r", "x"]}),
    );
}

fn consumers(both: &mut Both) {
    for name in ["c", "d"] {
        let asked = json!({"StreamARN": ARN, "ConsumerName": name, "Tags": {"a": "b"}});
        both.call(O::RegisterStreamConsumer, &asked);
    }
    let page = both.call(
        O::ListStreamConsumers,
        &json!({"StreamARN": ARN, "MaxResults": 1}),
    );
    let arn = &page["Consumers"][0]["ConsumerARN"];
    both.call(O::DescribeStreamConsumer, &json!({"ConsumerARN": arn}));
    let start = json!({"Type": "AT_TIMESTAMP", "Timestamp": 1_767_225_601.124});
    both.call(
        O::SubscribeToShard,
        &json!({"ConsumerARN": arn, "ShardId": SHARD, "StartingPosition": start}),
    );
    both.call(O::ListTagsForResource, &json!({"ResourceARN": arn}));
    both.call(
        O::ListStreamConsumers,
        &json!({"StreamARN": ARN, "NextToken": page["NextToken"]}),
    );
    both.call(
        O::DeregisterStreamConsumer,
        &json!({"StreamARN": ARN, "ConsumerName": "d"}),
    );
}

fn listings(both: &mut Both) {
    let page = both.call(O::ListShards, &json!({"StreamName": "s", "MaxResults": 2}));
    both.call(O::ListShards, &json!({"NextToken": page["NextToken"]}));
    let birth = 1_767_225_601.124;
    both.call(
        O::ListShards,
        &json!({"StreamName": "s", "StreamCreationTimestamp": birth,
            "ShardFilter": {"Type": "FROM_TIMESTAMP", "Timestamp": birth}}),
    );
    let filter = json!({"Type": "AT_TIMESTAMP", "Timestamp": 1_767_225_602});
    let shown = both.call(
        O::ListShards,
        &json!({"StreamName": "s", "ShardFilter": filter}),
    );
    assert_eq!(shown["Shards"].as_array().map(Vec::len), Some(1));
}

fn reads(both: &mut Both) {
    let ask = json!({"StreamName": "s", "ShardId": SHARD, "ShardIteratorType": "TRIM_HORIZON"});
    let iterator = both.call(O::GetShardIterator, &ask)["ShardIterator"].take();
    let page = both.call(
        O::GetRecords,
        &json!({"ShardIterator": iterator, "Limit": 3}),
    );
    assert_eq!(page["Records"].as_array().map(Vec::len), Some(3));
    let next = &page["NextShardIterator"];
    let page = both.call(
        O::GetRecords,
        &json!({"ShardIterator": next, "StreamARN": ARN}),
    );
    assert_eq!(page["Records"][0]["EncryptionType"], "KMS");
    assert_eq!(page["ChildShards"].as_array().map(Vec::len), Some(2));
    // A fraction of a second behind the first record, in the units of both protocols.
    let arrival = json!(1_767_225_600.123 + 12.012);
    let ask = json!({"StreamName": "s", "ShardId": SHARD, "ShardIteratorType": "AT_TIMESTAMP",
        "Timestamp": arrival});
    let iterator = both.call(O::GetShardIterator, &ask)["ShardIterator"].take();
    let page = both.call(O::GetRecords, &json!({"ShardIterator": iterator}));
    assert_eq!(page["Records"].as_array().map(Vec::len), Some(3));
}

#[test]
fn every_operation_answers_the_same_in_both() {
    for form in [Form::Definite, Form::Indefinite] {
        let mut both = Both::new(form);
        tour(&mut both);
        let all: BTreeSet<Operation> = Operation::ALL.into_iter().collect();
        assert_eq!(both.called, all, "each is called with success");
    }
}

#[test]
fn every_operation_refuses_the_same_in_both() {
    let mut both = Both::new(Form::Definite);
    for operation in Operation::ALL {
        // Nothing given, a stream that is not there, a value out of its range, a member that is null.
        for body in [
            json!({}),
            json!({"StreamName": "absent", "ShardId": SHARD, "ShardIteratorType": "LATEST",
                "ShardToSplit": SHARD, "NewStartingHashKey": "7", "ShardToMerge": SHARD,
                "AdjacentShardToMerge": SHARD, "Data": "", "PartitionKey": "k", "Tags": {"a": "b"},
                "TagKeys": ["a"], "RetentionPeriodHours": 48, "TargetShardCount": 2,
                "ScalingType": "UNIFORM_SCALING", "EncryptionType": "KMS", "KeyId": "k",
                "ShardLevelMetrics": ["ALL"], "Records": [{"Data": "", "PartitionKey": "k"}],
                "ShardIterator": "none"}),
            json!({"StreamName": "", "StreamARN": ARN, "Limit": -1, "MaxResults": 0,
                "ShardCount": 0, "TargetShardCount": 0, "MaxRecordSizeInKiB": 1}),
            json!({"StreamName": null, "Limit": null, "Records": null, "Data": null}),
        ] {
            both.call(operation, &body);
        }
    }
    let allowed: BTreeSet<Operation> = [O::DescribeLimits, O::ListStreams].into();
    assert_eq!(both.called, allowed, "none of the others is served");
}

/// The headers of a framed message but its content type, and its payload as JSON.
fn unframed(protocol: Protocol, framed: &[u8]) -> (Vec<(String, String)>, Value) {
    let message = read_message_from(&mut &*framed).unwrap();
    let mut headers: Vec<(String, String)> = message
        .headers()
        .iter()
        .map(|header| {
            let text = header.value().as_string().unwrap().as_str().to_owned();
            (header.name().as_str().to_owned(), text)
        })
        .collect();
    let (name, content_type) = headers.pop().unwrap();
    assert_eq!(name, ":content-type");
    assert_eq!(content_type, protocol.content_type());
    let payload = match protocol {
        Protocol::Json => serde_json::from_slice(message.payload()).unwrap(),
        Protocol::Cbor => to_json(message.payload()),
    };
    (headers, payload)
}

#[test]
fn the_messages_of_a_subscription_say_the_same_in_both() {
    let mut side = Side::new(Protocol::Json, Form::Definite);
    for (operation, body) in [
        (O::CreateStream, json!({"StreamName": "s", "ShardCount": 1})),
        (
            O::PutRecord,
            json!({"StreamName": "s", "Data": "AP9/", "PartitionKey": "🦀"}),
        ),
        (
            O::RegisterStreamConsumer,
            json!({"StreamARN": ARN, "ConsumerName": "c"}),
        ),
        (
            O::SplitShard,
            json!({"StreamName": "s", "ShardToSplit": SHARD, "NewStartingHashKey": "7"}),
        ),
    ] {
        let answer = side.call(operation, &body, 0);
        assert!(answer.get("__type").is_none(), "{answer}");
    }
    let arn = format!("{ARN}/consumer/c:{}", BIRTH / 1_000);
    let body = json!({"ConsumerARN": arn, "ShardId": SHARD,
        "StartingPosition": {"Type": "TRIM_HORIZON"}});
    let request = decode(
        Protocol::Json,
        O::SubscribeToShard,
        body.to_string().as_bytes(),
    );
    let now = Moment::from_millis(BIRTH);
    let answer = side.service.answer(request.unwrap(), &Twist::None, now);
    let Ok(Answer::Subscribed(mut subscription)) = answer else {
        panic!("not subscribed: {answer:?}");
    };
    let Push::Event(pushed) = side.service.push(&mut subscription, now) else {
        panic!("no event");
    };
    let error = crate::ServiceError::new(crate::ErrorCode::KmsOptInRequired, "no");
    let [json, cbor] = [Protocol::Json, Protocol::Cbor].map(|protocol| {
        let framed = [event(protocol, &pushed), exception(protocol, &error)];
        framed.map(|framed| unframed(protocol, &framed))
    });
    assert_eq!(json, cbor);
    let [(headers, event), (refused, words)] = json;
    assert_eq!(headers[1].1, "SubscribeToShardEvent");
    assert_eq!(event["Records"][0]["Data"], "AP9/");
    assert_eq!(event["ChildShards"].as_array().map(Vec::len), Some(2));
    assert!(event.get("ContinuationSequenceNumber").is_none());
    assert_eq!(refused[0].1, "exception");
    assert_eq!(refused[1].1, "KMSOptInRequired");
    assert_eq!(words, json!({"message": "no"}));
}
