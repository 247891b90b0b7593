//! The settings of one handler.

use std::{any::TypeId, num::NonZeroU32, time::Duration};

use kinesis_app_rules::{self as rules, count::Count, length::Length};

use super::{
    problem::{ConfigError, Origin},
    stream_config::StreamConfig,
};
use crate::spec::{BatchSpec, Concurrency, GiveUp, HandlerSpec, Order, Retry};

/// The settings of the handler of one stream, as the keys of its attribute name them.
///
/// ```
/// use std::time::Duration;
///
/// use kinesis_app::{prelude::*, spec::GiveUp};
///
/// # #[kinesis_app(name = "billing", leases(memory))]
/// # pub mod billing {
/// # use super::*;
/// # #[stream(name = "orders", codec(Raw))]
/// # pub struct Orders;
/// # #[stream(name = "rejected", codec(Raw))]
/// # pub struct Rejected;
/// # #[on_record(Orders)]
/// # async fn book(_order: Bytes) -> Outcome { Outcome::Done }
/// #[configure]
/// fn settings(config: &mut AppConfig, _setup: &Setup) -> Result<(), ConfigError> {
///     config
///         .handler::<Orders>()
///         .set_concurrency(8)?
///         .set_timeout(Duration::from_secs(30))?
///         .set_attempts(5)?
///         .set_exhausted(GiveUp::to::<Rejected>());
///     Ok(())
/// }
/// # }
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct HandlerConfig<'a> {
    stream: &'a mut StreamConfig,
}

impl<'a> HandlerConfig<'a> {
    pub(super) fn of(stream: &'a mut StreamConfig) -> Self {
        let unhandled = ConfigError::new(
            Some(stream.label),
            "handler",
            Origin::Configure,
            "the application does not handle it",
        );
        if stream.handler.is_none() && !stream.problems.contains(&unhandled) {
            stream.problems.push(unhandled);
        }
        Self { stream }
    }

    /// How many records of one shard are handled at a time: 1 to 100,000.
    ///
    /// # Errors
    ///
    /// It is 0, or too many, or the handler takes batches, one at a time of a shard.
    pub fn set_concurrency(&mut self, concurrency: u32) -> Result<&mut Self, ConfigError> {
        let checked = match self.stream.handler {
            Some(HandlerSpec {
                batch: Some(_),
                label,
                ..
            }) => Err(format!(
                "concurrency has no meaning for `{label}`, which is given one batch of a shard at a time"
            )),
            _ => text(Count::Concurrency.check(concurrency.into())),
        };
        self.set("concurrency", checked, |handler| {
            handler.concurrency.shard = concurrency;
        })
    }

    /// How many records of all shards in this process are handled at a time: 1 or more, and no fewer than of one shard.
    ///
    /// # Errors
    ///
    /// It is 0.
    pub fn set_total_concurrency(&mut self, total: u32) -> Result<&mut Self, ConfigError> {
        let checked = text(Count::Total.check(total.into()));
        self.set("total concurrency", checked, |handler| {
            handler.concurrency.total = NonZeroU32::new(total);
        })
    }

    /// A record is tried so often in all, and then given up on: 1 or more.
    ///
    /// # Errors
    ///
    /// It is 0.
    pub fn set_attempts(&mut self, attempts: u32) -> Result<&mut Self, ConfigError> {
        let checked = text(Count::Attempts.check(attempts.into()));
        self.set("attempts", checked, |handler| {
            handler.retry.attempts = NonZeroU32::new(attempts);
        })
    }

    /// A record is tried until it passes.
    pub fn set_attempts_forever(&mut self) -> &mut Self {
        self.change(|handler| handler.retry.attempts = None)
    }

    /// The first pause before another attempt: 1 ms to 24 h, and no longer than the longest.
    ///
    /// # Errors
    ///
    /// It is shorter or longer.
    pub fn set_backoff(&mut self, first: Duration) -> Result<&mut Self, ConfigError> {
        let checked = text(Length::Backoff.check(first));
        self.set("backoff", checked, |handler| handler.retry.backoff = first)
    }

    /// The longest pause before another attempt: 1 ms to 24 h.
    ///
    /// # Errors
    ///
    /// It is shorter or longer.
    pub fn set_max_backoff(&mut self, longest: Duration) -> Result<&mut Self, ConfigError> {
        let checked = text(Length::MaxBackoff.check(longest));
        self.set("max backoff", checked, |handler| {
            handler.retry.max_backoff = longest;
        })
    }

    /// What becomes of a record whose attempts are used up, or that failed in a way that no repetition heals. A dead letter goes to a
    /// stream of the application, and not to one that leads back to this handler.
    pub fn set_exhausted(&mut self, place: GiveUp) -> &mut Self {
        self.change(|handler| handler.exhausted = place)
    }

    /// What becomes of a record that the handler cannot be given. A dead letter goes to a stream of the application, and not to one that
    /// leads back to this handler.
    pub fn set_undecodable(&mut self, place: GiveUp) -> &mut Self {
        self.change(|handler| handler.undecodable = place)
    }

