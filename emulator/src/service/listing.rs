//! ListShards, DescribeStream, DescribeStreamSummary.

use super::metrics::Metrics;
use super::request::{Distribution, Listing, Mode, ShardFilter, StreamRef};
use super::shard::{Shard, shard_id, shard_index};
use super::stream::{Phase, Stream};
use super::token::NextToken;
use super::{HashRange, Limits, Moment, Service};
use crate::error::{ErrorCode, ServiceError};
use crate::limits;

/// A shard as a listing shows it.
#[derive(Clone, Debug)]
pub(crate) struct ListedShard {
    pub(crate) id: String,
    pub(crate) parent: Option<String>,
    pub(crate) adjacent_parent: Option<String>,
    pub(crate) range: HashRange,
    pub(crate) starting: String,
    pub(crate) ending: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct ShardPage {
    pub(crate) shards: Vec<ListedShard>,
    pub(crate) next: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Summary {
    pub(crate) name: String,
    pub(crate) arn: String,
    pub(crate) status: &'static str,
    pub(crate) mode: Mode,
    pub(crate) retention_hours: u64,
    pub(crate) created: Moment,
    pub(crate) open_shards: usize,
    pub(crate) consumers: usize,
    pub(crate) record_kib: usize,
    pub(crate) distribution: Distribution,
    pub(crate) metrics: Metrics,
    /// The name of the key that records are encrypted by.
    pub(crate) key: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Description {
    pub(crate) summary: Summary,
    pub(crate) shards: Vec<ListedShard>,
    pub(crate) more: bool,
}

impl Shard {
    fn listed(&self) -> ListedShard {
        ListedShard {
            id: self.id(),
            parent: self.parent.map(shard_id),
            adjacent_parent: self.adjacent_parent.map(shard_id),
            range: self.range,
            starting: self.starting_sequence().to_string(),
            ending: self.ending_sequence().map(|number| number.to_string()),
        }
    }

    fn passes(&self, filter: Option<ShardFilter>, horizon: Moment) -> bool {
        match filter {
            None | Some(ShardFilter::FromTrimHorizon) => true,
            Some(ShardFilter::AfterShardId(index)) => self.index > index,
            Some(ShardFilter::AtLatest) => self.closed.is_none(),
            Some(ShardFilter::AtTrimHorizon) => self.was_open_at(horizon),
            Some(ShardFilter::AtTimestamp(time)) => self.was_open_at(time.max(horizon)),
            Some(ShardFilter::FromTimestamp(time)) => {
                self.closed.as_ref().is_none_or(|closed| closed.at > time)
            }
        }
    }
}

impl Stream {
    /// The first moment that the stream still knows.
    fn horizon(&self, now: Moment) -> Moment {
        // The stream's own time is cut to the millisecond; its first shards opened within it.
        let birth = self.listed(None).map(|shard| shard.opened).min();
        self.retained_from(now).max(birth.unwrap_or(self.created))
    }

    pub(crate) fn summary(&self, name: &str, arn: String) -> Summary {
        let created = !matches!(self.phase, Phase::Creating { .. });
        Summary {
            name: name.to_owned(),
            arn,
            status: self.phase.as_str(),
            mode: self.mode,
            retention_hours: self.retention.as_secs().div_ceil(3_600),
            created: self.created,
            consumers: self.consumers.count(),
            open_shards: if created { self.open_count() } else { 0 },
            record_kib: self.record_bytes / 1_024,
            distribution: self.distribution,
            metrics: self.metrics,
            key: self.key.clone(),
        }
    }
}

impl Service {
    pub(crate) fn list_shards(
        &mut self,
        listing: &Listing,
        limit: usize,
        now: Moment,
    ) -> Result<ShardPage, ServiceError> {
        let (name, after, filter) = match listing {
            Listing::First {
                stream,
                created,
                after,
                filter,
            } => {
                let name = self.resolve(stream)?;
                let born = self.stream(&name, now)?.created.seconds();
                if created.is_some_and(|created| created.seconds() != born) {
                    return Err(self.settings.stream_not_found(&name));
                }
                let after = self.place_of(&name, after.as_deref())?;
                (name, after, *filter)
            }
            Listing::Next { token, arn } => {
                let token = self.open_next_token(token, arn.as_deref(), now)?;
                (token.stream, Some(token.after), token.filter)
            }
        };
        let secret = self.secret;
        let metered = self.settings.limits == Limits::Enforced;
        let stream = self.stream(&name, now)?;
        if !stream.phase.serves() {
            let status = stream.phase.as_str();
            return Err(self.settings.not_active(&name, status));
        }
        if metered && !stream.list_calls.take(1, now) {
            return Err(ServiceError::new(
                ErrorCode::LimitExceeded,
                format!(
                    "Rate exceeded for stream {name} under account {}.",
                    self.settings.account
                ),
            ));
        }
        stream.retain(now);
        let horizon = stream.horizon(now);
        let mut found = stream
            .listed(after)
            .filter(|shard| shard.passes(filter, horizon));
        let shards: Vec<ListedShard> = found.by_ref().take(limit).map(Shard::listed).collect();
        let more = found.next().is_some();
        let last = shards.last().and_then(|shard| shard_index(&shard.id));
        let next = last.filter(|_| more).map(|after| {
            let token = NextToken {
                stream: name.clone(),
                stream_epoch: stream.epoch,
                after,
                filter,
                issued: now,
            };
            token.seal(secret)
        });
        Ok(ShardPage { shards, next })
    }

    /// The index behind which a listing goes on. The shard itself need not be listed any more.
    fn place_of(&self, stream: &str, id: Option<&str>) -> Result<Option<u32>, ServiceError> {
        let unknown = |id: &str| self.settings.shard_not_found(stream, id);
        id.map(|id| shard_index(id).ok_or_else(|| unknown(id)))
            .transpose()
    }

    /// The stream of a token, for faults and counts. `None` for one not from here.
    pub(crate) fn stream_of_token(&self, token: &str) -> Option<String> {
        NextToken::open(token, self.secret).map(|token| token.stream)
    }

    fn open_next_token(
        &mut self,
        token: &str,
        arn: Option<&str>,
        now: Moment,
    ) -> Result<NextToken, ServiceError> {
        let token = NextToken::open(token, self.secret)
            .ok_or_else(|| ServiceError::invalid("Invalid NextToken."))?;
        if let Some(arn) = arn
            && self.name_of_arn(arn)? != token.stream
        {
            return Err(ServiceError::invalid(format!(
                "StreamARN {arn} is not that of the NextToken."
            )));
        }
        if now.since(token.issued) > limits::LIST_SHARDS_TOKEN_LIFETIME {
            return Err(ServiceError::expired_token());
        }
        if self.stream(&token.stream, now)?.epoch != token.stream_epoch {
            return Err(self.settings.stream_not_found(&token.stream));
        }
        Ok(token)
    }

    pub(crate) fn describe_summary(
        &mut self,
        stream: &StreamRef,
        now: Moment,
    ) -> Result<Summary, ServiceError> {
        let name = self.resolve(stream)?;
        let arn = self.arn(&name);
        Ok(self.stream(&name, now)?.summary(&name, arn))
    }

    pub(crate) fn describe_stream(
        &mut self,
        stream: &StreamRef,
        after: Option<&str>,
        limit: usize,
        now: Moment,
    ) -> Result<Description, ServiceError> {
        let summary = self.describe_summary(stream, now)?;
        let after = self.place_of(&summary.name, after)?;
        let stream = self.stream(&summary.name, now)?;
        stream.retain(now);
        let mut found = stream.listed(after);
        let shards = found.by_ref().take(limit).map(Shard::listed).collect();
        let more = found.next().is_some();
        Ok(Description {
            summary,
            shards,
            more,
        })
    }
}
