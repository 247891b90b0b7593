//! Everything that is wrong at start, said at once.

use std::fmt;

use super::{setup::SetupError, stream_config::StreamConfig};
use crate::cause::{Chain, HandlerError};

/// One setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    stream: Option<&'static str>,
    setting: &'static str,
    origin: Origin,
    text: String,
}

/// Where a setting came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Source,
    Variable(&'static str),
    Configure,
}

impl ConfigError {
    /// A failure of `#[configure]` itself.
    pub(crate) fn hook(text: impl fmt::Display) -> Self {
        Self::new(None, "`#[configure]`", Origin::Source, text)
    }

    pub(crate) fn new(
        stream: Option<&'static str>,
        setting: &'static str,
        origin: Origin,
        text: impl fmt::Display,
    ) -> Self {
        Self {
            stream,
            setting,
            origin,
            text: text.to_string(),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(stream) = self.stream {
            write!(f, "stream `{stream}`: ")?;
        }
        match self.origin {
            Origin::Source => write!(f, "{}: ", self.setting)?,
            Origin::Variable(variable) => write!(f, "{} from `{variable}`: ", self.setting)?,
            Origin::Configure => write!(f, "{} from `#[configure]`: ", self.setting)?,
        }
        f.write_str(&self.text)
    }
}

impl std::error::Error for ConfigError {}

/// For `?` in a `#[configure]` hook.
impl From<SetupError> for ConfigError {
    fn from(error: SetupError) -> Self {
        Self::hook(error)
    }
}

/// All settings of an application that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigErrors {
    pub(crate) app: String,
    pub(crate) errors: Vec<ConfigError>,
}

impl ConfigErrors {
    /// One by one, in the order of the source.
    pub fn iter(&self) -> impl Iterator<Item = &ConfigError> {
        self.errors.iter()
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, are) = if self.errors.len() == 1 {
            ("1 setting".into(), "is")
        } else {
            (format!("{} settings", self.errors.len()), "are")
        };
        write!(f, "{}: {count} {are} out of range", self.app)?;
        for error in &self.errors {
            write!(f, "\n  {error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}

/// A stream that cannot be read.
#[derive(Debug)]
pub struct StreamError {
    label: &'static str,
    name: String,
    endpoint: String,
    problem: StreamProblem,
}

/// What is wrong with it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamProblem {
    /// A call failed, with the service's own words.
    #[error(transparent)]
    Service(#[from] crate::service_error::ServiceError),
    /// It was there and not readable for too long.
    #[error("it is still being created or deleted")]
    NotReady,
    /// Its `start(timestamp = ..)` lies ahead of the service's clock.
    #[error("start(timestamp) lies {ahead_seconds} s in the future of the service's clock")]
    StartInTheFuture {
        /// By how much.
        ahead_seconds: u64,
    },
    /// The stored checkpoints belong to an older stream of this name.
    #[error(
        "it was deleted and created again; the stored checkpoints belong to the stream before it\nhelp: \
         say `on_recreated(restart)`, delete the lease rows `{rows}` and `{rows}:*`, or give the application another name"
    )]
    Recreated {
        /// The key of the stream's row, in front of which the shards' keys begin.
        rows: String,
    },
    /// The service's answer has no `Date`, which `start(latest)` is resolved by.
    #[error(
        "the answer has no `Date` header, which `start(latest)` is stored by\nhelp: `start(trim_horizon)`, or a timestamp"
    )]
    NoClock,
    /// It cannot be read: its shards cannot be listed, its leases not stored, or a shard is refused.
    #[error("{}", Chain(&**.0))]
    Unreadable(#[source] HandlerError),
    /// Not every shard of the first round got its iterator in time.
    #[error("{} of its shards could not be opened in time; {}: {}", .shards.len(), .shards[0].0, .shards[0].1)]
    NotOpened {
        /// The shards that fail, and what the service says last.
        shards: Vec<(String, String)>,
    },
    /// The lease store failed.
    #[error("{}", Chain(.0))]
    Store(#[source] crate::leases::store::StoreError),
}

impl StreamError {
    pub(super) fn new(config: &StreamConfig, endpoint: &str, problem: StreamProblem) -> Self {
        Self::at(config.label, config.name().into(), endpoint.into(), problem)
    }

    pub(super) fn at(
        label: &'static str,
        name: String,
        endpoint: String,
        problem: StreamProblem,
    ) -> Self {
        Self {
            label,
            name,
            endpoint,
            problem,
        }
    }

    /// The struct's name.
    pub fn label(&self) -> &str {
        self.label
    }

    /// What is wrong.
    pub fn problem(&self) -> &StreamProblem {
        &self.problem
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "stream `{}` (`{}` at `{}`): {}",
            self.label, self.name, self.endpoint, self.problem
        )
    }
}

impl std::error::Error for StreamError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.problem.source()
    }
}

/// All streams of an application that cannot be read.
#[derive(Debug)]
pub struct StreamErrors {
    pub(crate) app: String,
    pub(crate) errors: Vec<StreamError>,
}

impl StreamErrors {
    /// One by one, in the order of the source.
    pub fn iter(&self) -> impl Iterator<Item = &StreamError> {
        self.errors.iter()
    }
}

impl fmt::Display for StreamErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = if self.errors.len() == 1 {
            "1 stream".into()
        } else {
            format!("{} streams", self.errors.len())
        };
        write!(f, "{}: {count} cannot be read", self.app)?;
        for error in &self.errors {
            write!(f, "\n  {error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for StreamErrors {}