    /// An attempt that takes longer is dropped and has failed: 1 ms to 24 h.
    ///
    /// # Errors
    ///
    /// It is shorter or longer.
    pub fn set_timeout(&mut self, timeout: Duration) -> Result<&mut Self, ConfigError> {
        let checked = text(Length::Timeout.check(timeout));
        self.set("timeout", checked, |handler| {
            handler.timeout = Some(timeout);
        })
    }

    /// The most records of a batch: 1 to 100,000.
    ///
    /// # Errors
    ///
    /// It is 0, or too many, or the handler takes its records one by one.
    pub fn set_max_records(&mut self, records: u32) -> Result<&mut Self, ConfigError> {
        let checked = text(Count::MaxRecords.check(records.into()));
        self.set_batch("max records", checked, |batch| batch.max_records = records)
    }

    /// A batch that is not full waits so long for more records: at most 1 h.
    ///
    /// # Errors
    ///
    /// It is longer, or the handler takes its records one by one.
    pub fn set_max_wait(&mut self, wait: Duration) -> Result<&mut Self, ConfigError> {
        let checked = text(Length::MaxWait.check(wait));
        self.set_batch("max wait", checked, |batch| batch.max_wait = wait)
    }

    fn set_batch(
        &mut self,
        setting: &'static str,
        checked: Result<(), String>,
        change: impl FnOnce(&mut BatchSpec),
    ) -> Result<&mut Self, ConfigError> {
        let checked = match self.stream.handler {
            Some(HandlerSpec {
                batch: None, label, ..
            }) => Err(format!(
                "{setting} has no meaning for `{label}`, which is given its records one by one"
            )),
            _ => checked,
        };
        self.set(setting, checked, |handler| {
            if let Some(batch) = &mut handler.batch {
                change(batch);
            }
        })
    }

    fn set(
        &mut self,
        setting: &'static str,
        checked: Result<(), String>,
        change: impl FnOnce(&mut HandlerSpec),
    ) -> Result<&mut Self, ConfigError> {
        self.stream.set(setting, checked, |stream| {
            if let Some(handler) = &mut stream.handler {
                change(handler);
            }
        })?;
        Ok(self)
    }

    fn change(&mut self, change: impl FnOnce(&mut HandlerSpec)) -> &mut Self {
        if let Some(handler) = &mut self.stream.handler {
            change(handler);
        }
        self
    }
}

fn text<T>(checked: Result<T, impl ToString>) -> Result<(), String> {
    checked.map(drop).map_err(|fault| fault.to_string())
}

/// What is wrong with the settings of all handlers together, when `#[configure]` has had its word.
pub(super) fn judge(streams: &[StreamConfig]) -> Vec<ConfigError> {
    let mut problems = Vec::new();
    let mut rounds = Vec::new();
    for stream in streams {
        let Some(handler) = &stream.handler else {
            continue;
        };
        let mut refuse = |setting, text| {
            let error = ConfigError::new(Some(stream.label), setting, Origin::Source, text);
            problems.push(error);
        };
        let Concurrency { shard, total } = handler.concurrency;
        let beside = match total {
            Some(total) => rules::concurrency::below_total(shard, total.get()),
            None => Ok(()),
        };
        let in_order = match handler.order {
            Order::Shard => rules::concurrency::one_at_a_time(shard),
            Order::PartitionKey | Order::None => Ok(()),
        };
        for fault in [beside, in_order].into_iter().filter_map(Result::err) {
            refuse("concurrency", fault.to_string());
        }
        let Retry {
            backoff,
            max_backoff,
            ..
        } = handler.retry;
        if let Err(fault) = rules::backoffs::backoffs(backoff, max_backoff) {
            refuse("retry", fault.to_string());
        }
        for (setting, place) in [
            ("exhausted", handler.exhausted),
            ("undecodable", handler.undecodable),
        ] {
            let GiveUp::DeadLetter(to) = place else {
                continue;
            };
            if !streams.iter().any(|known| known.stream == to.stream) {
                let text = format!("the application does not declare `{}`", to.label);
                refuse(setting, text);
            } else if let Some(way) = way_back(streams, stream, to.stream, &rounds) {
                rounds.push(stream.stream);
                refuse(setting, format!("records go round: {way}"));
            }
        }
    }
    problems
}

/// The way back to a stream from the one that its dead letters go to, by dead letters and replies, if there is one. A round that was told
/// of is not told again from another of its streams.
fn way_back(
    streams: &[StreamConfig],
    from: &StreamConfig,
    to: TypeId,
    told: &[TypeId],
) -> Option<String> {
    let mut ways = vec![(to, format!("`{}`", from.label))];
    let mut seen = told.to_vec();
    while let Some((at, way)) = ways.pop() {
        let Some(stream) = streams.iter().find(|stream| stream.stream == at) else {
            continue;
        };
        let way = format!("{way} -> `{}`", stream.label);
        if at == from.stream {
            return Some(way);
        }
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        let written = stream.handler.iter().flat_map(HandlerSpec::written);
        ways.extend(written.map(|to| (to.stream, way.clone())));
    }
    None
}
