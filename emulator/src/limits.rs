//! The service's numbers: those that applications keep too, from `kinesis-app-rules`, and those
//! that only a service needs, here.
//!
//! Sources: "model" is the service's API model, "api" the API reference page of the operation,
//! "quotas" the developer guide's page "Quotas and limits".

#[cfg(test)]
pub(crate) use kinesis_app_rules::limits::GET_RECORDS_PENALTY;
use std::ops::RangeInclusive;
use std::time::Duration;

pub(crate) use kinesis_app_rules::limits::{
    DESCRIBE_STREAM_SUMMARY_PER_SECOND, GET_RECORDS_BYTES, GET_RECORDS_PER_SECOND,
    GET_RECORDS_RECORDS, GET_SHARD_ITERATOR_PER_SECOND, ITERATOR_LIFETIME, LIST_SHARDS_PER_SECOND,
    LIST_SHARDS_RESULTS, LIST_SHARDS_TOKEN_LIFETIME, NAME_CHARS, PARTITION_KEY_CHARS,
    PUT_RECORDS_RECORDS, RECORD_BYTES, RECORD_BYTES_MOST, RETENTION_LEAST, RETENTION_MOST,
    SEQUENCE_NUMBER_DIGITS, SHARD_COUNT, SHARD_READ_BYTES_PER_SECOND, SHARD_WRITE_BYTES_PER_SECOND,
    SHARD_WRITE_RECORDS_PER_SECOND,
};

/// Calls a second of most operations of the control plane, each, in one account (api; quotas for the
/// retention, monitoring and mode operations; taken over for `UpdateMaxRecordSize`, the encryption
/// operations and those on tags of resources, whose rate is not documented).
pub(crate) const CONTROL_PER_SECOND: u32 = 5;

/// `DescribeStream` calls a second in one account (api).
pub(crate) const DESCRIBE_STREAM_PER_SECOND: u32 = 10;

/// Shards of one `ListShards` answer when the call asks for none or more (api: "The default value
/// is 1000. If you specify a value greater than 1000, at most 1000 results are returned").
pub(crate) const LIST_SHARDS_PAGE: usize = 1_000;

/// Shards of one `DescribeStream` answer when the call asks for none or more (api: "The default
/// value is 100. If you specify a value greater than 100, at most 100 results are returned").
pub(crate) const DESCRIBE_STREAM_PAGE: usize = 100;

/// `MaxRecordSizeInKiB` of `CreateStream` (model).
pub(crate) const RECORD_KIB: RangeInclusive<i64> = 1_024..=10_240;

/// Most characters of a shard iterator (model).
pub(crate) const ITERATOR_CHARS: usize = 512;

/// Most characters of a `NextToken` (model).
pub(crate) const NEXT_TOKEN_CHARS: usize = 1_048_576;

/// Streams that may be `CREATING` at a time (api, `CreateStream`).
pub(crate) const CREATING_STREAMS: usize = 5;

/// Open shards of an account in the largest regions (quotas).
pub(crate) const ACCOUNT_SHARDS: usize = 20_000;

/// Shards of a new on-demand stream (quotas: it takes 4 MB a second).
pub(crate) const ON_DEMAND_SHARDS: u32 = 4;

/// How far from its own time the service takes a signature's (general reference, "Signature Version
/// 4": 5 minutes).
pub(crate) const SIGNATURE_TOLERANCE: Duration = Duration::from_mins(5);

/// `DescribeLimits` calls a second in one account (api).
pub(crate) const DESCRIBE_LIMITS_PER_SECOND: u32 = 1;

/// `UpdateShardCount` calls a second in one account (api).
pub(crate) const UPDATE_SHARD_COUNT_PER_SECOND: u32 = 10;

/// `UpdateShardCount` calls in 24 hours on one stream (api).
pub(crate) const SCALINGS_PER_DAY: usize = 10;

/// Shards that `UpdateShardCount` can reach in one stream (api).
pub(crate) const SCALED_SHARDS: usize = 10_000;

/// Changes of mode in 24 hours on one stream (developer guide, "Choose the data stream capacity mode").
pub(crate) const MODE_CHANGES_PER_DAY: usize = 2;

/// Starts, and stops, of encryption in 24 hours on one stream (api).
pub(crate) const ENCRYPTION_CHANGES_PER_DAY: usize = 25;

/// On-demand streams of an account (quotas).
pub(crate) const ON_DEMAND_STREAMS: usize = 50;

/// `DescribeStreamConsumer` calls a second on one stream (api).
pub(crate) const DESCRIBE_STREAM_CONSUMER_PER_SECOND: u32 = 20;

/// Consumers of one stream (api, `RegisterStreamConsumer`: 50 for accounts with on-demand advantage,
/// which needs a commitment that the account of an emulator has not made).
pub(crate) const CONSUMERS: usize = 20;

/// Consumers that may be `CREATING` at a time (api, `RegisterStreamConsumer`).
pub(crate) const CREATING_CONSUMERS: usize = 5;

/// `SubscribeToShard` calls a second of one consumer on one shard (api).
pub(crate) const SUBSCRIBE_TO_SHARD_PER_SECOND: u32 = 1;

/// For so long after a subscription is another of the same consumer and shard refused (api).
pub(crate) const SUBSCRIBE_AGAIN_AFTER: Duration = Duration::from_secs(5);

/// How long a subscription is pushed events (api).
pub(crate) const SUBSCRIPTION_LIFETIME: Duration = Duration::from_mins(5);

/// The longest silence of a subscription. Not documented; clients have seen about this.
pub(crate) const SUBSCRIPTION_HEARTBEAT: Duration = Duration::from_secs(5);

/// Bytes a second of one consumer from one shard (api, `RegisterStreamConsumer`: 2 MiB).
pub(crate) const CONSUMER_READ_BYTES_PER_SECOND: usize = SHARD_READ_BYTES_PER_SECOND;

/// Most bytes of the records of one event, unless its first is larger. Not documented; half of what
/// a consumer is given in a second.
pub(crate) const EVENT_BYTES: usize = CONSUMER_READ_BYTES_PER_SECOND / 2;

/// Most records of one event. Not documented; as many as one `GetRecords` returns.
pub(crate) const EVENT_RECORDS: usize = GET_RECORDS_RECORDS as usize;

/// Consumers of one `ListStreamConsumers` answer when the call asks for none or more (api).
pub(crate) const LIST_CONSUMERS_PAGE: usize = 100;

/// Streams of one `ListStreams` answer when the call asks for none or more (api).
pub(crate) const LIST_STREAMS_PAGE: usize = 100;

/// Tags of one stream (api, `AddTagsToStream`).
pub(crate) const TAGS: usize = 50;

/// Tags of one request (model, `TagMap`).
pub(crate) const TAGS_PER_CALL: usize = 200;

/// Tag keys of one request (model, `TagKeyList`), and of one page of `ListTagsForStream` (model).
pub(crate) const TAG_KEYS_PER_CALL: usize = 50;

/// Most characters of the key of a tag (model).
pub(crate) const TAG_KEY_CHARS: usize = 128;

/// Most characters of the value of a tag (model).
pub(crate) const TAG_VALUE_CHARS: usize = 256;

/// Metrics of one request (model, `MetricsNameList`).
pub(crate) const METRICS_PER_CALL: usize = 7;

/// Most characters of the name of a key (model, `KeyId`).
pub(crate) const KEY_ID_CHARS: usize = 2_048;
