//! The service as a state machine: request and time in, answer out. No async, no clock, no wire.

pub(crate) mod account;
mod admission;
pub(crate) mod alter;
mod answer;
mod bucket;
mod consumer;
pub(crate) mod fanout;
mod hash_key;
mod kept;
mod listing;
pub(crate) mod metrics;
mod moment;
mod quota;
mod read;
pub(crate) mod record;
pub(crate) mod registry;
pub(crate) mod request;
mod reshard;
pub(crate) mod run;
mod scale;
mod sequence;
pub(crate) mod shard;
mod start;
pub(crate) mod stream;
mod subscribe;
pub(crate) mod tags;
#[cfg(test)]
mod tests;
mod token;
mod view;
mod write;

pub(crate) use answer::{Answer, Twist};
pub use hash_key::{HashRange, hash_key};
pub(crate) use listing::{Description, ListedShard, ShardPage, Summary};
pub(crate) use moment::Moment;
pub(crate) use read::Page;
pub(crate) use request::Encryption;
pub(crate) use subscribe::{Event, Push, Subscription};
pub(crate) use write::{PutFailure, Receipt};

use crate::Operation;
use crate::arrivals::Arrival;
use crate::error::{ErrorCode, ServiceError};
use crate::limits;
use kinesis_app_rules::arn::stream_arn;
use registry::ConsumerDeletion;
use request::{Mode, NewStream, StreamRef};
use std::collections::BTreeMap;
use std::time::Duration;
use stream::{Phase, Stream};

/// Whether the service refuses what goes beyond its limits on rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limits {
    /// As the service does.
    #[default]
    Enforced,
    /// Never refuse for a rate. The limits on sizes and counts of one request stay.
    Off,
}

#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) account: String,
    pub(crate) region: String,
    pub(crate) limits: Limits,
    pub(crate) create_duration: Duration,
    pub(crate) update_duration: Duration,
    pub(crate) delete_duration: Duration,
    /// What a single operation takes, where it differs from the three above.
    pub(crate) durations: BTreeMap<Operation, Duration>,
    pub(crate) retention: Duration,
    pub(crate) seed: u64,
}

impl Settings {
    /// How long a stream, or a consumer, is in the state that the operation brings it into.
    fn duration(&self, operation: Operation) -> Duration {
        let own = self.durations.get(&operation).copied();
        own.unwrap_or(match operation {
            Operation::CreateStream | Operation::RegisterStreamConsumer => self.create_duration,
            Operation::DeleteStream | Operation::DeregisterStreamConsumer => self.delete_duration,
            _ => self.update_duration,
        })
    }

    fn stream_not_found(&self, name: &str) -> ServiceError {
        ServiceError::new(
            ErrorCode::ResourceNotFound,
            format!("Stream {name} under account {} not found.", self.account),
        )
    }

    fn shard_not_found(&self, stream: &str, shard: &str) -> ServiceError {
        ServiceError::new(
            ErrorCode::ResourceNotFound,
            format!(
                "Shard {shard} in stream {stream} under account {} does not exist",
                self.account
            ),
        )
    }

    fn rate_exceeded(&self, stream: &str, shard: &str) -> ServiceError {
        ServiceError::new(
            ErrorCode::ProvisionedThroughputExceeded,
            format!(
                "Rate exceeded for shard {shard} in stream {stream} under account {}.",
                self.account
            ),
        )
    }

