//! The Kinesis that is checked, and what most checks do with it.

use crate::check::{Seen, there};
use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::config::retry::RetryConfig;
use aws_sdk_kinesis::operation::create_stream::builders::CreateStreamFluentBuilder;
use aws_sdk_kinesis::operation::get_records::GetRecordsOutput;
use aws_sdk_kinesis::operation::get_shard_iterator::builders::GetShardIteratorFluentBuilder;
use aws_sdk_kinesis::operation::put_record::PutRecordOutput;
use aws_sdk_kinesis::operation::put_record::builders::PutRecordFluentBuilder;
use aws_sdk_kinesis::operation::split_shard::builders::SplitShardFluentBuilder;
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::{
    Record, Shard, ShardIteratorType, StreamDescriptionSummary, StreamStatus,
};
use std::cell::RefCell;
use std::time::Duration;
use tokio::time::sleep;

const POLL: Duration = Duration::from_millis(50);
/// Polls until a stream must have become what it was to become.
const POLLS: usize = 400;
/// Pages until a shard must have been read to its end. All checks together put less than that.
const PAGES: usize = 40;

pub(crate) struct Subject {
    /// Tries again what was throttled.
    pub(crate) client: Client,
    /// Tries once.
    pub(crate) hasty: Client,
    names: String,
    streams: RefCell<Vec<String>>,
}

impl Subject {
    /// `names` begins the names of all streams.
    pub(crate) fn new(config: &aws_sdk_kinesis::config::Builder, names: &str) -> Self {
        let build = |retries| {
            let config = config.clone().retry_config(retries);
            Client::from_conf(config.build())
        };
        Self {
            client: build(RetryConfig::standard().with_max_attempts(6)),
            hasty: build(RetryConfig::disabled()),
            names: names.to_owned(),
            streams: RefCell::default(),
        }
    }

    /// A name that no stream has had, of a stream that will be deleted when the check is over.
    pub(crate) fn fresh_name(&self) -> String {
        let mut streams = self.streams.borrow_mut();
        let name = format!("{}-{}", self.names, streams.len());
        streams.push(name.clone());
        name
    }

    pub(crate) fn create(&self, name: &str, shards: i32) -> CreateStreamFluentBuilder {
        self.client
            .create_stream()
            .stream_name(name)
            .shard_count(shards)
    }

    /// A new stream of so many shards, which is active.
    pub(crate) async fn stream(&self, shards: i32) -> Result<Stream<'_>, Seen> {
        let name = self.fresh_name();
        self.create(&name, shards).send().await?;
        let stream = self.named(name);
        stream.settled().await?;
        Ok(stream)
    }

    pub(crate) fn named(&self, name: String) -> Stream<'_> {
        Stream {
            kinesis: self,
            name,
        }
    }

    /// Deletes the streams of a check that is over. What is not there any more, or never was, is
    /// no matter, and neither is what becomes of the others.
    pub(crate) async fn clean(&self) {
        let names = self.streams.borrow().clone();
        for name in names {
            let delete = self.hasty.delete_stream().stream_name(name);
            let _ = delete.enforce_consumer_deletion(true).send().await;
        }
    }
}

pub(crate) struct Stream<'a> {
    pub(crate) kinesis: &'a Subject,
    pub(crate) name: String,
}

