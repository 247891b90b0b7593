//! The calls of Kinesis that a consumer makes of one stream, each with its class of failure.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use aws_sdk_kinesis::{
    Client,
    config::{
        ConfigBag, Intercept, RuntimeComponents,
        interceptors::BeforeDeserializationInterceptorContextRef,
    },
    operation::get_records::GetRecordsOutput,
    primitives::{Blob, DateTime, DateTimeFormat},
    types::{PutRecordsRequestEntry, PutRecordsResultEntry, ShardIteratorType, StreamStatus},
};
use aws_smithy_runtime_api::box_error::BoxError;
use bytes::Bytes;
use kinesis_app_rules::defaults;

use crate::{
    leases::stream_row::StoredStart,
    publish::Published,
    service_error::{Class, ServiceError},
    shards::ListedShard,
};

/// One stream of the service.
#[derive(Debug, Clone)]
pub(crate) struct Kinesis {
    client: Client,
    target: Target,
}

/// How requests name the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    Name(String),
    Arn(String),
}

impl Target {
    fn name(&self) -> Option<String> {
        match self {
            Self::Name(name) => Some(name.clone()),
            Self::Arn(_) => None,
        }
    }

    fn arn(&self) -> Option<String> {
        match self {
            Self::Name(_) => None,
            Self::Arn(arn) => Some(arn.clone()),
        }
    }
}

/// What the service says about a stream.
#[derive(Debug, Clone)]
pub(crate) struct Description {
    /// Tells a stream from another one that had its name before.
    pub(crate) created_millis: i64,
    pub(crate) readable: bool,
    /// Of data and key, if the service says.
    pub(crate) record_bytes: Option<usize>,
    /// The service's clock, from the answer's `Date`.
    pub(crate) date: Option<SystemTime>,
}

/// A record on its way into the stream.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: Arc<str>,
    pub(crate) data: Bytes,
}

/// What became of an entry.
#[derive(Debug)]
pub(crate) enum Stored {
    At(Published),
    Not { code: String, message: String },
}

/// Where a shard is read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Anchor {
    Horizon,
    Timestamp {
        millis: i64,
    },
    At {
        sequence: String,
    },
    After {
        sequence: String,
    },
    /// Behind the newest record: for the first iterator of a seek alone. It means another place with every call, so nothing that may have
    /// to be begun again is begun here.
    Tip,
}

impl From<StoredStart> for Anchor {
    fn from(start: StoredStart) -> Self {
        match start {
            StoredStart::TrimHorizon => Self::Horizon,
            StoredStart::At { millis } => Self::Timestamp { millis },
        }
    }
}

impl Kinesis {
    pub(crate) fn new(client: Client, target: Target) -> Self {
        Self { client, target }
    }

    pub(crate) async fn describe(&self) -> Result<Description, ServiceError> {
        let date = ServiceDate::default();
        let answer = self
            .client
            .describe_stream_summary()
            .set_stream_name(self.target.name())
            .set_stream_arn(self.target.arn())
            .customize()
            .interceptor(date.clone())
            .send()
            .await
            .map_err(|error| ServiceError::new("DescribeStreamSummary", error))?;
        let summary = answer.stream_description_summary;
        let kib = summary
            .as_ref()
            .and_then(|summary| summary.max_record_size_in_kib);
        let (status, created) = summary.map_or((StreamStatus::Creating, None), |s| {
            (s.stream_status, Some(s.stream_creation_timestamp))
        });
        Ok(Description {
            created_millis: created
                .and_then(|at| at.to_millis().ok())
                .unwrap_or_default(),
            readable: matches!(status, StreamStatus::Active | StreamStatus::Updating),
            record_bytes: kib
                .and_then(|kib| usize::try_from(kib).ok())
                .map(|kib| kib * 1024),
            date: date.take(),
        })
    }

    pub(crate) async fn create(&self, shards: u32) -> Result<(), ServiceError> {
        self.client
            .create_stream()
            .set_stream_name(self.target.name())
            .shard_count(i32::try_from(shards).unwrap_or(i32::MAX))
            .send()
            .await
            .map(drop)
            .map_err(|error| ServiceError::new("CreateStream", error))
    }

    /// Every shard that the service lists, from all pages, of which there may be many: each is told of before it is asked for. A token
    /// that expires in the middle makes the listing begin again.
    pub(crate) async fn list_shards(
        &self,
        before_page: impl Fn(),
    ) -> Result<Vec<ListedShard>, ServiceError> {
        let mut tries = 1;
        loop {
            match self.list_pages(&before_page).await {
                Err(error) if error.class() == Class::Expired && tries < defaults::LISTINGS => {
                    tracing::warn!(tries, %error, "listing begins again");
                    tries += 1;
                }
                listed => return listed,
            }
        }
    }

