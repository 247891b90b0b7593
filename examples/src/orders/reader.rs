//! Reads a stream from its beginning to its end through the plain SDK: what is really in it, in order.

use std::time::Duration;

use aws_sdk_kinesis::types::ShardIteratorType;
use futures_util::future::try_join_all;
use serde::Deserialize;
use tokio::time::sleep;

use super::{
    lineage,
    shop::{Record, Topic},
    streams::{Stream, StreamError},
};

/// The service allows five reads a second and shard.
const PACE: Duration = Duration::from_millis(250);

/// What every payload has.
#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

/// All records of the stream, each shard after its parents.
pub(crate) async fn read_all(topic: Topic, stream: &Stream) -> Result<Vec<Record>, StreamError> {
    let shards = stream.shards().await?;
    let ordered = lineage::parents_first(&shards);
    let reads = ordered.iter().map(|shard| read(topic, stream, shard));
    Ok(try_join_all(reads).await?.concat())
}

async fn read(
    topic: Topic,
    stream: &Stream,
    shard: &lineage::Shard,
) -> Result<Vec<Record>, StreamError> {
    let request = stream.client.get_shard_iterator().stream_name(&stream.name);
    let answer = request
        .shard_id(&shard.id)
        .shard_iterator_type(ShardIteratorType::TrimHorizon)
        .send()
        .await
        .map_err(stream.failed("GetShardIterator"))?;
    let mut iterator = answer.shard_iterator;
    let mut records = Vec::new();
    while let Some(position) = iterator {
        let request = stream.client.get_records().shard_iterator(position);
        let page = request.send().await.map_err(stream.failed("GetRecords"))?;
        for record in page.records() {
            let payload: Numbered =
                serde_json::from_slice(record.data().as_ref()).map_err(|error| {
                    StreamError::Unexpected {
                        stream: stream.name.clone(),
                        what: format!("record `{}`: {error}", record.sequence_number()),
                    }
                })?;
            records.push(Record {
                topic,
                key: record.partition_key().unwrap_or_default().into(),
                shard: shard.id.clone(),
                sequence: record.sequence_number().into(),
                id: payload.id,
            });
        }
        // A closed shard ends where there is no next iterator; an open one never does, and is read up to its tip.
        let at_tip = page.millis_behind_latest() == Some(0);
        iterator = page.next_shard_iterator.filter(|_| !(shard.open && at_tip));
        if iterator.is_some() {
            sleep(PACE).await;
        }
    }
    Ok(records)
}