impl Stream<'_> {
    pub(crate) fn client(&self) -> &Client {
        &self.kinesis.client
    }

    pub(crate) async fn summary(&self) -> Result<StreamDescriptionSummary, Seen> {
        let call = self.client().describe_stream_summary();
        let answer = call.stream_name(&self.name).send().await?;
        there(answer.stream_description_summary, "summary")
    }

    /// Waits until the stream is active.
    pub(crate) async fn settled(&self) -> Result<(), Seen> {
        let mut status = None;
        for _ in 0..POLLS {
            status = Some(self.summary().await?.stream_status);
            if status == Some(StreamStatus::Active) {
                return Ok(());
            }
            sleep(POLL).await;
        }
        Seen::instead(format!("the stream stays {status:?}"))
    }

    /// Waits until the stream is gone.
    pub(crate) async fn gone(&self) -> Result<(), Seen> {
        for _ in 0..POLLS {
            let call = self.client().describe_stream_summary();
            if let Err(error) = call.stream_name(&self.name).send().await {
                return crate::check::refused::<(), _>(Err(error), crate::check::NOT_FOUND);
            }
            sleep(POLL).await;
        }
        Seen::instead("the stream stays after DeleteStream")
    }

    /// All shards, closed ones among them, in the order of the listing.
    pub(crate) async fn shards(&self) -> Result<Vec<Shard>, Seen> {
        let call = self.client().list_shards().stream_name(&self.name);
        Ok(call.send().await?.shards.unwrap_or_default())
    }

    /// The open shards, in the order of their hash keys.
    pub(crate) async fn open(&self) -> Result<Vec<Shard>, Seen> {
        let mut shards = self.shards().await?;
        shards.retain(is_open);
        shards.sort_by_key(|shard| range(shard).0);
        Ok(shards)
    }

    /// A shard as it is now.
    pub(crate) async fn shard(&self, id: &str) -> Result<Shard, Seen> {
        let mut shards = self.shards().await?.into_iter();
        there(shards.find(|shard| shard.shard_id == id), "such shard")
    }

    /// The only shard of a new stream of one.
    pub(crate) async fn only(&self) -> Result<String, Seen> {
        let first = self.open().await?.into_iter().next();
        Ok(there(first, "open shard")?.shard_id)
    }

    pub(crate) fn putting(&self, key: &str, data: impl Into<Vec<u8>>) -> PutRecordFluentBuilder {
        let put = self.client().put_record().stream_name(&self.name);
        put.partition_key(key).data(Blob::new(data.into()))
    }

    pub(crate) async fn put(&self, key: &str, data: &str) -> Result<PutRecordOutput, Seen> {
        Ok(self.putting(key, data).send().await?)
    }

    /// Puts a record into the shard that has the hash key.
    pub(crate) async fn put_at(&self, hash: u128, data: &str) -> Result<PutRecordOutput, Seen> {
        let put = self.putting("k", data).explicit_hash_key(hash.to_string());
        Ok(put.send().await?)
    }

    pub(crate) fn splitting(&self, shard: &str, at: u128) -> SplitShardFluentBuilder {
        let split = self.client().split_shard().stream_name(&self.name);
        let split = split.shard_to_split(shard);
        split.new_starting_hash_key(at.to_string())
    }

    /// Splits a shard in the middle: its children, when they are there, the lower one first.
    pub(crate) async fn split(&self, shard: &Shard) -> Result<[Shard; 2], Seen> {
        self.splitting(&shard.shard_id, middle(shard))
            .send()
            .await?;
        self.settled().await?;
        let mut children = self.open().await?;
        children.retain(|child| child.parent_shard_id() == Some(shard.shard_id()));
        let count = children.len();
        <[Shard; 2]>::try_from(children)
            .map_err(|_| Seen(format!("{count} open shards name the split one as parent")))
    }

    /// Merges two shards: the child, when it is there.
    pub(crate) async fn merge(&self, shard: &Shard, adjacent: &Shard) -> Result<Shard, Seen> {
        let call = self.client().merge_shards().stream_name(&self.name);
        let call = call.shard_to_merge(shard.shard_id());
        call.adjacent_shard_to_merge(adjacent.shard_id())
            .send()
            .await?;
        self.settled().await?;
        let whole = (range(shard).0, range(adjacent).1);
        let mut open = self.open().await?.into_iter();
        let found = open.find(|child| range(child) == whole);
        there(found, "open shard of both ranges")
    }

    pub(crate) fn iterating(
        &self,
        shard: &str,
        kind: ShardIteratorType,
    ) -> GetShardIteratorFluentBuilder {
        let call = self.client().get_shard_iterator().stream_name(&self.name);
        call.shard_id(shard).shard_iterator_type(kind)
    }

    pub(crate) async fn iterator(
        &self,
        shard: &str,
        kind: ShardIteratorType,
    ) -> Result<String, Seen> {
        let answer = self.iterating(shard, kind).send().await?;
        there(answer.shard_iterator, "ShardIterator")
    }

    /// All that a shard holds, in order.
    pub(crate) async fn records(&self, shard: &str) -> Result<Vec<Record>, Seen> {
        let horizon = self.iterator(shard, ShardIteratorType::TrimHorizon).await?;
        self.rest(horizon).await
    }

    /// All that comes from an iterator on until the tip or the end of the shard.
    pub(crate) async fn rest(&self, iterator: String) -> Result<Vec<Record>, Seen> {
        Ok(self.last_page(iterator).await?.0)
    }

    /// The same, with the page that was the last.
    pub(crate) async fn last_page(
        &self,
        iterator: String,
    ) -> Result<(Vec<Record>, GetRecordsOutput), Seen> {
        let mut records = Vec::new();
        let mut next = iterator;
        for _ in 0..PAGES {
            let mut page = self.read(&next).await?;
            let empty = page.records.is_empty();
            records.append(&mut page.records);
            match page.next_shard_iterator {
                Some(more) if !empty || page.millis_behind_latest != Some(0) => next = more,
                _ => return Ok((records, page)),
            }
        }
        Seen::instead(format!("no end and no tip in {PAGES} reads"))
    }

    pub(crate) async fn read(&self, iterator: &str) -> Result<GetRecordsOutput, Seen> {
        let call = self.client().get_records().shard_iterator(iterator);
        Ok(call.send().await?)
    }
}

pub(crate) fn is_open(shard: &Shard) -> bool {
    let range = shard.sequence_number_range();
    range.is_none_or(|range| range.ending_sequence_number().is_none())
}

/// The hash keys of a shard, both ends included. What is no number is seen as a range that fits nowhere.
pub(crate) fn range(shard: &Shard) -> (u128, u128) {
    let range = shard.hash_key_range();
    let number = |text: &str| text.parse().ok();
    let ends = range.and_then(|range| {
        let start = number(range.starting_hash_key())?;
        Some((start, number(range.ending_hash_key())?))
    });
    ends.unwrap_or((1, 0))
}

pub(crate) fn middle(shard: &Shard) -> u128 {
    let (start, end) = range(shard);
    start + (end - start) / 2 + 1
}

/// Shards in the order of their hash keys that leave none out and have none twice.
pub(crate) fn cover_all(shards: &[Shard]) -> bool {
    let mut next = Some(0);
    for (start, end) in shards.iter().map(range) {
        if next != Some(start) || start > end {
            return false;
        }
        next = end.checked_add(1);
    }
    next.is_none() && !shards.is_empty()
}

pub(crate) fn texts(records: &[Record]) -> Vec<String> {
    let text = |record: &Record| String::from_utf8_lossy(record.data().as_ref()).into_owned();
    records.iter().map(text).collect()
}

pub(crate) fn ids(shards: &[Shard]) -> Vec<&str> {
    shards.iter().map(Shard::shard_id).collect()
}

/// A sequence number by its value: of any length, with any zeros in front.
pub(crate) fn by_value(number: &str) -> (usize, &str) {
    let digits = number.trim_start_matches('0');
    (digits.len(), digits)
}
