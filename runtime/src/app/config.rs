//! The one truth about an application's settings: specs as defaults, then the environment, then `#[configure]`.

use std::{any::TypeId, time::Duration};

use kinesis_app_rules::{self as rules, length::Length};

use super::{
    handler_config::{self, HandlerConfig},
    lease_config::LeaseConfig,
    problem::{ConfigError, ConfigErrors, Origin},
    resolve::Resolve,
    setup::Setup,
    stream_config::StreamConfig,
    variables,
};
use crate::{
    Stream,
    spec::{AppSpec, Credentials, HandlerSpec, StreamSpec},
};

/// The settings of an application, as `#[configure]` may change them.
///
/// Every setter checks its value by the rule that the macro checks literals with. A refused value is reported at start, together with
/// all others, whether or not the setter's result is looked at.
#[derive(Debug)]
pub struct AppConfig {
    pub(crate) name: String,
    pub(crate) region: Option<String>,
    pub(crate) endpoint: Option<String>,
    pub(crate) credentials: Credentials,
    pub(crate) owner_id: Option<String>,
    pub(super) leases: LeaseConfig,
    pub(crate) shutdown_timeout: Duration,
    pub(crate) prefetch: usize,
    streams: Vec<StreamConfig>,
    strangers: Vec<StreamConfig>,
    problems: Vec<ConfigError>,
}

/// A stream as the module declares it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared {
    pub(crate) stream: TypeId,
    pub(crate) spec: StreamSpec,
    pub(crate) handler: Option<HandlerSpec>,
    /// The codec's name, where its stream is known as such.
    pub(crate) codec: Option<&'static str>,
}

impl AppConfig {
    pub(crate) fn new(spec: &AppSpec, streams: &[Declared], setup: &Setup) -> Self {
        let mut problems = Vec::new();
        let mut app = Resolve {
            stream: None,
            setup,
            problems: &mut problems,
        };
        let mut spec = *spec;
        let name = app.text("name", spec.name, |name| {
            rules::name::app_name(name)
                .map(drop)
                .map_err(|fault| fault.with(name).to_string())
        });
        let region = spec.region.and_then(|region| {
            app.text("region", region, |region| {
                rules::region::region(region)
                    .map(drop)
                    .map_err(|fault| fault.with(region).to_string())
            })
        });
        let endpoint = spec
            .endpoint
            .and_then(|endpoint| app.text("endpoint", endpoint, check_endpoint));
        let owner_id = spec
            .owner_id
            .and_then(|id| app.text("owner id", id, check_owner_id));
        let prefetch = spec.prefetch.and_then(|prefetch| {
            app.read("prefetch", prefetch, |text| {
                rules::prefetch::prefetch_text(text).map_err(|fault| fault.with(text).to_string())
            })
        });
        variables::of_app(&mut spec, &mut app);
        let leases = LeaseConfig::new(spec.leases, &mut app);
        let streams = streams
            .iter()
            .map(|declared| StreamConfig::new(declared, setup))
            .collect();
        Self {
            name: name.unwrap_or_default(),
            region,
            endpoint,
            credentials: spec.credentials,
            owner_id,
            leases,
            shutdown_timeout: spec.shutdown_timeout,
            prefetch: prefetch.unwrap_or(rules::defaults::PREFETCH_BYTES),
            streams,
            strangers: Vec::new(),
            problems,
        }
    }

    /// The application's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The settings of one stream. A stream that the application does not declare is reported at start.
    pub fn stream<S: Stream>(&mut self) -> &mut StreamConfig {
        let stream = TypeId::of::<S>();
        if let Some(found) = self
            .streams
            .iter()
            .position(|config| config.stream == stream)
        {
            return &mut self.streams[found];
        }
        let label = S::SPEC.label;
        self.problems.push(ConfigError::new(
            Some(label),
            "stream",
            Origin::Configure,
            "the application does not declare it",
        ));
        self.strangers.push(StreamConfig::new(
            &Declared {
                stream,
                spec: S::SPEC,
                handler: None,
                codec: None,
            },
            &Setup::empty(),
        ));
        let last = self.strangers.len() - 1;
        &mut self.strangers[last]
    }

