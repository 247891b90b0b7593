//! The members of each request, as they stand in its body.
//!
//! Everything is optional here: that a member is missing is for `decode` to say, in the service's
//! words. Wrong JSON types fail here, as a SerializationException.

use base64_simd::STANDARD;
use bytes::Bytes;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// A payload: base64 in the body.
#[derive(Debug)]
pub(crate) struct Blob(pub(crate) Bytes);

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
        let Text(text) = Text::deserialize(deserializer)?;
        let data = STANDARD
            .decode_to_vec(text.as_bytes())
            .map_err(|_| D::Error::custom("a blob is not base64"))?;
        Ok(Self(data.into()))
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
    pub(crate) stream_creation_timestamp: Option<f64>,
    pub(crate) shard_filter: Option<ShardFilterInput>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ShardFilterInput {
    #[serde(rename = "Type")]
    pub(crate) kind: Option<String>,
    pub(crate) shard_id: Option<String>,
    pub(crate) timestamp: Option<f64>,
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
    pub(crate) timestamp: Option<f64>,
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
