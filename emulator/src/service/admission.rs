//! Call rates of the control plane, counted per account.

use super::bucket::Bucket;
use super::{Limits, Moment, Service};
use crate::Operation;
use crate::error::{ErrorCode, ServiceError};
use crate::limits;
use std::collections::BTreeMap;

pub(crate) type AccountMeters = BTreeMap<Operation, Bucket>;

const fn calls_a_second(operation: Operation) -> Option<u32> {
    match operation {
        Operation::AddTagsToStream
        | Operation::CreateStream
        | Operation::DecreaseStreamRetentionPeriod
        | Operation::DeleteStream
        | Operation::DisableEnhancedMonitoring
        | Operation::EnableEnhancedMonitoring
        | Operation::IncreaseStreamRetentionPeriod
        | Operation::ListStreams
        | Operation::ListTagsForResource
        | Operation::ListTagsForStream
        | Operation::MergeShards
        | Operation::RegisterStreamConsumer
        | Operation::RemoveTagsFromStream
        | Operation::SplitShard
        | Operation::StartStreamEncryption
        | Operation::StopStreamEncryption
        | Operation::TagResource
        | Operation::UntagResource
        | Operation::UpdateMaxRecordSize
        | Operation::UpdateStreamMode
        | Operation::UpdateStreamRecordDistributionStrategy => Some(limits::CONTROL_PER_SECOND),
        Operation::UpdateShardCount => Some(limits::UPDATE_SHARD_COUNT_PER_SECOND),
        Operation::DescribeLimits => Some(limits::DESCRIBE_LIMITS_PER_SECOND),
        Operation::DescribeStream => Some(limits::DESCRIBE_STREAM_PER_SECOND),
        Operation::DescribeStreamSummary => Some(limits::DESCRIBE_STREAM_SUMMARY_PER_SECOND),
        // Counted per stream or per shard, where the request is carried out.
        Operation::DeregisterStreamConsumer
        | Operation::DescribeStreamConsumer
        | Operation::ListStreamConsumers
        | Operation::SubscribeToShard
        | Operation::ListShards
        | Operation::GetShardIterator
        | Operation::GetRecords
        | Operation::PutRecord
        | Operation::PutRecords => None,
    }
}

impl Service {
    /// Counts one call against the account's rate.
    pub(crate) fn admit(&mut self, operation: Operation, now: Moment) -> Result<(), ServiceError> {
        let Some(rate) = calls_a_second(operation) else {
            return Ok(());
        };
        if self.settings.limits == Limits::Off {
            return Ok(());
        }
        let meter = self
            .account_meters
            .entry(operation)
            .or_insert_with(|| Bucket::full(rate as usize, now));
        if meter.take(1, now) {
            return Ok(());
        }
        Err(ServiceError::new(
            ErrorCode::LimitExceeded,
            format!(
                "Rate exceeded for {} under account {}.",
                operation.as_str(),
                self.settings.account
            ),
        ))
    }
}