    /// The settings of the handler of a stream. A stream that the application does not handle is reported at start.
    pub fn handler<S: Stream>(&mut self) -> HandlerConfig<'_> {
        HandlerConfig::of(self.stream::<S>())
    }

    /// Reads from this region, whatever the SDK's chain says.
    ///
    /// # Errors
    ///
    /// The text does not look like a region.
    pub fn set_region(&mut self, region: &str) -> Result<(), ConfigError> {
        match rules::region::region(region) {
            Ok(_) => self.region = Some(region.into()),
            Err(fault) => return self.refuse("region", &fault.with(region).to_string()),
        }
        Ok(())
    }

    /// Sends requests to this endpoint instead of the service's own.
    ///
    /// # Errors
    ///
    /// The text is not an `http://` or `https://` URL.
    pub fn set_endpoint(&mut self, endpoint: &str) -> Result<(), ConfigError> {
        match check_endpoint(endpoint) {
            Ok(()) => self.endpoint = Some(endpoint.into()),
            Err(text) => return self.refuse("endpoint", &text),
        }
        Ok(())
    }

    /// Signs with fixed dummy keys, for a local stack.
    pub fn set_test_credentials(&mut self) {
        self.credentials = Credentials::Test;
    }

    /// Names this instance in lease rows and logs: 1 to 128 letters, digits, `_`, `.` and `-`. If nothing is said, the process makes a
    /// name of its own.
    ///
    /// It is for people, and decides nothing: two instances under one id are two owners, and each that sees the other at work logs an
    /// error.
    ///
    /// # Errors
    ///
    /// It is empty, longer, or has another character.
    pub fn set_owner_id(&mut self, id: &str) -> Result<(), ConfigError> {
        match check_owner_id(id) {
            Ok(()) => self.owner_id = Some(id.into()),
            Err(text) => return self.refuse("owner id", &text),
        }
        Ok(())
    }

    /// Lets handlers go on for so long after a stop was asked for: at most one hour.
    ///
    /// # Errors
    ///
    /// The time is longer.
    pub fn set_shutdown_timeout(&mut self, timeout: Duration) -> Result<(), ConfigError> {
        match Length::ShutdownTimeout.check(timeout) {
            Ok(timeout) => self.shutdown_timeout = timeout,
            Err(fault) => return self.refuse("shutdown timeout", &fault.to_string()),
        }
        Ok(())
    }

    /// Holds at most so many bytes of records read and unhandled, all streams together: 1 MiB or more, 256 MiB if nothing is said.
    ///
    /// A shard may exceed it by about 1 MiB, so that shards that stand still stop no other.
    ///
    /// # Errors
    ///
    /// It is less than 1 MiB.
    pub fn set_prefetch(&mut self, bytes: usize) -> Result<(), ConfigError> {
        match rules::prefetch::prefetch(bytes) {
            Ok(bytes) => self.prefetch = bytes,
            Err(fault) => return self.refuse("prefetch", &fault.to_string()),
        }
        Ok(())
    }

    pub(super) fn refuse(&mut self, setting: &'static str, text: &str) -> Result<(), ConfigError> {
        let error = ConfigError::new(None, setting, Origin::Configure, text);
        self.problems.push(error.clone());
        Err(error)
    }

    /// The last look: all streams are as they will be read, so this is where two of them can be seen to be one.
    pub(crate) fn finish(self) -> Result<Resolved, ConfigErrors> {
        let Self {
            name,
            region,
            endpoint,
            credentials,
            owner_id,
            leases,
            shutdown_timeout,
            prefetch,
            mut streams,
            strangers: _,
            mut problems,
        } = self;
        if credentials == Credentials::Test && endpoint.is_none() {
            problems.push(ConfigError::new(
                None,
                "credentials",
                Origin::Source,
                "`credentials(test)` signs with dummy keys, so it needs an `endpoint`",
            ));
        }
        for stream in &mut streams {
            stream.settle();
            problems.append(&mut stream.problems);
        }
        problems.append(&mut handler_config::judge(&streams));
        problems.append(&mut twice(&streams));
        tell_apart(&mut streams);
        let app = if name.is_empty() {
            "the application".into()
        } else {
            name.clone()
        };
        if problems.is_empty() {
            Ok(Resolved {
                name,
                region,
                endpoint,
                credentials,
                owner_id,
                leases,
                shutdown_timeout,
                prefetch,
                streams,
            })
        } else {
            Err(ConfigErrors {
                app,
                errors: problems,
            })
        }
    }

    /// Whether a setter already said so.
    pub(crate) fn has_reported(&self, error: &ConfigError) -> bool {
        let streams = self.streams.iter().chain(&self.strangers);
        let problems = streams
            .map(|stream| &stream.problems)
            .chain([&self.problems]);
        problems.flatten().any(|problem| problem == error)
    }

    /// Whether anything is out of range so far.
    pub(crate) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
            || self
                .streams
                .iter()
                .any(|stream| !stream.problems.is_empty())
    }

    /// Puts a failure of `#[configure]` beside the other problems.
    pub(crate) fn report(&mut self, error: ConfigError) {
        self.problems.push(error);
    }
}

/// Settings that passed every rule.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) name: String,
    pub(crate) region: Option<String>,
    pub(crate) endpoint: Option<String>,
    pub(crate) credentials: Credentials,
    pub(crate) owner_id: Option<String>,
    pub(super) leases: LeaseConfig,
    pub(crate) shutdown_timeout: Duration,
    pub(crate) prefetch: usize,
    pub(crate) streams: Vec<StreamConfig>,
}

fn check_owner_id(id: &str) -> Result<(), String> {
    rules::name::owner_id(id)
        .map(drop)
        .map_err(|fault| fault.with(id).to_string())
}

pub(super) fn check_endpoint(endpoint: &str) -> Result<(), String> {
    rules::endpoint::endpoint(endpoint)
        .map(drop)
        .map_err(|fault| fault.with(endpoint).to_string())
}

/// Rows are named by the stream's name, so two streams of one name would be one, whether they are named by name or by ARN. Only ARNs of two
/// accounts are certain to be two.
fn twice(streams: &[StreamConfig]) -> Vec<ConfigError> {
    let named: Vec<_> = streams
        .iter()
        .filter(|stream| !stream.name().is_empty())
        .collect();
    let pairs = named.iter().enumerate().filter_map(|(index, stream)| {
        let first = named[..index]
            .iter()
            .find(|first| first.name() == stream.name() && !are_namesakes(first, stream))?;
        let text = format!("`{}` is already read as `{}`", stream.name(), first.label);
        Some(ConfigError::new(
            Some(stream.label),
            "name",
            Origin::Source,
            text,
        ))
    });
    pairs.collect()
}

fn are_namesakes(one: &StreamConfig, other: &StreamConfig) -> bool {
    let accounts = one.account().zip(other.account());
    one.name() == other.name() && accounts.is_some_and(|(one, other)| one != other)
}

fn tell_apart(streams: &mut [StreamConfig]) {
    let have_namesakes: Vec<bool> = streams
        .iter()
        .map(|stream| streams.iter().any(|other| are_namesakes(stream, other)))
        .collect();
    for (stream, has_namesake) in streams.iter_mut().zip(have_namesakes) {
        stream.has_namesake = has_namesake;
    }
}
