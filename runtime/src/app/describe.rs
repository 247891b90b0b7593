//! What an application is, as a value: for catalogues, diagrams and logs.

use std::{any::type_name, fmt};

use kinesis_app_rules::timestamp::rfc3339;
use serde::Serialize;

use super::{
    config::{Declared, Resolved},
    error::Error,
    launch::launch,
    setup::Setup,
    stream_config::StreamConfig,
    wire::Application,
};
use crate::{
    source::kinesis::Target,
    spec::{Checkpoints, Fallback, GiveUp, HandlerSpec, Order, Retry, Setting, Start, StreamId},
};

/// What an application reads and handles, with every setting as a start would have it. No credential is in it.
///
/// Its text is for people; with `serde` it is a value for catalogues.
///
/// ```
/// use kinesis_app::prelude::*;
///
/// #[kinesis_app(name = "billing", region = "eu-west-1", leases(memory))]
/// pub mod billing {
///     use super::*;
///
///     #[stream(name = "orders", start(trim_horizon), codec(Raw))]
///     pub struct Orders;
///
///     /// Books one order.
///     #[on_record(Orders, concurrency = 8)]
///     async fn book(_order: Bytes) -> Outcome {
///         Outcome::Done
///     }
/// }
///
/// # fn main() -> Result<(), kinesis_app::Error> {
/// let billing = kinesis_app::describe(billing::App)?;
/// assert_eq!(billing.server.host, "kinesis.eu-west-1.amazonaws.com");
/// assert_eq!(billing.streams[0].handler.as_ref().map(|handler| handler.description), Some("Books one order."));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Description {
    /// The application's name.
    pub app: String,
    /// Where its streams are.
    pub server: Server,
    /// In the order in which handlers, and then other streams, are declared.
    pub streams: Vec<StreamDescription>,
}

/// The service that holds an application's streams.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Server {
    /// The `endpoint`, which holds no user and no password, or a start refuses it; else the service's own in the `region`; else without a
    /// region, which is then the SDK's to find at start.
    pub host: String,
    /// `kinesis`.
    pub protocol: &'static str,
}

/// One of an application's streams.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StreamDescription {
    /// The name of the stream's struct.
    pub label: &'static str,
    /// The stream's name, also where it is given by its ARN.
    pub name: String,
    /// Its ARN, if it is given by that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arn: Option<String>,
    /// Who says so.
    pub named_by: NamedBy,
    /// Where it is read from the first time: `trim_horizon`, `latest` or a time as RFC 3339.
    pub start: String,
    /// Whether it is read from there at every start.
    pub ignores_checkpoints: bool,
    /// The codec's name; `None` for a stream that another module declares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codec: Option<&'static str>,
    /// `None`: it is only written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handler: Option<HandlerDescription>,
}

/// Where the name of a stream comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NamedBy {
    /// It is fixed in the source.
    Source,
    /// This environment variable, or its default.
    Variable(&'static str),
    /// `#[configure]`.
    Configure,
}

/// What handles a stream's records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HandlerDescription {
    /// Its name.
    pub label: &'static str,
    /// The first line of its documentation, or nothing.
    pub description: &'static str,
    /// How many records of one shard it is given at the same time.
    pub concurrency: u32,
    /// How many of all shards of one process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_concurrency: Option<u32>,
    /// The most records of one call, if it takes batches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_records: Option<u32>,
    /// For how long a batch that is not full waits, if it takes batches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_wait: Option<String>,
    /// What it is given in order: the records of a `partition_key`, or of a `shard`.
    pub order: &'static str,
    /// What happens after a failure.
    pub retry: String,
    /// What becomes of a record that is given up on.
    pub exhausted: String,
    /// What becomes of a record that it cannot be given.
    pub undecodable: String,
    /// How long an attempt may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<String>,
    /// The struct of the stream that its replies are stored in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publish: Option<&'static str>,
}

/// Describes an application with the process's arguments and environment: what `App::describe()` says. It starts nothing, and asks nobody.
///
/// The environment and `#[configure]` have had their word, as at a start; [`Launch::describe`](crate::Launch::describe) takes another
/// [`Setup`](crate::Setup), an empty one among them.
///
/// # Errors
///
/// [`Error`], with every setting that is out of range, as a start would have it.
pub fn describe(app: impl Application) -> Result<Description, Error> {
    launch(app).describe()
}

impl Description {
    /// Of settings that passed every rule, and of streams in the same order.
    pub(super) fn new(settings: &Resolved, declared: &[Declared], setup: &Setup) -> Self {
        let streams = settings.streams.iter().zip(declared);
        Self {
            app: settings.name.clone(),
            server: Server {
                host: host(settings.endpoint.as_deref(), settings.region.as_deref()),
                protocol: "kinesis",
            },
            streams: streams
                .map(|(config, declared)| StreamDescription::new(config, declared, setup))
                .collect(),
        }
    }
}

impl StreamDescription {
    fn new(config: &StreamConfig, declared: &Declared, setup: &Setup) -> Self {
        let arn = match &config.target {
            Target::Arn(arn) => Some(arn.clone()),
            Target::Name(_) => None,
        };
        Self {
            label: config.label,
            name: config.name().to_owned(),
            named_by: named_by(config, declared, setup),
            arn,
            start: match config.start {
                Start::TrimHorizon => "trim_horizon".to_owned(),
                Start::Latest => "latest".to_owned(),
                Start::Timestamp { millis } => {
                    rfc3339(millis).unwrap_or_else(|| millis.to_string())
                }
            },
            ignores_checkpoints: config.checkpoints == Checkpoints::Ignore,
            codec: declared.codec,
            handler: config.handler.as_ref().map(HandlerDescription::new),
        }
    }
}

