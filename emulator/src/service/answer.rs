//! One request of the wire, carried out.

use super::account::{AccountLimits, StreamPage};
use super::alter::{Monitoring, Scaled};
use super::read::Fill;
use super::registry::{ConsumerPage, ConsumerView};
use super::request::{Listing, Metered, Request, StreamRef};
use super::shard::shard_id;
use super::subscribe::Subscription;
use super::tags::{TagPage, TagSelection};
use super::{Description, Moment, Page, PutFailure, Receipt, Service, ShardPage, Summary};
use crate::Operation;
use crate::calls::Scope;
use crate::error::ServiceError;
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Empty,
    Description(Description),
    Summary(Summary),
    Shards(ShardPage),
    Receipt(Receipt),
    Receipts(Vec<Result<Receipt, PutFailure>>),
    Iterator(String),
    Page(Page),
    Streams(StreamPage),
    AccountLimits(AccountLimits),
    Scaled(Scaled),
    Monitoring(Monitoring),
    Tags(TagPage),
    Registered(ConsumerView),
    Consumer {
        consumer: ConsumerView,
        stream_arn: String,
    },
    Consumers(ConsumerPage),
    Subscribed(Subscription),
}

impl Answer {
    /// How many records were read or stored.
    pub(crate) fn records(&self) -> usize {
        match self {
            Self::Page(page) => page.records.len(),
            Self::Receipt(_) => 1,
            Self::Receipts(receipts) => receipts.iter().flatten().count(),
            _ => 0,
        }
    }

    /// The shards that are not as they were; none for all of the stream. Where a record went shows
    /// only here: what its request is about was told before, and by chance.
    pub(crate) fn changed_shards(&self) -> Vec<String> {
        match self {
            Self::Receipt(receipt) => vec![receipt.shard_id.clone()],
            Self::Receipts(receipts) => {
                let stored = receipts.iter().flatten();
                let shards: BTreeSet<&str> = stored.map(|one| one.shard_id.as_str()).collect();
                shards.into_iter().map(str::to_owned).collect()
            }
            Self::Subscribed(subscription) => vec![shard_id(subscription.shard)],
            _ => Vec::new(),
        }
    }
}

/// What an injected fault changes inside the service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Twist {
    #[default]
    None,
    EmptyPage,
    /// Entries of `PutRecords` that go to this shard fail with this error.
    FailEntries {
        shard: String,
        error: ServiceError,
    },
}

impl Request {
    pub(crate) const fn operation(&self) -> Operation {
        match self {
            Self::CreateStream(_) => Operation::CreateStream,
            Self::DeleteStream { .. } => Operation::DeleteStream,
            Self::DescribeStream { .. } => Operation::DescribeStream,
            Self::DescribeStreamSummary(_) => Operation::DescribeStreamSummary,
            Self::ListShards { .. } => Operation::ListShards,
            Self::PutRecord { .. } => Operation::PutRecord,
            Self::PutRecords { .. } => Operation::PutRecords,
            Self::GetShardIterator { .. } => Operation::GetShardIterator,
            Self::GetRecords { .. } => Operation::GetRecords,
            Self::SplitShard { .. } => Operation::SplitShard,
            Self::MergeShards { .. } => Operation::MergeShards,
            Self::ListStreams { .. } => Operation::ListStreams,
            Self::DescribeLimits => Operation::DescribeLimits,
            Self::Alter { alteration, .. } => alteration.operation(),
            Self::EditTags { operation, .. } => *operation,
            Self::ListTags {
                selection: TagSelection::Page { .. },
                ..
            } => Operation::ListTagsForStream,
            Self::ListTags {
                selection: TagSelection::All,
                ..
            } => Operation::ListTagsForResource,
            Self::Consumer(request) => request.operation(),
        }
    }
}

