//! A stream of the test's own, as the plain SDK creates, changes and reads it.

use aws_sdk_kinesis::{
    Client,
    types::{Shard, ShardIteratorType, StreamStatus},
};

use crate::gate::{eventually, now, sdk_config};

/// One record, as a handler met it or as the reader found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) key: String,
    pub(crate) shard: String,
    pub(crate) sequence: String,
    pub(crate) id: u64,
}

/// A fresh name, and the service that knows it.
#[derive(Debug)]
pub(crate) struct TestStream {
    pub(crate) client: Client,
    pub(crate) name: String,
}

impl TestStream {
    pub(crate) fn named_after(test: &str, endpoint: &str) -> Self {
        Self {
            client: Client::new(&sdk_config(endpoint)),
            name: format!("{test}-{}", now()),
        }
    }

    pub(crate) async fn create(&self, shards: i32) {
        let request = self.client.create_stream().stream_name(&self.name);
        request
            .shard_count(shards)
            .send()
            .await
            .expect("a fresh name");
        self.active().await;
    }

    async fn active(&self) {
        eventually("the stream is active", || async {
            let request = self.client.describe_stream_summary();
            let answer = request.stream_name(&self.name).send().await;
            let answer = answer.expect("the stream is there");
            let summary = answer.stream_description_summary().expect("always there");
            *summary.stream_status() == StreamStatus::Active
        })
        .await;
    }

    /// Ids of shards grow, so their order is one of parents first.
    pub(crate) async fn shards(&self) -> Vec<Shard> {
        let request = self.client.list_shards().stream_name(&self.name);
        let answer = request.send().await.expect("the stream is there");
        assert_eq!(answer.next_token(), None, "a few shards are one page");
        let mut shards = answer.shards.expect("always there");
        shards.sort_by(|one, other| one.shard_id().cmp(other.shard_id()));
        shards
    }

    pub(crate) async fn split(&self, shard: &Shard) {
        let range = shard.hash_key_range().expect("always there");
        let bound = |text: &str| text.parse::<u128>().expect("a number");
        let (low, high) = (
            bound(range.starting_hash_key()),
            bound(range.ending_hash_key()),
        );
        let request = self.client.split_shard().stream_name(&self.name);
        request
            .shard_to_split(shard.shard_id())
            .new_starting_hash_key((low + (high - low) / 2).to_string())
            .send()
            .await
            .expect("an open shard");
        self.active().await;
    }

    /// All records of a shard.
    pub(crate) async fn read(&self, shard: &Shard) -> Vec<Record> {
        let request = self.client.get_shard_iterator().stream_name(&self.name);
        let answer = request
            .shard_id(shard.shard_id())
            .shard_iterator_type(ShardIteratorType::TrimHorizon)
            .send()
            .await
            .expect("a listed shard");
        let (mut iterator, mut found) = (answer.shard_iterator, Vec::new());
        while let Some(position) = iterator {
            let request = self.client.get_records().shard_iterator(position);
            let page = request.send().await.expect("a fresh iterator");
            let at_tip = page.millis_behind_latest() == Some(0);
            found.extend(page.records().iter().map(|record| {
                let payload: serde_json::Value =
                    serde_json::from_slice(record.data().as_ref()).expect("tests put JSON");
                Record {
                    key: record.partition_key().unwrap_or_default().to_owned(),
                    shard: shard.shard_id().to_owned(),
                    sequence: record.sequence_number().to_owned(),
                    id: payload["id"].as_u64().expect("a number"),
                }
            }));
            iterator = page
                .next_shard_iterator
                .filter(|_| !at_tip || !is_open(shard));
        }
        found
    }
}

fn is_open(shard: &Shard) -> bool {
    let range = shard.sequence_number_range();
    range.is_some_and(|range| range.ending_sequence_number().is_none())
}
