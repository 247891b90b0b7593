//! Bodies that the SDK would not send, and what is said about them.

use crate::wire::{Protocol, decode};
use crate::{ErrorCode, Operation, Operation as O};
use serde_json::{Value, json};

const STREAM: &str = "arn:aws:kinesis:us-east-1:000000000000:stream/s";

#[track_caller]
fn refused(operation: Operation, body: &Value, code: ErrorCode, words: &str) {
    let body = body.to_string();
    let error = decode(Protocol::Json, operation, body.as_bytes()).expect_err("it is refused");
    assert_eq!(error.code(), code, "{body}");
    assert!(error.message().contains(words), "{error}");
}

#[test]
fn members_that_are_needed_are_named() {
    let missing = |operation, body, member: &str| {
        let words = format!("Value null at '{member}'");
        refused(operation, &body, ErrorCode::Validation, &words);
    };
    missing(
        O::UpdateShardCount,
        json!({"StreamName": "s"}),
        "targetShardCount",
    );
    missing(
        O::UpdateShardCount,
        json!({"StreamName": "s", "TargetShardCount": 2}),
        "scalingType",
    );
    missing(
        O::UpdateStreamMode,
        json!({"StreamARN": STREAM}),
        "streamModeDetails",
    );
    missing(
        O::UpdateStreamMode,
        json!({"StreamModeDetails": {"StreamMode": "ON_DEMAND"}}),
        "streamARN",
    );
    missing(
        O::UpdateStreamMode,
        json!({"StreamARN": STREAM, "StreamModeDetails": {}}),
        "streamModeDetails.streamMode",
    );
    missing(
        O::UpdateStreamRecordDistributionStrategy,
        json!({"StreamARN": STREAM}),
        "recordDistributionStrategy",
    );
    missing(
        O::UpdateMaxRecordSize,
        json!({"StreamARN": STREAM}),
        "maxRecordSizeInKiB",
    );
    missing(
        O::UpdateMaxRecordSize,
        json!({"MaxRecordSizeInKiB": 1024}),
        "streamARN",
    );
    for operation in [
        O::IncreaseStreamRetentionPeriod,
        O::DecreaseStreamRetentionPeriod,
    ] {
        missing(
            operation,
            json!({"StreamName": "s"}),
            "retentionPeriodHours",
        );
    }
    for operation in [O::EnableEnhancedMonitoring, O::DisableEnhancedMonitoring] {
        missing(operation, json!({"StreamName": "s"}), "shardLevelMetrics");
    }
    for operation in [O::StartStreamEncryption, O::StopStreamEncryption] {
        missing(
            operation,
            json!({"StreamName": "s", "KeyId": "k"}),
            "encryptionType",
        );
        missing(
            operation,
            json!({"StreamName": "s", "EncryptionType": "KMS"}),
            "keyId",
        );
    }
    missing(O::AddTagsToStream, json!({"StreamName": "s"}), "tags");
    missing(
        O::RemoveTagsFromStream,
        json!({"StreamName": "s"}),
        "tagKeys",
    );
    missing(O::TagResource, json!({"Tags": {"a": "b"}}), "resourceARN");
    missing(O::UntagResource, json!({"ResourceARN": STREAM}), "tagKeys");
    missing(O::ListTagsForResource, json!({}), "resourceARN");
}

#[test]
fn a_stream_is_named_in_every_operation_about_one() {
    let full = json!({
        "TargetShardCount": 2, "ScalingType": "UNIFORM_SCALING", "RetentionPeriodHours": 24,
        "ShardLevelMetrics": ["ALL"], "EncryptionType": "KMS", "KeyId": "k", "Tags": {"a": "b"},
        "TagKeys": ["a"],
    });
    for operation in [
        O::UpdateShardCount,
        O::IncreaseStreamRetentionPeriod,
        O::DecreaseStreamRetentionPeriod,
        O::EnableEnhancedMonitoring,
        O::DisableEnhancedMonitoring,
        O::StartStreamEncryption,
        O::StopStreamEncryption,
        O::AddTagsToStream,
        O::RemoveTagsFromStream,
        O::ListTagsForStream,
    ] {
        let words = "Either StreamARN or StreamName should be provided.";
        refused(operation, &full, ErrorCode::InvalidArgument, words);
        let mut named = full.clone();
        named["StreamName"] = "no name!".into();
        refused(operation, &named, ErrorCode::Validation, "'streamName'");
        named["StreamName"] = "s".into();
        let body = named.to_string();
        assert!(
            decode(Protocol::Json, operation, body.as_bytes()).is_ok(),
            "{operation:?}"
        );
    }
}

#[test]
fn arns_of_resources_keep_their_pattern() {
    for arn in [
        "s",
        "",
        "arn:aws:s3:::bucket",
        "arn:aws:kinesis:r:12:stream/s",
    ] {
        let body = json!({"ResourceARN": arn});
        refused(
            Operation::ListTagsForResource,
            &body,
            ErrorCode::Validation,
            "'resourceARN'",
        );
    }
    // Other resources may be tagged in the service; there are none here.
    for other in ["queue/q", "channel/c", "stream/s/consumer/c"] {
        let body = json!({"ResourceARN": STREAM.replace("stream/s", other)});
        refused(
            Operation::ListTagsForResource,
            &body,
            ErrorCode::ResourceNotFound,
            other,
        );
    }
    let body = json!({"StreamARN": "s", "MaxRecordSizeInKiB": 1024});
    refused(
        Operation::UpdateMaxRecordSize,
        &body,
        ErrorCode::Validation,
        "'streamARN'",
    );
}

#[test]
fn members_of_another_type_are_no_body_of_the_operation() {
    for (operation, body) in [
        (O::ListStreams, json!({"Limit": "1"})),
        (O::ListStreams, json!([])),
        (O::DescribeLimits, json!("")),
        (O::UpdateShardCount, json!({"TargetShardCount": 1.5})),
        (O::AddTagsToStream, json!({"Tags": [["a", "b"]]})),
        (O::AddTagsToStream, json!({"Tags": {"a": null}})),
        (
            O::EnableEnhancedMonitoring,
            json!({"ShardLevelMetrics": "ALL"}),
        ),
        (
            O::UpdateStreamMode,
            json!({"StreamModeDetails": "ON_DEMAND"}),
        ),
    ] {
        refused(operation, &body, ErrorCode::Serialization, "");
    }
}