impl Service {
    /// What a request is about. Changes nothing that a caller could see.
    pub(crate) fn scope(&mut self, request: &Request, now: Moment) -> Scope {
        let stream = |this: &Self, stream: &StreamRef| this.resolve(stream).ok();
        let (stream, shards) = match request {
            Request::CreateStream(new) => (Some(new.name.clone()), Vec::new()),
            Request::DeleteStream { stream: named, .. }
            | Request::DescribeStreamSummary(named)
            | Request::DescribeStream { stream: named, .. }
            | Request::Alter { stream: named, .. }
            | Request::ListShards {
                listing: Listing::First { stream: named, .. },
                ..
            } => (stream(self, named), Vec::new()),
            Request::EditTags { owner, .. } | Request::ListTags { owner, .. } => {
                (self.stream_of_tags(owner).ok(), Vec::new())
            }
            Request::Consumer(request) => return self.scope_of_consumer(request),
            Request::ListStreams { .. } | Request::DescribeLimits => (None, Vec::new()),
            Request::ListShards {
                listing: Listing::Next { token, .. },
                ..
            } => (self.stream_of_token(token), Vec::new()),
            Request::PutRecord {
                stream: named,
                entry,
                ..
            } => {
                let name = stream(self, named);
                let shards = self.targets(name.as_deref(), std::slice::from_ref(entry), now);
                (name, shards)
            }
            Request::PutRecords {
                stream: named,
                entries,
                ..
            } => {
                let name = stream(self, named);
                let shards = self.targets(name.as_deref(), entries, now);
                (name, shards)
            }
            Request::GetShardIterator {
                stream: named,
                shard,
                ..
            }
            | Request::SplitShard {
                stream: named,
                shard,
                ..
            } => (stream(self, named), vec![shard.clone()]),
            Request::MergeShards {
                stream: named,
                shard,
                adjacent,
            } => {
                let shards = vec![shard.clone(), adjacent.clone()];
                (stream(self, named), shards)
            }
            Request::GetRecords { iterator, .. } => match self.open_iterator(iterator) {
                Some(iterator) => (Some(iterator.stream), vec![shard_id(iterator.shard)]),
                None => (None, Vec::new()),
            },
        };
        Scope { stream, shards }
    }

    fn targets(
        &mut self,
        stream: Option<&str>,
        entries: &[super::request::Entry],
        now: Moment,
    ) -> Vec<String> {
        let Some(stream) = stream else {
            return Vec::new();
        };
        let mut shards = self.routes(stream, entries, now);
        shards.sort_unstable();
        shards.dedup();
        shards.into_iter().map(shard_id).collect()
    }

    pub(crate) fn answer(
        &mut self,
        request: Request,
        twist: &Twist,
        now: Moment,
    ) -> Result<Answer, ServiceError> {
        self.admit(request.operation(), now)?;
        if request.operation().is_change() {
            self.changes += 1;
        }
        match request {
            Request::CreateStream(new) => self.create_stream(&new, now).map(|()| Answer::Empty),
            Request::DeleteStream { stream, consumers } => {
                let name = self.resolve(&stream)?;
                self.delete_stream(&name, consumers, now)
                    .map(|()| Answer::Empty)
            }
            Request::DescribeStream {
                stream,
                after,
                limit,
            } => self
                .describe_stream(&stream, after.as_deref(), limit, now)
                .map(Answer::Description),
            Request::DescribeStreamSummary(stream) => {
                self.describe_summary(&stream, now).map(Answer::Summary)
            }
            Request::ListShards { listing, limit } => {
                self.list_shards(&listing, limit, now).map(Answer::Shards)
            }
            Request::PutRecord { stream, entry, run } => self
                .put_record(&stream, entry, Metered::Yes, run, now)
                .map(Answer::Receipt),
            Request::PutRecords {
                stream,
                entries,
                run,
            } => {
                let refuse = |index| match twist {
                    Twist::FailEntries { shard, error } if *shard == shard_id(index) => {
                        Some(error.clone())
                    }
                    _ => None,
                };
                self.put_records(&stream, entries, refuse, run, now)
                    .map(Answer::Receipts)
            }
            Request::GetShardIterator {
                stream,
                shard,
                start,
                run,
            } => self
                .get_shard_iterator(&stream, &shard, &start, run, now)
                .map(Answer::Iterator),
            Request::GetRecords {
                iterator,
                arn,
                limit,
                run,
            } => {
                let fill = match twist {
                    Twist::EmptyPage => Fill::Nothing,
                    _ => Fill::Records { limit },
                };
                self.get_records(&iterator, arn.as_deref(), fill, run, now)
                    .map(Answer::Page)
            }
            Request::SplitShard { stream, shard, at } => {
                let name = self.resolve(&stream)?;
                self.split_shard(&name, &shard, at, now)
                    .map(|_| Answer::Empty)
            }
            Request::MergeShards {
                stream,
                shard,
                adjacent,
            } => {
                let name = self.resolve(&stream)?;
                self.merge_shards(&name, &shard, &adjacent, now)
                    .map(|_| Answer::Empty)
            }
            Request::ListStreams { from, limit } => {
                self.list_streams(&from, limit, now).map(Answer::Streams)
            }
            Request::DescribeLimits => Ok(Answer::AccountLimits(self.describe_limits(now))),
            Request::Alter { stream, alteration } => self.alter(&stream, &alteration, now),
            Request::EditTags { owner, edit, .. } => {
                self.edit_tags(&owner, &edit, now).map(|()| Answer::Empty)
            }
            Request::ListTags { owner, selection } => {
                self.list_tags(&owner, &selection, now).map(Answer::Tags)
            }
            Request::Consumer(request) => self.answer_consumer(request, now),
        }
    }
}
