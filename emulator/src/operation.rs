//! The operations that are served.

/// An operation of Kinesis Data Streams that the emulator serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is named as the service names it")]
pub enum Operation {
    CreateStream,
    DeleteStream,
    DescribeStream,
    DescribeStreamSummary,
    GetRecords,
    GetShardIterator,
    ListShards,
    MergeShards,
    PutRecord,
    PutRecords,
    SplitShard,
}

impl Operation {
    /// Every operation, in the order of their names.
    pub const ALL: [Self; 11] = [
        Self::CreateStream,
        Self::DeleteStream,
        Self::DescribeStream,
        Self::DescribeStreamSummary,
        Self::GetRecords,
        Self::GetShardIterator,
        Self::ListShards,
        Self::MergeShards,
        Self::PutRecord,
        Self::PutRecords,
        Self::SplitShard,
    ];

    /// The name, as in `x-amz-target`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CreateStream => "CreateStream",
            Self::DeleteStream => "DeleteStream",
            Self::DescribeStream => "DescribeStream",
            Self::DescribeStreamSummary => "DescribeStreamSummary",
            Self::GetRecords => "GetRecords",
            Self::GetShardIterator => "GetShardIterator",
            Self::ListShards => "ListShards",
            Self::MergeShards => "MergeShards",
            Self::PutRecord => "PutRecord",
            Self::PutRecords => "PutRecords",
            Self::SplitShard => "SplitShard",
        }
    }

    pub(crate) fn of_target(target: &str) -> Option<Self> {
        let name = target.strip_prefix("Kinesis_20131202.")?;
        Self::ALL.into_iter().find(|known| known.as_str() == name)
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
