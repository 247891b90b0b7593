//! What the operations take, after the rules of the API model were checked.

use super::account::StreamsFrom;
use super::alter::Alteration;
use super::fanout::ConsumerRequest;
use super::registry::ConsumerDeletion;
use super::run::Run;
use super::tags::{TagEdit, TagOwner, TagSelection};
use super::{Moment, hash_key};
use crate::Operation;
use crate::limits;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Mode {
    Provisioned,
    OnDemand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Distribution {
    UserPartitionKey,
    Auto,
}

/// How a record is kept, as far as it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Encryption {
    None,
    Kms,
}

impl Encryption {
    /// In the answers about records; the service leaves it out when there is none.
    pub(crate) const fn shown(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Kms => Some("KMS"),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct NewStream {
    pub(crate) name: String,
    pub(crate) shards: u32,
    pub(crate) mode: Mode,
    pub(crate) distribution: Distribution,
    pub(crate) record_bytes: usize,
    pub(crate) tags: BTreeMap<String, String>,
}

impl NewStream {
    pub(crate) fn provisioned(name: &str, shards: u32) -> Self {
        Self {
            name: name.to_owned(),
            shards,
            mode: Mode::Provisioned,
            distribution: Distribution::UserPartitionKey,
            record_bytes: limits::RECORD_BYTES,
            tags: BTreeMap::new(),
        }
    }
}

/// A stream, by name, by ARN, or by both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StreamRef {
    pub(crate) name: Option<String>,
    pub(crate) arn: Option<String>,
}

impl StreamRef {
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: Some(name.to_owned()),
            arn: None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) partition_key: Option<Arc<str>>,
    /// What decides about the shard; `None` is up to the service.
    pub(crate) hash_key: Option<u128>,
    pub(crate) data: Bytes,
}

impl Entry {
    /// An explicit hash key goes before that of the partition key.
    pub(crate) fn new(
        partition_key: Option<Arc<str>>,
        explicit_hash_key: Option<u128>,
        data: Bytes,
    ) -> Self {
        let hash_key = explicit_hash_key.or_else(|| partition_key.as_deref().map(hash_key));
        Self {
            partition_key,
            hash_key,
            data,
        }
    }
}

/// The path of an entry's member in an error: `place` counts the entries of a `PutRecords` from 1.
pub(crate) fn member_of(place: Option<usize>, member: &str) -> String {
    match place {
        Some(place) => format!("records.{place}.member.{member}"),
        None => member.to_owned(),
    }
}

/// Whether a put counts against the shard's write limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metered {
    Yes,
    No,
}

/// Where an iterator, or a subscription, begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    AtSequence(String),
    AfterSequence(String),
    AtTimestamp(Moment),
    TrimHorizon,
    Latest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardFilter {
    AfterShardId(u32),
    AtTrimHorizon,
    FromTrimHorizon,
    AtLatest,
    AtTimestamp(Moment),
    FromTimestamp(Moment),
}

/// Which page of a listing: the first of a stream, or the one that a token names.
#[derive(Clone, Debug)]
pub(crate) enum Listing {
    First {
        stream: StreamRef,
        created: Option<Moment>,
        after: Option<String>,
        filter: Option<ShardFilter>,
    },
    Next {
        token: String,
        arn: Option<String>,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Request {
    CreateStream(NewStream),
    DeleteStream {
        stream: StreamRef,
        consumers: ConsumerDeletion,
    },
    DescribeStream {
        stream: StreamRef,
        after: Option<String>,
        limit: usize,
    },
    DescribeStreamSummary(StreamRef),
    ListShards {
        listing: Listing,
        limit: usize,
    },
    PutRecord {
        stream: StreamRef,
        entry: Entry,
        run: Run,
    },
    PutRecords {
        stream: StreamRef,
        entries: Vec<Entry>,
        run: Run,
    },
    GetShardIterator {
        stream: StreamRef,
        shard: String,
        start: Start,
        run: Run,
    },
    GetRecords {
        iterator: String,
        arn: Option<String>,
        limit: usize,
        run: Run,
    },
    SplitShard {
        stream: StreamRef,
        shard: String,
        at: u128,
    },
    MergeShards {
        stream: StreamRef,
        shard: String,
        adjacent: String,
    },
    ListStreams {
        from: StreamsFrom,
        limit: usize,
    },
    DescribeLimits,
    Alter {
        stream: StreamRef,
        alteration: Alteration,
    },
    EditTags {
        /// Of the two that do the same.
        operation: Operation,
        owner: TagOwner,
        edit: TagEdit,
    },
    ListTags {
        owner: TagOwner,
        selection: TagSelection,
    },
    Consumer(ConsumerRequest),
}
