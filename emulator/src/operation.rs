//! The operations that are served.

/// An operation of Kinesis Data Streams that the emulator serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is named as the service names it")]
pub enum Operation {
    AddTagsToStream,
    CreateStream,
    DecreaseStreamRetentionPeriod,
    DeleteStream,
    DeregisterStreamConsumer,
    DescribeLimits,
    DescribeStream,
    DescribeStreamConsumer,
    DescribeStreamSummary,
    DisableEnhancedMonitoring,
    EnableEnhancedMonitoring,
    GetRecords,
    GetShardIterator,
    IncreaseStreamRetentionPeriod,
    ListShards,
    ListStreamConsumers,
    ListStreams,
    ListTagsForResource,
    ListTagsForStream,
    MergeShards,
    PutRecord,
    PutRecords,
    RegisterStreamConsumer,
    RemoveTagsFromStream,
    SplitShard,
    StartStreamEncryption,
    StopStreamEncryption,
    SubscribeToShard,
    TagResource,
    UntagResource,
    UpdateMaxRecordSize,
    UpdateShardCount,
    UpdateStreamMode,
    UpdateStreamRecordDistributionStrategy,
}

impl Operation {
    /// Every operation, in the order of their names.
    pub const ALL: [Self; 34] = [
        Self::AddTagsToStream,
        Self::CreateStream,
        Self::DecreaseStreamRetentionPeriod,
        Self::DeleteStream,
        Self::DeregisterStreamConsumer,
        Self::DescribeLimits,
        Self::DescribeStream,
        Self::DescribeStreamConsumer,
        Self::DescribeStreamSummary,
        Self::DisableEnhancedMonitoring,
        Self::EnableEnhancedMonitoring,
        Self::GetRecords,
        Self::GetShardIterator,
        Self::IncreaseStreamRetentionPeriod,
        Self::ListShards,
        Self::ListStreamConsumers,
        Self::ListStreams,
        Self::ListTagsForResource,
        Self::ListTagsForStream,
        Self::MergeShards,
        Self::PutRecord,
        Self::PutRecords,
        Self::RegisterStreamConsumer,
        Self::RemoveTagsFromStream,
        Self::SplitShard,
        Self::StartStreamEncryption,
        Self::StopStreamEncryption,
        Self::SubscribeToShard,
        Self::TagResource,
        Self::UntagResource,
        Self::UpdateMaxRecordSize,
        Self::UpdateShardCount,
        Self::UpdateStreamMode,
        Self::UpdateStreamRecordDistributionStrategy,
    ];

    /// The name, as in `x-amz-target`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AddTagsToStream => "AddTagsToStream",
            Self::CreateStream => "CreateStream",
            Self::DecreaseStreamRetentionPeriod => "DecreaseStreamRetentionPeriod",
            Self::DeleteStream => "DeleteStream",
            Self::DeregisterStreamConsumer => "DeregisterStreamConsumer",
            Self::DescribeLimits => "DescribeLimits",
            Self::DescribeStream => "DescribeStream",
            Self::DescribeStreamConsumer => "DescribeStreamConsumer",
            Self::DescribeStreamSummary => "DescribeStreamSummary",
            Self::DisableEnhancedMonitoring => "DisableEnhancedMonitoring",
            Self::EnableEnhancedMonitoring => "EnableEnhancedMonitoring",
            Self::GetRecords => "GetRecords",
            Self::GetShardIterator => "GetShardIterator",
            Self::IncreaseStreamRetentionPeriod => "IncreaseStreamRetentionPeriod",
            Self::ListShards => "ListShards",
            Self::ListStreamConsumers => "ListStreamConsumers",
            Self::ListStreams => "ListStreams",
            Self::ListTagsForResource => "ListTagsForResource",
            Self::ListTagsForStream => "ListTagsForStream",
            Self::MergeShards => "MergeShards",
            Self::PutRecord => "PutRecord",
            Self::PutRecords => "PutRecords",
            Self::RegisterStreamConsumer => "RegisterStreamConsumer",
            Self::RemoveTagsFromStream => "RemoveTagsFromStream",
            Self::SplitShard => "SplitShard",
            Self::StartStreamEncryption => "StartStreamEncryption",
            Self::StopStreamEncryption => "StopStreamEncryption",
            Self::SubscribeToShard => "SubscribeToShard",
            Self::TagResource => "TagResource",
            Self::UntagResource => "UntagResource",
            Self::UpdateMaxRecordSize => "UpdateMaxRecordSize",
            Self::UpdateShardCount => "UpdateShardCount",
            Self::UpdateStreamMode => "UpdateStreamMode",
            Self::UpdateStreamRecordDistributionStrategy => {
                "UpdateStreamRecordDistributionStrategy"
            }
        }
    }

    pub(crate) fn of_target(target: &str) -> Option<Self> {
        let name = target.strip_prefix("Kinesis_20131202.")?;
        Self::ALL.into_iter().find(|known| known.as_str() == name)
    }

    /// Whether a request may leave the streams otherwise than it found them.
    pub(crate) const fn is_change(self) -> bool {
        !matches!(
            self,
            Self::DescribeLimits
                | Self::DescribeStream
                | Self::DescribeStreamConsumer
                | Self::DescribeStreamSummary
                | Self::GetRecords
                | Self::GetShardIterator
                | Self::ListShards
                | Self::ListStreamConsumers
                | Self::ListStreams
                | Self::ListTagsForResource
                | Self::ListTagsForStream
                | Self::SubscribeToShard
        )
    }

    /// The code with which the service sheds load of this operation.
    pub(crate) const fn throttle(self) -> crate::ErrorCode {
        match self {
            Self::GetRecords | Self::GetShardIterator | Self::PutRecord | Self::PutRecords => {
                crate::ErrorCode::ProvisionedThroughputExceeded
            }
            _ => crate::ErrorCode::LimitExceeded,
        }
    }
}
