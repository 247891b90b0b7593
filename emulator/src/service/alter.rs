//! The settings of a stream that one call changes as a whole: the stream is `UPDATING` meanwhile.

use super::metrics::Metrics;
use super::request::{Distribution, Mode, StreamRef};
use super::scale;
use super::stream::{Change, Phase, Step};
use super::{Answer, HashRange, Limits, Moment, Service};
use crate::Operation;
use crate::error::{ErrorCode, ServiceError};
use crate::limits;
use std::time::Duration;

/// What a call wants to be different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alteration {
    ShardCount(u32),
    Mode(Mode),
    Distribution(Distribution),
    RecordBytes(usize),
    /// To so many hours.
    IncreaseRetention(i64),
    DecreaseRetention(i64),
    EnableMetrics(Metrics),
    DisableMetrics(Metrics),
    /// By the key of this name.
    StartEncryption(String),
    StopEncryption,
}

impl Alteration {
    pub(crate) const fn operation(&self) -> Operation {
        match self {
            Self::ShardCount(_) => Operation::UpdateShardCount,
            Self::Mode(_) => Operation::UpdateStreamMode,
            Self::Distribution(_) => Operation::UpdateStreamRecordDistributionStrategy,
            Self::RecordBytes(_) => Operation::UpdateMaxRecordSize,
            Self::IncreaseRetention(_) => Operation::IncreaseStreamRetentionPeriod,
            Self::DecreaseRetention(_) => Operation::DecreaseStreamRetentionPeriod,
            Self::EnableMetrics(_) => Operation::EnableEnhancedMonitoring,
            Self::DisableMetrics(_) => Operation::DisableEnhancedMonitoring,
            Self::StartEncryption(_) => Operation::StartStreamEncryption,
            Self::StopEncryption => Operation::StopStreamEncryption,
        }
    }
}

/// What `UpdateShardCount` answers.
#[derive(Clone, Debug)]
pub(crate) struct Scaled {
    pub(crate) name: String,
    pub(crate) arn: String,
    pub(crate) current: usize,
    pub(crate) target: u32,
}

/// What the operations of enhanced monitoring answer.
#[derive(Clone, Debug)]
pub(crate) struct Monitoring {
    pub(crate) name: String,
    pub(crate) arn: String,
    pub(crate) current: Metrics,
    pub(crate) desired: Metrics,
}

impl Service {
    pub(crate) fn alter(
        &mut self,
        stream: &StreamRef,
        alteration: &Alteration,
        now: Moment,
    ) -> Result<Answer, ServiceError> {
        let name = self.resolve(stream)?;
        let arn = self.arn(&name);
        let duration = self.settings.duration(alteration.operation());
        let mut answer = Answer::Empty;
        let change = match alteration {
            Alteration::ShardCount(target) => {
                let current = self.active(&name, now)?.open_count();
                answer = Answer::Scaled(Scaled {
                    name: name.clone(),
                    arn,
                    current,
                    target: *target,
                });
                self.scaling(&name, *target, duration, now)?
            }
            Alteration::Mode(mode) => self.mode_change(&name, *mode, now)?,
            Alteration::Distribution(distribution) => {
                self.on_demand(&name, now)?;
                Change::Distribution(*distribution)
            }
            Alteration::RecordBytes(bytes) => {
                self.active(&name, now)?;
                Change::RecordBytes(*bytes)
            }
            Alteration::IncreaseRetention(_) | Alteration::DecreaseRetention(_) => {
                self.retention_change(&name, alteration, now)?
            }
            Alteration::EnableMetrics(metrics) | Alteration::DisableMetrics(metrics) => {
                let current = self.active(&name, now)?.metrics;
                let desired = match alteration {
                    Alteration::EnableMetrics(_) => current.with(*metrics),
                    _ => current.without(*metrics),
                };
                answer = Answer::Monitoring(Monitoring {
                    name: name.clone(),
                    arn,
                    current,
                    desired,
                });
                Change::Metrics(desired)
            }
            Alteration::StartEncryption(key) => {
                self.encryption_change(&name, Some(key.clone()), now)?
            }
            Alteration::StopEncryption => self.encryption_change(&name, None, now)?,
        };
        let stream = self.active(&name, now)?;
        stream.phase = Phase::Updating {
            until: now.plus(duration),
            change,
        };
        stream.settle(now);
        Ok(answer)
    }