impl HandlerDescription {
    fn new(handler: &HandlerSpec) -> Self {
        Self {
            label: handler.label,
            description: handler.description,
            concurrency: handler.concurrency.shard,
            total_concurrency: handler.concurrency.total.map(Into::into),
            max_records: handler.batch.map(|batch| batch.max_records),
            max_wait: handler.batch.map(|batch| format!("{:?}", batch.max_wait)),
            order: match handler.order {
                Order::PartitionKey => "partition_key",
                Order::Shard => "shard",
                Order::None => "none",
            },
            retry: retry(handler.retry),
            exhausted: give_up(handler.exhausted),
            undecodable: give_up(handler.undecodable),
            timeout: handler.timeout.map(|timeout| format!("{timeout:?}")),
            publish: handler.publish.map(|to| to.label),
        }
    }
}

fn named_by(config: &StreamConfig, declared: &Declared, setup: &Setup) -> NamedBy {
    let ((StreamId::Name(setting), Target::Name(stands))
    | (StreamId::Arn(setting), Target::Arn(stands))) = (declared.spec.id, &config.target)
    else {
        return NamedBy::Configure;
    };
    let (said, by) = match setting {
        Setting::Fixed(text) => (Some(text), NamedBy::Source),
        Setting::Env { variable, fallback } => {
            let default = match fallback {
                Fallback::Default(text) => Some(text),
                Fallback::Required | Fallback::Absent => None,
            };
            let said = setup.lookup(variable).or(default);
            (said, NamedBy::Variable(variable))
        }
    };
    if said == Some(stands) {
        by
    } else {
        NamedBy::Configure
    }
}

/// The last part of a codec's path, which is how `codec(..)` names it.
pub(super) fn codec<C>() -> &'static str {
    let path = type_name::<C>();
    path.rsplit("::").next().unwrap_or(path)
}

fn host(endpoint: Option<&str>, region: Option<&str>) -> String {
    match (endpoint, region) {
        (Some(endpoint), _) => endpoint.to_owned(),
        (None, Some(region)) if region.starts_with("cn-") => {
            format!("kinesis.{region}.amazonaws.com.cn")
        }
        (None, Some(region)) => format!("kinesis.{region}.amazonaws.com"),
        (None, None) => "kinesis.amazonaws.com".to_owned(),
    }
}

fn retry(retry: Retry) -> String {
    let Retry {
        attempts,
        backoff,
        max_backoff,
    } = retry;
    let attempts = attempts.map_or_else(
        || "until it passes".to_owned(),
        |attempts| format!("{attempts} attempts"),
    );
    format!("{attempts}, {backoff:?} to {max_backoff:?} apart")
}

fn give_up(give_up: GiveUp) -> String {
    match give_up {
        GiveUp::Halt => "halt".to_owned(),
        GiveUp::Skip => "skip".to_owned(),
        GiveUp::DeadLetter(to) => format!("dead_letter({})", to.label),
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Server { host, protocol } = &self.server;
        write!(f, "{}: {protocol} at {host}", self.app)?;
        self.streams
            .iter()
            .try_for_each(|stream| write!(f, "\n{stream}"))
    }
}

impl fmt::Display for StreamDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  {}: {}",
            self.label,
            self.arn.as_ref().unwrap_or(&self.name)
        )?;
        match &self.named_by {
            NamedBy::Source => {}
            NamedBy::Variable(variable) => write!(f, " (from `{variable}`)")?,
            NamedBy::Configure => f.write_str(" (from `#[configure]`)")?,
        }
        if let Some(codec) = self.codec {
            write!(f, ", {codec}")?;
        }
        match &self.handler {
            None => f.write_str(", only written"),
            Some(handler) => {
                write!(f, ", starts at {}", self.start)?;
                if self.ignores_checkpoints {
                    f.write_str(" whenever the application starts")?;
                }
                write!(f, "\n{handler}")
            }
        }
    }
}

impl fmt::Display for HandlerDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "    {}", self.label)?;
        if !self.description.is_empty() {
            write!(f, ": {}", self.description)?;
        }
        match (self.max_records, &self.max_wait) {
            (Some(most), Some(wait)) => {
                write!(
                    f,
                    "\n      batches of at most {most}, which wait for {wait}"
                )?;
            }
            _ => write!(f, "\n      {} at a time", self.concurrency)?,
        }
        if let Some(total) = self.total_concurrency {
            write!(f, ", {total} in all")?;
        }
        write!(
            f,
            ", ordered by {}; retry: {}; exhausted: {}; undecodable: {}",
            self.order, self.retry, self.exhausted, self.undecodable
        )?;
        if let Some(timeout) = &self.timeout {
            write!(f, "; timeout: {timeout}")?;
        }
        match self.publish {
            Some(to) => write!(f, "; publish: {to}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_endpoint_the_host_is_the_service_s_own_as_far_as_it_is_known() {
        assert_eq!(
            host(None, Some("eu-west-1")),
            "kinesis.eu-west-1.amazonaws.com"
        );
        assert_eq!(
            host(None, Some("cn-north-1")),
            "kinesis.cn-north-1.amazonaws.com.cn"
        );
        assert_eq!(host(None, None), "kinesis.amazonaws.com");
    }
}
