//! The service's numbers, each with its source.
//!
//! Sources: "model" is the service's API model, "quotas" the developer guide's page
//! "Quotas and limits", "api" the API reference page of the operation.

use std::time::Duration;

const MEBIBYTE: u64 = 1 << 20;

/// Data plus partition key of one record, unless the stream was created with more (quotas).
pub(crate) const RECORD_BYTES: u64 = MEBIBYTE;
/// `Data` of one record on any stream (model).
pub(crate) const DATA_BYTES_MAX: u64 = 10 * MEBIBYTE;
/// `MaxRecordSizeInKiB` (model).
pub(crate) const RECORD_KIB: std::ops::RangeInclusive<i64> = 1024..=10_240;
/// Unicode scalar values of a partition key (model).
pub(crate) const PARTITION_KEY_CHARS: usize = 256;
/// Entries of one `PutRecords` (model).
pub(crate) const PUT_RECORDS_ENTRIES: usize = 500;
/// Data and partition keys of one `PutRecords` (api).
pub(crate) const PUT_RECORDS_BYTES: u64 = 10 * MEBIBYTE;

/// Records of one `GetRecords` (model).
pub(crate) const GET_RECORDS_ROWS: usize = 10_000;
/// Data and partition keys of one `GetRecords` answer (api).
pub(crate) const GET_RECORDS_BYTES: u64 = 10 * MEBIBYTE;

/// Bytes and records that a shard takes in a second (quotas).
pub(crate) const SHARD_WRITE_BYTES: u64 = MEBIBYTE;
pub(crate) const SHARD_WRITE_RECORDS: u64 = 1_000;
/// Bytes and `GetRecords` calls that a shard answers in a second (quotas).
pub(crate) const SHARD_READ_BYTES: u64 = 2 * MEBIBYTE;
pub(crate) const SHARD_READ_CALLS: u64 = 5;
/// `GetShardIterator` calls that a shard answers in a second (api).
pub(crate) const SHARD_ITERATOR_CALLS: u64 = 5;

/// Calls a second, per account: `CreateStream`, `DeleteStream`, `SplitShard`, `MergeShards` (api).
pub(crate) const CONTROL_CALLS: u64 = 5;
/// `DescribeStream` calls a second, per account (api).
pub(crate) const DESCRIBE_CALLS: u64 = 10;
/// `DescribeStreamSummary` calls a second, per account (api).
pub(crate) const SUMMARY_CALLS: u64 = 20;
/// `ListShards` calls a second, per stream (api).
pub(crate) const LIST_SHARDS_CALLS: u64 = 1_000;

/// A shard iterator may be used for this long (api).
pub(crate) const ITERATOR_LIFE: Duration = Duration::from_mins(5);
/// A `NextToken` of `ListShards` may be used for this long (api).
pub(crate) const NEXT_TOKEN_LIFE: Duration = Duration::from_mins(5);
/// Length of a shard iterator (model).
pub(crate) const ITERATOR_CHARS: usize = 512;
/// Shards of one `ListShards` answer, when the call names none or more (api).
pub(crate) const LIST_SHARDS_PAGE: usize = 1_000;
/// Shards of one `DescribeStream` answer, when the call names none or more (api).
pub(crate) const DESCRIBE_PAGE: usize = 100;
/// `MaxResults` and `Limit` (model).
pub(crate) const PAGE_ASKED: std::ops::RangeInclusive<i64> = 1..=10_000;

/// Streams in `CREATING` at any time (api).
pub(crate) const CREATING_STREAMS: usize = 5;
/// Open shards of an account in the largest regions (quotas).
pub(crate) const ACCOUNT_SHARDS: usize = 20_000;
/// Shards of a new on-demand stream (quotas: 4 MB/s in).
pub(crate) const ON_DEMAND_SHARDS: u32 = 4;
/// How long a record is kept, unless told otherwise (api).
pub(crate) const RETENTION: Duration = Duration::from_hours(24);
/// Length of a stream name or shard id (model).
pub(crate) const NAME_CHARS: usize = 128;