    /// `UNIFORM_SCALING`. Its steps are spread over the time that the stream is `UPDATING`.
    fn scaling(
        &mut self,
        name: &str,
        target: u32,
        duration: Duration,
        now: Moment,
    ) -> Result<Change, ServiceError> {
        let enforced = self.settings.limits == Limits::Enforced;
        let stream = self.provisioned(name, now)?;
        let open: Vec<(u32, HashRange)> = stream.open_shards().collect();
        let (current, wanted) = (open.len(), target as usize);
        let refused = |what: &str| {
            let message = format!(
                "{what}. Current open shard count: {current}, Target shard count: {target}"
            );
            Err(ServiceError::new(ErrorCode::LimitExceeded, message))
        };
        // A stream that is above the most already may come down, if it comes below it.
        if wanted > limits::SCALED_SHARDS || (wanted == limits::SCALED_SHARDS && current > wanted) {
            let most = limits::SCALED_SHARDS;
            return refused(&format!(
                "UpdateShardCount cannot scale a stream to more than {most} shards"
            ));
        }
        if wanted > current * 2 {
            return refused(
                "UpdateShardCount cannot scale up over double your current open shard count",
            );
        }
        if wanted * 2 < current {
            return refused(
                "UpdateShardCount cannot scale down below half your current open shard count",
            );
        }
        let plan = scale::uniform(&open, target, stream.next_index);
        // Short-lived shards count as well.
        self.check_shard_quota(plan.extra)?;
        let stream = self.active(name, now)?;
        if enforced && !stream.scalings.take(limits::SCALINGS_PER_DAY, now) {
            return refused(&format!(
                "UpdateShardCount was called {} times for stream {name} in the last 24 hours",
                limits::SCALINGS_PER_DAY
            ));
        }
        stream.next_index = plan.next_index;
        let count = u32::try_from(plan.steps.len()).unwrap_or(u32::MAX);
        let mut steps = std::collections::VecDeque::with_capacity(plan.steps.len());
        for (n, children) in (1..).zip(plan.steps) {
            steps.push_back(Step {
                at: now.plus(duration * n / count),
                epoch: self.next_epoch(now),
                children,
            });
        }
        Ok(Change::Shards(steps))
    }

    /// Only these may distribute records by themselves.
    fn on_demand(&mut self, name: &str, now: Moment) -> Result<(), ServiceError> {
        match self.active(name, now)?.mode {
            Mode::OnDemand => Ok(()),
            Mode::Provisioned => Err(ServiceError::new(
                ErrorCode::Validation,
                format!(
                    "Request is invalid. Stream {name} under account {} is in Provisioned mode.",
                    self.settings.account
                ),
            )),
        }
    }

    fn mode_change(&mut self, name: &str, mode: Mode, now: Moment) -> Result<Change, ServiceError> {
        let enforced = self.settings.limits == Limits::Enforced;
        let account = self.settings.account.clone();
        let stream = self.active(name, now)?;
        let invalid = |why: &str| {
            Err(ServiceError::invalid(format!(
                "Stream {name} under account {account} {why}."
            )))
        };
        // Not documented; to change nothing is taken for a mistake of the caller.
        if stream.mode == mode {
            return invalid("already is in the requested stream mode");
        }
        if mode == Mode::Provisioned && stream.distribution == Distribution::Auto {
            return invalid("distributes records by itself, which needs the ON_DEMAND mode");
        }
        if mode == Mode::OnDemand {
            self.check_on_demand_quota()?;
        }
        let stream = self.active(name, now)?;
        if enforced && !stream.mode_changes.take(limits::MODE_CHANGES_PER_DAY, now) {
            return Err(ServiceError::new(
                ErrorCode::LimitExceeded,
                format!(
                    "Stream {name} under account {account} changed its mode {} times in the last 24 hours.",
                    limits::MODE_CHANGES_PER_DAY
                ),
            ));
        }
        Ok(Change::Mode(mode))
    }

    fn retention_change(
        &mut self,
        name: &str,
        alteration: &Alteration,
        now: Moment,
    ) -> Result<Change, ServiceError> {
        let current = self.active(name, now)?.retention;
        let (Alteration::IncreaseRetention(hours) | Alteration::DecreaseRetention(hours)) =
            alteration
        else {
            unreachable!("only the two are brought here");
        };
        let invalid = |message: String| Err(ServiceError::invalid(message));
        let hour = |span: Duration| span.as_secs().div_ceil(3_600);
        let (least, most) = (hour(limits::RETENTION_LEAST), hour(limits::RETENTION_MOST));
        let wanted = u64::try_from(*hours).unwrap_or_default();
        if wanted < least {
            return invalid(format!(
                "Minimum allowed retention period is {least} hours. Requested retention period ({hours} hours) is too short."
            ));
        }
        if wanted > most {
            return invalid(format!(
                "Maximum allowed retention period is {most} hours. Requested retention period ({hours} hours) is too long."
            ));
        }
        let wanted = Duration::from_hours(wanted);
        let existing = hour(current);
        // The same again is let pass: "shorter" and "longer" are the service's own words.
        match alteration {
            Alteration::IncreaseRetention(_) if wanted < current => invalid(format!(
                "Requested retention period ({hours} hours) for stream {name} can not be shorter than existing retention period ({existing} hours). Use DecreaseRetentionPeriod API."
            )),
            Alteration::DecreaseRetention(_) if wanted > current => invalid(format!(
                "Requested retention period ({hours} hours) for stream {name} can not be longer than existing retention period ({existing} hours). Use IncreaseRetentionPeriod API."
            )),
            _ => Ok(Change::Retention(wanted)),
        }
    }

    fn encryption_change(
        &mut self,
        name: &str,
        key: Option<String>,
        now: Moment,
    ) -> Result<Change, ServiceError> {
        let enforced = self.settings.limits == Limits::Enforced;
        let stream = self.active(name, now)?;
        let quota = match key {
            Some(_) => &mut stream.encryption_starts,
            None => &mut stream.encryption_stops,
        };
        if enforced && !quota.take(limits::ENCRYPTION_CHANGES_PER_DAY, now) {
            return Err(ServiceError::new(
                ErrorCode::LimitExceeded,
                format!(
                    "The encryption of stream {name} was changed {} times in the last 24 hours.",
                    limits::ENCRYPTION_CHANGES_PER_DAY
                ),
            ));
        }
        Ok(Change::Encryption(key))
    }
}
