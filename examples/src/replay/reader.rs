//! Reads the stream through the plain SDK: what is really in it, in order.

use std::time::Duration;

use aws_sdk_kinesis::{Client, types::ShardIteratorType};

use tokio::time::sleep;

use super::{JobError, app::Job};

/// The service allows five reads a second and shard.
const PACE: Duration = Duration::from_millis(250);

/// A record as it lies in the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its shard.
    pub shard: String,
    /// Its sequence number.
    pub sequence: String,
    /// Its partition key.
    pub key: String,
    /// Its job's number.
    pub id: u32,
}

/// Every record of every shard, from the oldest to the newest.
pub(super) async fn read_all(client: &Client, stream: &str) -> Result<Vec<Stored>, JobError> {
    let listing = client.list_shards().stream_name(stream).send().await;
    let listing = listing.map_err(JobError::service("ListShards"))?;
    let mut records = Vec::new();
    for shard in listing.shards() {
        let request = client
            .get_shard_iterator()
            .stream_name(stream)
            .shard_id(shard.shard_id())
            .shard_iterator_type(ShardIteratorType::TrimHorizon);
        let answer = request.send().await;
        let mut iterator = answer
            .map_err(JobError::service("GetShardIterator"))?
            .shard_iterator;
        while let Some(position) = iterator {
            let request = client.get_records().shard_iterator(position);
            let page = request
                .send()
                .await
                .map_err(JobError::service("GetRecords"))?;
            for record in page.records() {
                let job: Job = serde_json::from_slice(record.data().as_ref())?;
                records.push(Stored {
                    shard: shard.shard_id().into(),
                    sequence: record.sequence_number().into(),
                    key: record.partition_key().unwrap_or_default().into(),
                    id: job.id,
                });
            }
            let at_tip = page.millis_behind_latest() == Some(0);
            iterator = page.next_shard_iterator.filter(|_| !at_tip);
            sleep(PACE).await;
        }
    }
    Ok(records)
}
