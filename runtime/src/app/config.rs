//! The one truth about an application's settings: specs as defaults, then the environment, then `#[configure]`.

use std::{any::TypeId, sync::Arc, time::Duration};

use kinesis_app_rules as rules;

use super::{
    problem::{ConfigError, ConfigErrors, Origin},
    setup::Setup,
};
use crate::{
    MemoryLeases, Stream,
    leases::store::LeaseStore,
    source::kinesis::Target,
    spec::{
        AppSpec, Credentials, Fallback, HandlerSpec, Leases, Order, Read, Setting, Start, StreamId,
        StreamSpec,
    },
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
    pub(crate) leases: Arc<dyn LeaseStore>,
    pub(crate) shutdown_timeout: Duration,
    streams: Vec<StreamConfig>,
    strangers: Vec<StreamConfig>,
    problems: Vec<ConfigError>,
}

/// The settings of one stream and its handler.
#[derive(Debug)]
pub struct StreamConfig {
    pub(crate) label: &'static str,
    pub(crate) target: Target,
    pub(crate) start: Start,
    pub(crate) read: Read,
    pub(crate) create: Option<u32>,
    pub(crate) concurrency: u32,
    pub(crate) order: Order,
    pub(crate) handled: bool,
    stream: TypeId,
    problems: Vec<ConfigError>,
}

/// A stream as the module declares it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Declared {
    pub(crate) stream: TypeId,
    pub(crate) spec: StreamSpec,
    pub(crate) handler: Option<HandlerSpec>,
}

impl AppConfig {
    pub(crate) fn new(spec: &AppSpec, streams: &[Declared], setup: &Setup) -> Self {
        let mut problems = Vec::new();
        let mut app = Resolve {
            stream: None,
            setup,
            problems: &mut problems,
        };
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
        let streams = streams
            .iter()
            .map(|declared| StreamConfig::new(declared, setup))
            .collect();
        let Leases::Memory = spec.leases;
        Self {
            name: name.unwrap_or_default(),
            region,
            endpoint,
            credentials: spec.credentials,
            leases: Arc::new(MemoryLeases::new()),
            shutdown_timeout: spec.shutdown_timeout,
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
            },
            &Setup::empty(),
        ));
        let last = self.strangers.len() - 1;
        &mut self.strangers[last]
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

    /// Keeps leases and checkpoints in this store.
    pub fn set_leases(&mut self, store: impl LeaseStore) {
        self.leases = Arc::new(store);
    }

    /// Lets handlers go on for so long after a stop was asked for: at most one hour.
    ///
    /// # Errors
    ///
    /// The time is longer.
    pub fn set_shutdown_timeout(&mut self, timeout: Duration) -> Result<(), ConfigError> {
        match rules::interval::shutdown_timeout(timeout) {
            Ok(timeout) => self.shutdown_timeout = timeout,
            Err(fault) => return self.refuse("shutdown timeout", &fault.to_string()),
        }
        Ok(())
    }

    fn refuse(&mut self, setting: &'static str, text: &str) -> Result<(), ConfigError> {
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
            leases,
            shutdown_timeout,
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
            problems.append(&mut stream.problems);
        }
        for (index, stream) in streams.iter().enumerate() {
            if let Some(first) = streams[..index]
                .iter()
                .find(|first| first.target == stream.target)
            {
                let text = format!("`{}` is already read as `{}`", stream.name(), first.label);
                problems.push(ConfigError::new(
                    Some(stream.label),
                    "name",
                    Origin::Source,
                    text,
                ));
            }
        }
        if problems.is_empty() {
            Ok(Resolved {
                name,
                region,
                endpoint,
                credentials,
                leases,
                shutdown_timeout,
                streams,
            })
        } else {
            Err(ConfigErrors {
                app: name,
                errors: problems,
            })
        }
    }

    pub(crate) fn has_reported(&self, error: &ConfigError) -> bool {
        self.problems.contains(error)
            || self
                .streams
                .iter()
                .any(|stream| stream.problems.contains(error))
    }
}

/// Settings that passed every rule.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) name: String,
    pub(crate) region: Option<String>,
    pub(crate) endpoint: Option<String>,
    pub(crate) credentials: Credentials,
    pub(crate) leases: Arc<dyn LeaseStore>,
    pub(crate) shutdown_timeout: Duration,
    pub(crate) streams: Vec<StreamConfig>,
}

impl StreamConfig {
    fn new(declared: &Declared, setup: &Setup) -> Self {
        let Declared {
            stream,
            spec,
            handler,
        } = *declared;
        let mut problems = Vec::new();
        let mut resolve = Resolve {
            stream: Some(spec.label),
            setup,
            problems: &mut problems,
        };
        let target = match spec.id {
            StreamId::Name(setting) => resolve.text("name", setting, check_name).map(Target::Name),
            StreamId::Arn(setting) => resolve.text("arn", setting, check_arn).map(Target::Arn),
        };
        Self {
            label: spec.label,
            // A stream without a name has a problem, and with a problem nothing is read.
            target: target.unwrap_or(Target::Name(String::new())),
            start: spec.start,
            read: spec.read,
            create: spec.create,
            concurrency: handler.map_or(1, |handler| handler.concurrency),
            order: handler.map_or(Order::PartitionKey, |handler| handler.order),
            handled: handler.is_some(),
            stream,
            problems,
        }
    }

