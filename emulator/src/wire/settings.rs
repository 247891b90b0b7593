//! The requests about streams as wholes: their list, their settings, their tags.

use super::check::{self, required};
use super::decode::{Body, Decoded, parse};
use super::input::{
    EncryptionInput, ListStreamsInput, MonitoringInput, NothingInput, RetentionInput,
    StreamModeDetails, UpdateDistributionInput, UpdateMaxRecordSizeInput, UpdateShardCountInput,
    UpdateStreamModeInput,
};
use super::tags;
use crate::Operation;
use crate::error::{ErrorCode, ServiceError};
use crate::limits;
use crate::service::account::StreamsFrom;
use crate::service::alter::Alteration;
use crate::service::metrics::Metrics;
use crate::service::request::{Distribution, Mode, Request, StreamRef};

pub(super) fn decode(operation: Operation, body: Body<'_>) -> Decoded<Request> {
    match operation {
        Operation::ListStreams => list_streams(parse(body)?),
        Operation::DescribeLimits => {
            parse::<NothingInput>(body)?;
            Ok(Request::DescribeLimits)
        }
        Operation::UpdateShardCount => update_shard_count(parse(body)?),
        Operation::UpdateStreamMode => update_stream_mode(parse(body)?),
        Operation::UpdateStreamRecordDistributionStrategy => update_distribution(parse(body)?),
        Operation::UpdateMaxRecordSize => update_max_record_size(parse(body)?),
        Operation::IncreaseStreamRetentionPeriod => {
            retention(parse(body)?, Alteration::IncreaseRetention)
        }
        Operation::DecreaseStreamRetentionPeriod => {
            retention(parse(body)?, Alteration::DecreaseRetention)
        }
        Operation::EnableEnhancedMonitoring => monitoring(parse(body)?, Alteration::EnableMetrics),
        Operation::DisableEnhancedMonitoring => {
            monitoring(parse(body)?, Alteration::DisableMetrics)
        }
        Operation::StartStreamEncryption => encryption(parse(body)?, Alteration::StartEncryption),
        Operation::StopStreamEncryption => encryption(parse(body)?, |_| Alteration::StopEncryption),
        operation => tags::decode(operation, parse(body)?),
    }
}

fn list_streams(input: ListStreamsInput) -> Decoded<Request> {
    let limit = check::page(input.limit, limits::LIST_STREAMS_PAGE, "limit")?;
    let after = input
        .exclusive_start_stream_name
        .map(|name| check::name(name, "exclusiveStartStreamName"))
        .transpose()?;
    let from = match (after, input.next_token) {
        (Some(_), Some(_)) => {
            return Err(ServiceError::invalid(
                "NextToken and ExclusiveStartStreamName cannot be provided together.",
            ));
        }
        (Some(name), None) => StreamsFrom::After(name),
        (None, Some(token)) => {
            check::length(&token, 1, limits::NEXT_TOKEN_CHARS, "nextToken")?;
            StreamsFrom::Token(token)
        }
        (None, None) => StreamsFrom::First,
    };
    Ok(Request::ListStreams { from, limit })
}

fn update_shard_count(input: UpdateShardCountInput) -> Decoded<Request> {
    let target = required(input.target_shard_count, "targetShardCount")?;
    let target = check::within(
        target,
        &(1..=i64::from(limits::SHARD_COUNT)),
        "targetShardCount",
    )?;
    let scaling = required(input.scaling_type, "scalingType")?;
    check::one_of(&scaling, &[("UNIFORM_SCALING", ())], "scalingType")?;
    let target = u32::try_from(target).unwrap_or(limits::SHARD_COUNT);
    Ok(Request::Alter {
        stream: check::stream(input.stream)?,
        alteration: Alteration::ShardCount(target),
    })
}

/// A stream that is named by its ARN alone.
pub(super) fn by_arn(arn: Option<String>) -> Decoded<StreamRef> {
    let arn = check::arn(required(arn, "streamARN")?)?;
    Ok(StreamRef {
        name: None,
        arn: Some(arn),
    })
}

