//! What the service allows. Every number names its source in the AWS documentation.

use core::time::Duration;

/// Most characters of a stream, consumer or application name. Source: API reference, `CreateStream`, pattern
/// `[a-zA-Z0-9_.-]{1,128}`; `RegisterStreamConsumer` has the same for consumers.
pub const NAME_CHARS: usize = 128;

/// Most characters of an ARN. Source: API reference, `StreamARN`, length 1 to 2048.
pub const ARN_CHARS: usize = 2048;

/// Digits of an account id in an ARN. Source: API reference, `StreamARN`, pattern `\d{12}`.
pub const ACCOUNT_DIGITS: usize = 12;

/// Most characters of a partition key. Source: API reference, `PutRecord`, `PartitionKey`, length 1 to 256.
pub const PARTITION_KEY_CHARS: usize = 256;

/// Most digits of an explicit hash key or of a shard's bounds. Source: API reference, `PutRecord`,
/// `ExplicitHashKey`, pattern `0|([1-9]\d{0,38})`.
pub const HASH_KEY_DIGITS: usize = 39;

/// Most digits of a sequence number. Source: API reference, `GetShardIterator`, `StartingSequenceNumber`, pattern
/// `0|([1-9]\d{0,128})`.
pub const SEQUENCE_NUMBER_DIGITS: usize = 129;

/// Most records that one `GetRecords` call returns. Source: API reference, `GetRecords`, `Limit`, 1 to 10000.
pub const GET_RECORDS_RECORDS: u32 = 10_000;

/// Most bytes that one `GetRecords` call returns. Source: API reference, `GetRecords`: 10 MiB.
pub const GET_RECORDS_BYTES: usize = 10 * MIB;

/// `GetRecords` calls a second on one shard, shared by every polling consumer. Source: developer guide, "Quotas and
/// limits", `GetRecords`.
pub const GET_RECORDS_PER_SECOND: u32 = 5;

/// The shortest pause that keeps [`GET_RECORDS_PER_SECOND`].
pub const GET_RECORDS_INTERVAL: Duration =
    Duration::from_millis(1000 / GET_RECORDS_PER_SECOND as u64);

/// For so long do calls throttle after an answer of [`GET_RECORDS_BYTES`]. Source: API reference, `GetRecords`:
/// "If a call to GetRecords returns 10 MB of data, subsequent calls made within the next 5 seconds throw an exception".
pub const GET_RECORDS_PENALTY: Duration = Duration::from_secs(5);

/// Bytes a second that one shard gives to all its polling consumers together. Source: developer guide, "Quotas and
/// limits": 2 MB a second.
pub const SHARD_READ_BYTES_PER_SECOND: usize = 2 * MIB;

/// Bytes a second that one shard takes. Source: developer guide, "Quotas and limits": 1 MB a second.
pub const SHARD_WRITE_BYTES_PER_SECOND: usize = MIB;

/// Records a second that one shard takes. Source: developer guide, "Quotas and limits": 1000 records a second.
pub const SHARD_WRITE_RECORDS_PER_SECOND: u32 = 1000;

/// `GetShardIterator` calls a second on one open shard. Source: API reference, `GetShardIterator`: "up to five
/// transactions per second per account per open shard".
pub const GET_SHARD_ITERATOR_PER_SECOND: u32 = 5;

/// A shard iterator expires so long after it was given out. Source: API reference, `GetShardIterator`: "A shard
/// iterator expires 5 minutes after it is returned to the requester".
pub const ITERATOR_LIFETIME: Duration = Duration::from_mins(5);

/// Most records of one `PutRecords` request. Source: API reference, `PutRecords`, 1 to 500.
pub const PUT_RECORDS_RECORDS: usize = 500;

/// Most bytes of one `PutRecords` request, partition keys included. Source: API reference, `PutRecords`: 10 MiB.
pub const PUT_RECORDS_BYTES: usize = 10 * MIB;

/// Bytes of data and partition key that a record may have unless the stream allows more. Source: developer guide,
/// "Large records": 1 MiB by default.
pub const RECORD_BYTES: usize = MIB;

/// The most that a stream can be set to allow for one record. Source: API reference, `UpdateMaxRecordSize`, 1024 to
/// 10240 KiB.
pub const RECORD_BYTES_MOST: usize = 10 * MIB;

/// `ListShards` calls a second on one stream. Source: API reference, `ListShards`: 1000 transactions a second.
pub const LIST_SHARDS_PER_SECOND: u32 = 1000;

/// Most shards that one `ListShards` answer holds. Source: API reference, `ListShards`, `MaxResults`, 1 to 10000.
pub const LIST_SHARDS_RESULTS: u32 = 10_000;

/// A page token of `ListShards` expires after so long. Source: API reference, `ListShards`, `NextToken`: 300 seconds.
pub const LIST_SHARDS_TOKEN_LIFETIME: Duration = Duration::from_mins(5);

/// `DescribeStreamSummary` calls a second in one account. Source: API reference, `DescribeStreamSummary`: 20.
pub const DESCRIBE_STREAM_SUMMARY_PER_SECOND: u32 = 20;

/// The shortest, and default, retention of a stream. Source: API reference, `IncreaseStreamRetentionPeriod`: 24 hours.
pub const RETENTION_LEAST: Duration = Duration::from_hours(24);

/// The longest retention of a stream. Source: API reference, `IncreaseStreamRetentionPeriod`: 8760 hours.
pub const RETENTION_MOST: Duration = Duration::from_hours(8760);

/// The most shards that the API can express. Source: API reference, `CreateStream`, `ShardCount`, an `Integer` of at
/// least 1; what an account may have is a quota that can be raised.
pub const SHARD_COUNT: u32 = i32::MAX as u32;

/// Fewest characters of a table's name. Source: DynamoDB developer guide, "Supported data types and naming rules": 3 to 255
/// of `a-z`, `A-Z`, `0-9`, `_`, `-` and `.`.
pub const TABLE_NAME_CHARS_LEAST: usize = 3;

/// Most characters of a table's name. Source: as [`TABLE_NAME_CHARS_LEAST`].
pub const TABLE_NAME_CHARS: usize = 255;

/// One MiB, the unit of the service's sizes.
pub const MIB: usize = 1024 * 1024;