    /// The stream's name, also where it was given by its ARN.
    pub fn name(&self) -> &str {
        match &self.target {
            Target::Name(name) => name,
            Target::Arn(arn) => rules::arn::stream_arn(arn).map_or(arn, |parts| parts.name),
        }
    }

    /// Reads the stream with this name.
    ///
    /// # Errors
    ///
    /// It is not 1 to 128 letters, digits, `_`, `.` and `-`.
    pub fn set_name(&mut self, name: &str) -> Result<&mut Self, ConfigError> {
        self.set("name", check_name(name), |config| {
            config.target = Target::Name(name.into());
        })
    }

    /// Reads the stream with this ARN.
    ///
    /// # Errors
    ///
    /// It is not the ARN of a stream.
    pub fn set_arn(&mut self, arn: &str) -> Result<&mut Self, ConfigError> {
        self.set("arn", check_arn(arn), |config| {
            config.target = Target::Arn(arn.into());
        })
    }

    /// Where it is read from the first time.
    pub fn set_start(&mut self, start: Start) -> &mut Self {
        self.start = start;
        self
    }

    /// The most records that one read asks for: 1 to 10,000.
    ///
    /// # Errors
    ///
    /// It is none of these.
    pub fn set_batch_size(&mut self, size: u32) -> Result<&mut Self, ConfigError> {
        let checked = rules::batch_size::batch_size(size.into())
            .map(drop)
            .map_err(|fault| fault.to_string());
        self.set("batch size", checked, |config| {
            let Read::Poll { batch_size, .. } = &mut config.read;
            *batch_size = Some(size);
        })
    }

    /// The pause between two reads of a shard that has nothing left to read: 200 ms to 4 minutes.
    ///
    /// # Errors
    ///
    /// It is shorter or longer.
    pub fn set_poll_interval(&mut self, pause: Duration) -> Result<&mut Self, ConfigError> {
        let checked = rules::interval::poll_interval(pause)
            .map(drop)
            .map_err(|fault| fault.to_string());
        self.set("poll interval", checked, |config| {
            let Read::Poll { interval, .. } = &mut config.read;
            *interval = pause;
        })
    }

    /// How many records of one shard are handled at a time: 1 or more.
    ///
    /// # Errors
    ///
    /// It is 0, or too many.
    pub fn set_concurrency(&mut self, concurrency: u32) -> Result<&mut Self, ConfigError> {
        let checked = rules::concurrency::concurrency(concurrency.into())
            .map(drop)
            .map_err(|fault| fault.to_string());
        self.set("concurrency", checked, |config| {
            config.concurrency = concurrency;
        })
    }

    /// Creates the stream with so many shards if it does not exist.
    ///
    /// # Errors
    ///
    /// The number is 0, or too large.
    pub fn set_create_if_missing(&mut self, shards: u32) -> Result<&mut Self, ConfigError> {
        let checked = rules::shard_count::shard_count(shards.into())
            .map(drop)
            .map_err(|fault| fault.to_string());
        self.set("create_if_missing", checked, |config| {
            config.create = Some(shards);
        })
    }

    fn set(
        &mut self,
        setting: &'static str,
        checked: Result<(), String>,
        change: impl FnOnce(&mut Self),
    ) -> Result<&mut Self, ConfigError> {
        match checked {
            Ok(()) => {
                change(self);
                Ok(self)
            }
            Err(text) => {
                let error = ConfigError::new(Some(self.label), setting, Origin::Configure, text);
                self.problems.push(error.clone());
                Err(error)
            }
        }
    }
}

fn check_name(name: &str) -> Result<(), String> {
    rules::name::stream_name(name)
        .map(drop)
        .map_err(|fault| fault.with(name).to_string())
}

fn check_arn(arn: &str) -> Result<(), String> {
    rules::arn::stream_arn(arn)
        .map(drop)
        .map_err(|fault| fault.with(arn).to_string())
}

fn check_endpoint(endpoint: &str) -> Result<(), String> {
    rules::endpoint::endpoint(endpoint)
        .map(drop)
        .map_err(|fault| fault.with(endpoint).to_string())
}

struct Resolve<'a> {
    stream: Option<&'static str>,
    setup: &'a Setup,
    problems: &'a mut Vec<ConfigError>,
}

impl Resolve<'_> {
    fn text(
        &mut self,
        setting: &'static str,
        value: Setting,
        check: impl Fn(&str) -> Result<(), String>,
    ) -> Option<String> {
        let (text, origin) = match value {
            Setting::Fixed(text) => (text, Origin::Source),
            Setting::Env { variable, fallback } => match (self.setup.lookup(variable), fallback) {
                (Some(text), _) => (text, Origin::Variable(variable)),
                (None, Fallback::Default(text)) => (text, Origin::Source),
                (None, Fallback::Absent) => return None,
                (None, Fallback::Required) => {
                    self.problems.push(ConfigError::new(
                        self.stream,
                        setting,
                        Origin::Variable(variable),
                        "the variable is not set",
                    ));
                    return None;
                }
            },
        };
        match check(text) {
            Ok(()) => Some(text.into()),
            Err(why) => {
                self.problems
                    .push(ConfigError::new(self.stream, setting, origin, why));
                None
            }
        }
    }
}