fn update_stream_mode(input: UpdateStreamModeInput) -> Decoded<Request> {
    let details = required(input.stream_mode_details, "streamModeDetails")?;
    no_warm_throughput(input.warm_throughput)?;
    Ok(Request::Alter {
        stream: by_arn(input.stream_arn)?,
        alteration: Alteration::Mode(mode(details)?),
    })
}

pub(super) fn mode(details: StreamModeDetails) -> Decoded<Mode> {
    let at = "streamModeDetails.streamMode";
    let modes = [
        ("PROVISIONED", Mode::Provisioned),
        ("ON_DEMAND", Mode::OnDemand),
    ];
    check::one_of(&required(details.stream_mode, at)?, &modes, at)
}

/// The account of an emulator has made no commitment, without which the service refuses this too.
pub(super) fn no_warm_throughput(asked: Option<i64>) -> Decoded<()> {
    match asked {
        None => Ok(()),
        Some(_) => Err(ServiceError::new(
            ErrorCode::Validation,
            "WarmThroughputMiBps needs MinimumThroughputBillingCommitment to be enabled for the account.",
        )),
    }
}

fn update_distribution(input: UpdateDistributionInput) -> Decoded<Request> {
    let strategy = required(
        input.record_distribution_strategy,
        "recordDistributionStrategy",
    )?;
    let alteration = Alteration::Distribution(distribution(&strategy)?);
    Ok(Request::Alter {
        stream: by_arn(input.stream_arn)?,
        alteration,
    })
}

pub(super) fn distribution(strategy: &str) -> Decoded<Distribution> {
    let strategies = [
        ("USER_PARTITION_KEY", Distribution::UserPartitionKey),
        ("AUTO", Distribution::Auto),
    ];
    check::one_of(strategy, &strategies, "recordDistributionStrategy")
}

fn update_max_record_size(input: UpdateMaxRecordSizeInput) -> Decoded<Request> {
    let kib = required(input.max_record_size, "maxRecordSizeInKiB")?;
    let alteration = Alteration::RecordBytes(record_bytes(kib)?);
    Ok(Request::Alter {
        stream: by_arn(input.stream_arn)?,
        alteration,
    })
}

pub(super) fn record_bytes(kib: i64) -> Decoded<usize> {
    let kib = check::within(kib, &limits::RECORD_KIB, "maxRecordSizeInKiB")?;
    Ok(usize::try_from(kib).unwrap_or_default() * 1_024)
}

fn retention(input: RetentionInput, alter: impl FnOnce(i64) -> Alteration) -> Decoded<Request> {
    let hours = required(input.retention_period_hours, "retentionPeriodHours")?;
    Ok(Request::Alter {
        stream: check::stream(input.stream)?,
        alteration: alter(hours),
    })
}

fn monitoring(
    input: MonitoringInput,
    alter: impl FnOnce(Metrics) -> Alteration,
) -> Decoded<Request> {
    let at = "shardLevelMetrics";
    let names = required(input.shard_level_metrics, at)?;
    check::entries(names.len(), limits::METRICS_PER_CALL, at)?;
    let mut metrics = Metrics::default();
    for name in &names {
        let Some(metric) = Metrics::of_name(name) else {
            let rule = format!(
                "Member must satisfy constraint: [Member must satisfy enum value set: [{}, ALL]]",
                Metrics::ALL.names().collect::<Vec<_>>().join(", ")
            );
            return Err(ServiceError::validation(at, Some(name), &rule));
        };
        metrics = metrics.with(metric);
    }
    Ok(Request::Alter {
        stream: check::stream(input.stream)?,
        alteration: alter(metrics),
    })
}

fn encryption(
    input: EncryptionInput,
    alter: impl FnOnce(String) -> Alteration,
) -> Decoded<Request> {
    let kind = required(input.encryption_type, "encryptionType")?;
    let encrypted = [("KMS", true), ("NONE", false)];
    let encrypted = check::one_of(&kind, &encrypted, "encryptionType")?;
    let key = required(input.key_id, "keyId")?;
    check::length(&key, 1, limits::KEY_ID_CHARS, "keyId")?;
    if !encrypted {
        return Err(ServiceError::invalid(
            "Invalid EncryptionType NONE: the only valid value is KMS.",
        ));
    }
    Ok(Request::Alter {
        stream: check::stream(input.stream)?,
        alteration: alter(key),
    })
}
