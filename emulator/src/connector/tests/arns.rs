//! A stream may be named by its ARN alone, wherever a stream is named.

use super::fuzz::needed;
use super::{JSON, headers, post};
use crate::{Kinesis, Limits, Operation};
use serde_json::{Map, Value, json};
use std::time::Duration;

const STREAM: &str = "arn:aws:kinesis:us-east-1:000000000000:stream/s";

fn value(member: &str) -> Value {
    match member {
        "StreamName" | "StreamARN" | "ResourceARN" => json!(STREAM),
        "Data" => json!("eHg="),
        "PartitionKey" | "KeyId" => json!("k"),
        "Records" => json!([{"Data": "eHg=", "PartitionKey": "k"}]),
        "ShardId" | "ShardToSplit" | "ShardToMerge" => json!("shardId-000000000000"),
        "AdjacentShardToMerge" => json!("shardId-000000000001"),
        "NewStartingHashKey" => json!("7"),
        "ShardIteratorType" => json!("LATEST"),
        "TargetShardCount" => json!(4),
        "ScalingType" => json!("UNIFORM_SCALING"),
        "StreamModeDetails" => json!({"StreamMode": "ON_DEMAND"}),
        "MaxRecordSizeInKiB" => json!(2_048),
        "RetentionPeriodHours" => json!(24),
        "ShardLevelMetrics" => json!(["ALL"]),
        "EncryptionType" => json!("KMS"),
        "Limit" => json!(1),
        "Tags" => json!({"a": "b"}),
        "ConsumerName" => json!("c"),
        "TagKeys" => json!(["a"]),
        other => panic!("{other} is no member of these operations"),
    }
}

#[tokio::test(start_paused = true)]
async fn every_operation_on_a_stream_takes_its_arn_alone() {
    let mut tried = 0;
    for operation in Operation::ALL {
        let members = needed(operation);
        let about_a_stream = members.contains(&"StreamName") || members.contains(&"StreamARN");
        let by_more = matches!(
            operation,
            // It names what is not there yet; it needs a stream on demand.
            Operation::CreateStream | Operation::UpdateStreamRecordDistributionStrategy
        );
        if !about_a_stream || by_more {
            continue;
        }
        let builder = Kinesis::builder().limits(Limits::Off);
        let kinesis = builder.latency(Duration::ZERO).build();
        kinesis.create_stream("s", 2).unwrap();
        let body: Map<String, Value> = members
            .iter()
            .map(|member| match *member {
                "StreamName" => ("StreamARN".to_owned(), value("StreamARN")),
                member => (member.to_owned(), value(member)),
            })
            .collect();
        let body = Value::Object(body).to_string();
        let answered = post(&kinesis, &headers(operation, JSON), body.into_bytes()).await;
        let said = String::from_utf8_lossy(&answered.body);
        assert_eq!(answered.status, 200, "{operation:?}: {said}");
        tried += 1;
    }
    assert_eq!(tried, 23);
}
