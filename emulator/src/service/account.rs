//! What concerns the account: ListStreams, DescribeLimits, and its quotas.

use super::listing::Summary;
use super::request::Mode;
use super::stream::Stream;
use super::token::StreamsToken;
use super::{Moment, Service};
use crate::error::{ErrorCode, ServiceError};
use crate::limits;
use std::ops::Bound;

#[derive(Clone, Debug)]
pub(crate) struct StreamPage {
    pub(crate) streams: Vec<Summary>,
    /// Absent on the last page.
    pub(crate) next: Option<String>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AccountLimits {
    pub(crate) open_shards: usize,
    pub(crate) on_demand_streams: usize,
}

/// Where a listing of streams begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StreamsFrom {
    First,
    /// Behind this name, whether or not there is such a stream.
    After(String),
    Token(String),
}

impl Service {
    /// In the order of their names, whatever state they are in.
    pub(crate) fn list_streams(
        &mut self,
        from: &StreamsFrom,
        limit: usize,
        now: Moment,
    ) -> Result<StreamPage, ServiceError> {
        self.settle(now);
        let after = match from {
            StreamsFrom::First => None,
            StreamsFrom::After(name) => Some(name.clone()),
            StreamsFrom::Token(text) => Some(self.open_streams_token(text, now)?.after),
        };
        let begin = after.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let mut found = self.streams.range::<str, _>((begin, Bound::Unbounded));
        let page = found.by_ref().take(limit);
        let streams: Vec<Summary> = page
            .map(|(name, stream)| stream.summary(name, self.arn(name)))
            .collect();
        let more = found.next().is_some();
        let next = streams.last().filter(|_| more).map(|last| {
            let token = StreamsToken {
                after: last.name.clone(),
                issued: now,
            };
            token.seal(self.secret)
        });
        Ok(StreamPage { streams, next })
    }

    fn open_streams_token(&self, text: &str, now: Moment) -> Result<StreamsToken, ServiceError> {
        let token = StreamsToken::open(text, self.secret)
            .ok_or_else(|| ServiceError::invalid("Invalid NextToken."))?;
        if now.since(token.issued) > limits::LIST_SHARDS_TOKEN_LIFETIME {
            return Err(ServiceError::expired_token());
        }
        Ok(token)
    }

    pub(crate) fn describe_limits(&mut self, now: Moment) -> AccountLimits {
        self.settle(now);
        AccountLimits {
            open_shards: self.open_shards(),
            on_demand_streams: self.on_demand_streams(),
        }
    }

    fn open_shards(&self) -> usize {
        self.streams.values().map(Stream::open_count).sum()
    }

    fn on_demand_streams(&self) -> usize {
        let on_demand = |stream: &&Stream| stream.mode == Mode::OnDemand;
        self.streams.values().filter(on_demand).count()
    }

    pub(super) fn check_shard_quota(&self, more: usize) -> Result<(), ServiceError> {
        let open = self.open_shards();
        if open + more <= limits::ACCOUNT_SHARDS {
            return Ok(());
        }
        Err(ServiceError::new(
            ErrorCode::LimitExceeded,
            format!(
                "This request would exceed the shard limit for the account {} in {}. Current shard count for the account: {open}. Limit: {}. Number of additional shards that would have resulted from this request: {more}.",
                self.settings.account,
                self.settings.region,
                limits::ACCOUNT_SHARDS
            ),
        ))
    }

    pub(super) fn check_on_demand_quota(&self) -> Result<(), ServiceError> {
        if self.on_demand_streams() < limits::ON_DEMAND_STREAMS {
            return Ok(());
        }
        Err(ServiceError::new(
            ErrorCode::LimitExceeded,
            format!(
                "This request would exceed the on-demand stream limit for the account {} in {}. Limit: {}.",
                self.settings.account,
                self.settings.region,
                limits::ON_DEMAND_STREAMS
            ),
        ))
    }
}
