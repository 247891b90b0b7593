//! The members of each request, as they stand in its body.
//!
//! Everything is optional here: that a member is missing is for `decode` to say, in the service's
//! words. Wrong types fail here, as a SerializationException.

use crate::service::Moment;
use base64_simd::STANDARD;
use bytes::Bytes;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;

/// A payload: base64 in JSON, bytes in CBOR.
#[derive(Debug)]
pub(crate) struct Blob(pub(crate) Bytes);

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Base64)
        } else {
            deserializer.deserialize_bytes(Raw)
        }
    }
}

struct Base64;

impl Visitor<'_> for Base64 {
    type Value = Blob;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a blob in base64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Blob, E> {
        let data = STANDARD
            .decode_to_vec(text.as_bytes())
            .map_err(|_| E::custom("a blob is not base64"))?;
        Ok(Blob(data.into()))
    }
}

struct Raw;

impl Visitor<'_> for Raw {
    type Value = Blob;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a byte string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Blob, E> {
        Ok(Blob(Bytes::copy_from_slice(bytes)))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Blob, E> {
        Ok(Blob(bytes.into()))
    }
}

/// A time, in milliseconds: JSON writes seconds with a fraction. CBOR writes milliseconds under tag
/// 1, against the tag's definition; the unit does not change with the kind of the number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time(f64);