    fn not_active(&self, name: &str, status: &str) -> ServiceError {
        ServiceError::new(
            ErrorCode::ResourceInUse,
            format!(
                "Stream {name} under account {} not ACTIVE, instead in state {status}",
                self.account
            ),
        )
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Service {
    pub(crate) settings: Settings,
    streams: BTreeMap<String, Stream>,
    account_meters: admission::AccountMeters,
    /// The epoch of the newest creation or reshard.
    pub(crate) epoch: u64,
    random: fastrand::Rng,
    /// Keys the digests of tokens, so that those of another instance are refused.
    secret: u64,
    /// Grows with every request that may change something.
    pub(crate) changes: u64,
    /// What was stored and is not told yet, if somebody watches.
    pub(crate) arrivals: Option<Vec<Arrival>>,
}

impl Service {
    pub(crate) fn new(settings: Settings) -> Self {
        let mut random = fastrand::Rng::with_seed(settings.seed);
        let secret = random.u64(..);
        Self {
            settings,
            streams: BTreeMap::new(),
            account_meters: admission::AccountMeters::default(),
            epoch: 0,
            random,
            secret,
            changes: 0,
            arrivals: None,
        }
    }

    /// Grows with every creation and reshard, and with the time: no two generations of shards
    /// share it, not even those of a stream that was deleted and made again in one second.
    fn next_epoch(&mut self, now: Moment) -> u64 {
        self.epoch = (self.epoch + 1).max(now.seconds());
        self.epoch
    }

    /// Brings one stream to `now`: calls about one stream do not cost more for the others.
    fn settle_one(&mut self, name: &str, now: Moment) {
        let stream = self.streams.get_mut(name);
        if stream.is_some_and(|stream| !stream.settle(now)) {
            self.streams.remove(name);
        }
    }

    /// Brings all streams to `now`.
    pub(crate) fn settle(&mut self, now: Moment) {
        self.streams.retain(|_, stream| stream.settle(now));
    }

    /// The name that a request means.
    pub(crate) fn resolve(&self, stream: &StreamRef) -> Result<String, ServiceError> {
        match (&stream.name, &stream.arn) {
            (Some(name), None) => Ok(name.clone()),
            (name, Some(arn)) => {
                let named = self.name_of_arn(arn)?;
                match name {
                    Some(name) if *name != named => Err(ServiceError::invalid(format!(
                        "StreamARN {arn} does not name the stream {name}."
                    ))),
                    _ => Ok(named),
                }
            }
            (None, None) => Err(ServiceError::invalid(
                "Either StreamARN or StreamName should be provided.",
            )),
        }
    }

    fn name_of_arn(&self, arn: &str) -> Result<String, ServiceError> {
        let parts =
            stream_arn(arn).map_err(|fault| ServiceError::invalid(fault.with(arn).to_string()))?;
        if parts.region != self.settings.region || parts.account != self.settings.account {
            return Err(ServiceError::new(
                ErrorCode::ResourceNotFound,
                format!(
                    "Stream {} under account {} not found.",
                    parts.name, parts.account
                ),
            ));
        }
        Ok(parts.name.to_owned())
    }

    pub(crate) fn arn(&self, name: &str) -> String {
        let Settings {
            region, account, ..
        } = &self.settings;
        format!("arn:aws:kinesis:{region}:{account}:stream/{name}")
    }

    /// The stream in whatever state it is.
    pub(crate) fn stream(&mut self, name: &str, now: Moment) -> Result<&mut Stream, ServiceError> {
        self.settle_one(name, now);
        match self.streams.get_mut(name) {
            Some(stream) => Ok(stream),
            None => Err(self.settings.stream_not_found(name)),
        }
    }

    /// The stream, if records may be put and read. The data operations know no "in use": to them
    /// a stream that is still being created is not there.
    pub(crate) fn serving(&mut self, name: &str, now: Moment) -> Result<&mut Stream, ServiceError> {
        self.settle_one(name, now);
        match self.streams.get_mut(name) {
            Some(stream) if stream.phase.serves() => Ok(stream),
            _ => Err(self.settings.stream_not_found(name)),
        }
    }

    pub(crate) fn create_stream(
        &mut self,
        new: &NewStream,
        now: Moment,
    ) -> Result<(), ServiceError> {
        self.settle(now);
        let account = &self.settings.account;
        if self.streams.contains_key(&new.name) {
            return Err(ServiceError::new(
                ErrorCode::ResourceInUse,
                format!(
                    "Stream {} under account {account} already exists.",
                    new.name
                ),
            ));
        }
        let creating = |stream: &&Stream| matches!(stream.phase, Phase::Creating { .. });
        if self.streams.values().filter(creating).count() >= limits::CREATING_STREAMS {
            return Err(ServiceError::new(
                ErrorCode::LimitExceeded,
                format!("Limit for streams being created under account {account} exceeded."),
            ));
        }
        if new.mode == Mode::OnDemand {
            self.check_on_demand_quota()?;
        }
        self.check_shard_quota(new.shards as usize)?;
        let epoch = self.next_epoch(now);
        let mut stream = Stream::new(new, epoch, self.settings.retention, now);
        let duration = self.settings.duration(Operation::CreateStream);
        if !duration.is_zero() {
            stream.phase = Phase::Creating {
                until: now.plus(duration),
            };
        }
        self.streams.insert(new.name.clone(), stream);
        Ok(())
    }

    pub(crate) fn delete_stream(
        &mut self,
        name: &str,
        consumers: ConsumerDeletion,
        now: Moment,
    ) -> Result<(), ServiceError> {
        let until = now.plus(self.settings.duration(Operation::DeleteStream));
        let account = self.settings.account.clone();
        let stream = self.active(name, now)?;
        let count = stream.consumers.count();
        if count > 0 && consumers == ConsumerDeletion::Refused {
            return Err(ServiceError::new(
                ErrorCode::ResourceInUse,
                format!(
                    "Stream {name} under account {account} has {count} registered consumers. Set EnforceConsumerDeletion to delete them with it."
                ),
            ));
        }
        stream.phase = Phase::Deleting { until };
        self.settle(now);
        Ok(())
    }

    /// The stream, if it may be changed.
    fn active(&mut self, name: &str, now: Moment) -> Result<&mut Stream, ServiceError> {
        self.settle_one(name, now);
        match self.streams.get_mut(name) {
            Some(stream) if stream.phase == Phase::Active => Ok(stream),
            Some(stream) => Err(self.settings.not_active(name, stream.phase.as_str())),
            None => Err(self.settings.stream_not_found(name)),
        }
    }
}
