//! The job's own dealings with its streams, through the plain SDK.

use std::time::Duration;

use aws_sdk_kinesis::{
    Client,
    config::http::HttpResponse,
    error::{ProvideErrorMetadata, SdkError},
    types::{self, StreamStatus},
};
use tokio::time::{Instant, sleep};

use super::lineage::{self, Shard};

const NOT_FOUND: &str = "ResourceNotFoundException";
const POLL: Duration = Duration::from_millis(200);
/// The service takes about half a minute to create or reshard a stream; more than this is an outage.
const PATIENCE: Duration = Duration::from_mins(5);

/// Why something could not be done with a stream.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// A call failed, with the service's own words.
    #[error("`{operation}` on stream `{stream}` at `{place}` failed: {words}")]
    Call {
        /// Which call.
        operation: &'static str,
        /// On which stream.
        stream: String,
        /// Where Kinesis is.
        place: String,
        /// What was heard.
        words: String,
    },
    /// The stream did not become active.
    #[error("stream `{0}` is not active after {PATIENCE:?}")]
    NotActive(String),
    /// No shards fit: another hand reshards the stream.
    #[error("stream `{0}` has no shard to split or merge")]
    NothingToReshard(String),
    /// A listed shard lacks what every shard has, or a record does not hold what was put.
    #[error("stream `{stream}` holds what nobody put there: {what}")]
    Unexpected {
        /// Which stream.
        stream: String,
        /// What was found.
        what: String,
    },
}

/// A stream and the way to it.
#[derive(Debug, Clone)]
pub(crate) struct Stream {
    pub(crate) client: Client,
    pub(crate) name: String,
    /// Where Kinesis is, for people.
    pub(crate) place: String,
}

impl Stream {
    /// For `map_err`: a failed call, with the service's error code and message if it answered.
    pub(crate) fn failed<E>(
        &self,
        operation: &'static str,
    ) -> impl FnOnce(SdkError<E, HttpResponse>) -> StreamError + use<E>
    where
        E: std::error::Error + ProvideErrorMetadata + 'static,
    {
        let (stream, place) = (self.name.clone(), self.place.clone());
        move |error| StreamError::Call {
            operation,
            stream,
            place,
            words: match (error.code(), error.message()) {
                (Some(code), Some(message)) => format!("{code}: {message}"),
                (Some(code), None) => code.into(),
                (None, _) => chain(&error),
            },
        }
    }

    pub(crate) async fn create(&self, shards: i32) -> Result<(), StreamError> {
        let request = self.client.create_stream().stream_name(&self.name);
        request
            .shard_count(shards)
            .send()
            .await
            .map_err(self.failed("CreateStream"))?;
        self.active().await
    }

    /// Deletes it, when it is done with what it is doing. One that is not there is no error: it may never have been made.
    pub(crate) async fn delete(&self) -> Result<(), StreamError> {
        match self.try_delete().await {
            Err(StreamError::Call { words, .. }) if words.starts_with(NOT_FOUND) => Ok(()),
            result => result,
        }
    }

    async fn try_delete(&self) -> Result<(), StreamError> {
        self.active().await?;
        let request = self.client.delete_stream().stream_name(&self.name);
        request
            .send()
            .await
            .map(drop)
            .map_err(self.failed("DeleteStream"))
    }

    async fn active(&self) -> Result<(), StreamError> {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let request = self
                .client
                .describe_stream_summary()
                .stream_name(&self.name);
            let answer = request
                .send()
                .await
                .map_err(self.failed("DescribeStreamSummary"))?;
            let summary = answer.stream_description_summary();
            if summary.is_some_and(|summary| *summary.stream_status() == StreamStatus::Active) {
                return Ok(());
            }
            sleep(POLL).await;
        }
        Err(StreamError::NotActive(self.name.clone()))
    }

    /// Every shard that still holds records or takes them.
    pub(crate) async fn shards(&self) -> Result<Vec<Shard>, StreamError> {
        let mut shards = Vec::new();
        let mut token = None;
        loop {
            // A token stands for the stream as well; the service refuses both together.
            let name = token.is_none().then(|| self.name.clone());
            let request = self.client.list_shards().set_stream_name(name);
            let page = request
                .set_next_token(token)
                .send()
                .await
                .map_err(self.failed("ListShards"))?;
            for shard in page.shards() {
                shards.push(self.shard(shard)?);
            }
            token = page.next_token;
            if token.is_none() {
                return Ok(shards);
            }
        }
    }

    fn shard(&self, listed: &types::Shard) -> Result<Shard, StreamError> {
        let parents = [&listed.parent_shard_id, &listed.adjacent_parent_shard_id];
        let bound = |text: Option<&str>| text.and_then(|text| text.parse().ok());
        let range = listed.hash_key_range();
        let start = bound(range.map(types::HashKeyRange::starting_hash_key));
        let end = bound(range.map(types::HashKeyRange::ending_hash_key));
        let (Some(start), Some(end)) = (start, end) else {
            return Err(StreamError::Unexpected {
                stream: self.name.clone(),
                what: format!("shard `{}` without a range of hash keys", listed.shard_id()),
            });
        };
        Ok(Shard {
            id: listed.shard_id().into(),
            parents: parents.into_iter().flatten().cloned().collect(),
            range: (start, end),
            open: listed
                .sequence_number_range()
                .is_some_and(|range| range.ending_sequence_number().is_none()),
        })
    }

    /// Splits the widest shard: its id.
    pub(crate) async fn split(&self) -> Result<String, StreamError> {
        let shards = self.shards().await?;
        let (shard, middle) =
            lineage::to_split(&shards).ok_or_else(|| self.nothing_to_reshard())?;
        let request = self.client.split_shard().stream_name(&self.name);
        request
            .shard_to_split(&shard.id)
            .new_starting_hash_key(middle.to_string())
            .send()
            .await
            .map_err(self.failed("SplitShard"))?;
        self.active().await?;
        Ok(shard.id.clone())
    }

    /// Merges two shards that touch: their ids.
    pub(crate) async fn merge(&self) -> Result<[String; 2], StreamError> {
        let shards = self.shards().await?;
        let (low, high) = lineage::to_merge(&shards).ok_or_else(|| self.nothing_to_reshard())?;
        let request = self.client.merge_shards().stream_name(&self.name);
        request
            .shard_to_merge(&low.id)
            .adjacent_shard_to_merge(&high.id)
            .send()
            .await
            .map_err(self.failed("MergeShards"))?;
        self.active().await?;
        Ok([low.id.clone(), high.id.clone()])
    }

    fn nothing_to_reshard(&self) -> StreamError {
        StreamError::NothingToReshard(self.name.clone())
    }
}

/// An error and its causes: the outermost of the SDK's says little.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