impl Time {
    /// What was meant, if it lies within the years that can be written.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the value is rounded and known to lie between zero and the year 10000"
    )]
    pub(crate) fn moment(self) -> Option<Moment> {
        const YEAR_10000: f64 = 253_402_300_800_000.0;
        let sound = (0.0..YEAR_10000).contains(&self.0);
        sound.then(|| Moment::from_millis(self.0.round() as u64))
    }

    pub(crate) const fn millis(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let per_unit = if deserializer.is_human_readable() {
            1_000.0
        } else {
            1.0
        };
        f64::deserialize(deserializer).map(|number| Self(number * per_unit))
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StreamInput {
    pub(crate) stream_name: Option<String>,
    #[serde(rename = "StreamARN")]
    pub(crate) stream_arn: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct CreateStreamInput {
    pub(crate) stream_name: Option<String>,
    pub(crate) shard_count: Option<i64>,
    pub(crate) stream_mode_details: Option<StreamModeDetails>,
    #[serde(rename = "MaxRecordSizeInKiB")]
    pub(crate) max_record_size: Option<i64>,
    pub(crate) record_distribution_strategy: Option<String>,
    pub(crate) tags: Option<BTreeMap<String, String>>,
    #[serde(rename = "WarmThroughputMiBps")]
    pub(crate) warm_throughput: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StreamModeDetails {
    pub(crate) stream_mode: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct DescribeStreamInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    pub(crate) limit: Option<i64>,
    pub(crate) exclusive_start_shard_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ListShardsInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    pub(crate) next_token: Option<String>,
    pub(crate) exclusive_start_shard_id: Option<String>,
    pub(crate) max_results: Option<i64>,
    pub(crate) stream_creation_timestamp: Option<Time>,
    pub(crate) shard_filter: Option<ShardFilterInput>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ShardFilterInput {
    #[serde(rename = "Type")]
    pub(crate) kind: Option<String>,
    pub(crate) shard_id: Option<String>,
    pub(crate) timestamp: Option<Time>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct EntryInput {
    pub(crate) data: Option<Blob>,
    pub(crate) partition_key: Option<String>,
    pub(crate) explicit_hash_key: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct PutRecordInput {
    pub(crate) stream_name: Option<String>,
    #[serde(rename = "StreamARN")]
    pub(crate) stream_arn: Option<String>,
    // Not flattened: that would copy every payload once more.
    pub(crate) data: Option<Blob>,
    pub(crate) partition_key: Option<String>,
    pub(crate) explicit_hash_key: Option<String>,
    pub(crate) dry_run: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct PutRecordsInput {
    pub(crate) stream_name: Option<String>,
    #[serde(rename = "StreamARN")]
    pub(crate) stream_arn: Option<String>,
    pub(crate) records: Option<Vec<EntryInput>>,
    pub(crate) dry_run: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct GetShardIteratorInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    pub(crate) shard_id: Option<String>,
    pub(crate) shard_iterator_type: Option<String>,
    pub(crate) starting_sequence_number: Option<String>,
    pub(crate) timestamp: Option<Time>,
    pub(crate) dry_run: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct GetRecordsInput {
    pub(crate) shard_iterator: Option<String>,
    pub(crate) limit: Option<i64>,
    #[serde(rename = "StreamARN")]
    pub(crate) stream_arn: Option<String>,
    pub(crate) dry_run: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct SplitShardInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    pub(crate) shard_to_split: Option<String>,
    pub(crate) new_starting_hash_key: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct MergeShardsInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    pub(crate) shard_to_merge: Option<String>,
    pub(crate) adjacent_shard_to_merge: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ListStreamsInput {
    pub(crate) limit: Option<i64>,
    pub(crate) exclusive_start_stream_name: Option<String>,
    pub(crate) next_token: Option<String>,
}

/// `DescribeLimits` takes nothing, but takes it in a body.
#[derive(Debug, Deserialize)]
pub(crate) struct NothingInput {}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct UpdateShardCountInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    pub(crate) target_shard_count: Option<i64>,
    pub(crate) scaling_type: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct UpdateStreamModeInput {
    #[serde(rename = "StreamARN")]
    pub(crate) stream_arn: Option<String>,
    pub(crate) stream_mode_details: Option<StreamModeDetails>,
    #[serde(rename = "WarmThroughputMiBps")]
    pub(crate) warm_throughput: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct UpdateDistributionInput {
    #[serde(rename = "StreamARN")]
    pub(crate) stream_arn: Option<String>,
    pub(crate) record_distribution_strategy: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct RetentionInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    pub(crate) retention_period_hours: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct UpdateMaxRecordSizeInput {
    #[serde(rename = "StreamARN")]
    pub(crate) stream_arn: Option<String>,
    #[serde(rename = "MaxRecordSizeInKiB")]
    pub(crate) max_record_size: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct MonitoringInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    pub(crate) shard_level_metrics: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct EncryptionInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    pub(crate) encryption_type: Option<String>,
    pub(crate) key_id: Option<String>,
}

/// Of the operations that edit or list tags, those for a stream and those for a resource alike.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct TagsInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    #[serde(rename = "ResourceARN")]
    pub(crate) resource_arn: Option<String>,
    pub(crate) tags: Option<BTreeMap<String, String>>,
    pub(crate) tag_keys: Option<Vec<String>>,
    pub(crate) exclusive_start_tag_key: Option<String>,
    pub(crate) limit: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct DeleteStreamInput {
    #[serde(flatten)]
    pub(crate) stream: StreamInput,
    pub(crate) enforce_consumer_deletion: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct RegisterConsumerInput {
    #[serde(rename = "StreamARN")]
    pub(crate) stream_arn: Option<String>,
    pub(crate) consumer_name: Option<String>,
    pub(crate) tags: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct SubscribeInput {
    #[serde(rename = "ConsumerARN")]
    pub(crate) consumer_arn: Option<String>,
    pub(crate) shard_id: Option<String>,
    pub(crate) starting_position: Option<StartingPosition>,
    pub(crate) dry_run: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StartingPosition {
    #[serde(rename = "Type")]
    pub(crate) kind: Option<String>,
    pub(crate) sequence_number: Option<String>,
    pub(crate) timestamp: Option<Time>,
}

/// Of the operations that name a consumer in one of two ways.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ConsumerInput {
    #[serde(rename = "StreamARN")]
    pub(crate) stream_arn: Option<String>,
    pub(crate) consumer_name: Option<String>,
    #[serde(rename = "ConsumerARN")]
    pub(crate) consumer_arn: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ListConsumersInput {
    #[serde(rename = "StreamARN")]
    pub(crate) stream_arn: Option<String>,
    pub(crate) next_token: Option<String>,
    pub(crate) max_results: Option<i64>,
    pub(crate) stream_creation_timestamp: Option<Time>,
}