    async fn list_pages(&self, before_page: impl Fn()) -> Result<Vec<ListedShard>, ServiceError> {
        let mut listed = Vec::new();
        let mut token: Option<String> = None;
        loop {
            before_page();
            let request = self.client.list_shards();
            // The token stands for the stream: the service refuses both together.
            let request = match token.take() {
                Some(token) => request.next_token(token),
                None => request
                    .set_stream_name(self.target.name())
                    .set_stream_arn(self.target.arn()),
            };
            let answer = request
                .send()
                .await
                .map_err(|error| ServiceError::new("ListShards", error))?;
            listed.extend(answer.shards.unwrap_or_default().into_iter().map(|shard| {
                ListedShard {
                    parents: shard
                        .parent_shard_id
                        .into_iter()
                        .chain(shard.adjacent_parent_shard_id)
                        .collect(),
                    shard_id: shard.shard_id,
                }
            }));
            match answer.next_token {
                Some(next) => token = Some(next),
                None => return Ok(listed),
            }
        }
    }

    pub(crate) async fn iterator(
        &self,
        shard_id: &str,
        anchor: &Anchor,
    ) -> Result<String, ServiceError> {
        let request = self
            .client
            .get_shard_iterator()
            .set_stream_name(self.target.name())
            .set_stream_arn(self.target.arn())
            .shard_id(shard_id);
        let request = match anchor {
            Anchor::Horizon => request.shard_iterator_type(ShardIteratorType::TrimHorizon),
            Anchor::Tip => request.shard_iterator_type(ShardIteratorType::Latest),
            Anchor::Timestamp { millis } => request
                .shard_iterator_type(ShardIteratorType::AtTimestamp)
                .timestamp(DateTime::from_millis(*millis)),
            Anchor::At { sequence } => request
                .shard_iterator_type(ShardIteratorType::AtSequenceNumber)
                .starting_sequence_number(sequence),
            Anchor::After { sequence } => request
                .shard_iterator_type(ShardIteratorType::AfterSequenceNumber)
                .starting_sequence_number(sequence),
        };
        let answer = request
            .send()
            .await
            .map_err(|error| ServiceError::new("GetShardIterator", error))?;
        Ok(answer.shard_iterator.unwrap_or_default())
    }

    pub(crate) async fn get_records(
        &self,
        iterator: &str,
        limit: Option<u32>,
    ) -> Result<GetRecordsOutput, ServiceError> {
        self.client
            .get_records()
            .shard_iterator(iterator)
            .set_limit(limit.map(|limit| i32::try_from(limit).unwrap_or(i32::MAX)))
            .set_stream_arn(self.target.arn())
            .send()
            .await
            .map_err(|error| ServiceError::new("GetRecords", error))
    }

    /// At most 500 entries and 10 MiB.
    pub(crate) async fn put(&self, entries: Vec<Entry>) -> Result<Vec<Stored>, ServiceError> {
        let entries = entries.into_iter().map(|entry| {
            PutRecordsRequestEntry::builder()
                .partition_key(&*entry.key)
                .data(Blob::new(entry.data))
                .build()
        });
        // The builder misses nothing: both of its members are set.
        let entries: Vec<_> = entries.filter_map(Result::ok).collect();
        let sent = entries.len();
        let answer = self
            .client
            .put_records()
            .set_stream_name(self.target.name())
            .set_stream_arn(self.target.arn())
            .set_records(Some(entries))
            .send()
            .await
            .map_err(|error| ServiceError::new("PutRecords", error))?;
        let answered = answer.records.len();
        if answered != sent {
            let text = format!("{answered} answers to {sent} records");
            return Err(ServiceError::malformed("PutRecords", &text));
        }
        Ok(answer.records.into_iter().map(stored).collect())
    }
}

/// An answer for each entry, in their order.
fn stored(answer: PutRecordsResultEntry) -> Stored {
    match (answer.shard_id, answer.sequence_number) {
        (Some(shard_id), Some(sequence_number)) => Stored::At(Published {
            shard_id,
            sequence_number,
        }),
        _ => Stored::Not {
            code: answer.error_code.unwrap_or_default(),
            message: answer.error_message.unwrap_or_default(),
        },
    }
}

/// Reads the `Date` of an answer: the only clock that the service and all instances share.
#[derive(Debug, Clone, Default)]
struct ServiceDate(Arc<Mutex<Option<SystemTime>>>);

impl ServiceDate {
    fn take(&self) -> Option<SystemTime> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Intercept for ServiceDate {
    fn name(&self) -> &'static str {
        "kinesis-app service date"
    }

    fn read_before_deserialization(
        &self,
        context: &BeforeDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let date = context.response().headers().get("date");
        let date = date.and_then(|text| DateTime::from_str(text, DateTimeFormat::HttpDate).ok());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
            date.and_then(|date| SystemTime::try_from(date).ok());
        Ok(())
    }
}
