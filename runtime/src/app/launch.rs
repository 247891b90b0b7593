//! From an application's `App` to a running one, in the order in which things may fail.

use std::{
    any::{Any, type_name},
    fmt,
    sync::Arc,
};

use aws_types::SdkConfig;
use futures_util::future::join_all;
use kinesis_app_rules::defaults;
use tokio::sync::oneshot;

use super::{
    client,
    config::{AppConfig, Resolved, StreamConfig},
    error::Error,
    hooks::HookError,
    meet,
    problem::{ConfigError, StreamError, StreamErrors},
    running::{Running, Stopper},
    setup::Setup,
    shared::Instance,
    signals,
    wire::{Application, Erased},
};
use crate::{
    chance::Chance,
    coordinator::Coordinator,
    dispatch::{
        retry::Backoff,
        worker::{Rules, Worker},
    },
    leases::{store::LeaseStore, tenure::Timing},
    reader::StreamContext,
    source::{budget::Budget, kinesis::Kinesis},
    tasks,
    telemetry::health::Board,
};

/// An application about to start: what it is given from outside of its module.
///
/// ```no_run
/// # use kinesis_app::{Application, MemoryLeases};
/// # async fn example(app: impl Application, config: kinesis_app::SdkConfig) -> Result<(), kinesis_app::Error> {
/// let leases = MemoryLeases::new();
/// let running = kinesis_app::launch(app).aws(config).leases(leases.clone()).start().await?;
/// running.shutdown().await
/// # }
/// ```
#[derive(Debug)]
pub struct Launch<A> {
    app: A,
    setup: Option<Setup>,
    aws: Option<SdkConfig>,
    leases: Option<Arc<dyn LeaseStore>>,
    seed: Option<u64>,
    state: Option<GivenState>,
}

/// A state made by the caller, and its type's name for the error that says it is the wrong one.
struct GivenState {
    state: Box<dyn Any + Send>,
    type_name: &'static str,
}

impl fmt::Debug for GivenState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.type_name)
    }
}

/// Prepares a start with what the module does not say; see [`Launch`].
pub fn launch<A: Application>(app: A) -> Launch<A> {
    Launch {
        app,
        setup: None,
        aws: None,
        leases: None,
        seed: None,
        state: None,
    }
}

/// Starts an application with the process's arguments and environment.
///
/// It returns when every shard that the first round took has its iterator, and `#[on_ready]` has run.
///
/// # Errors
///
/// [`Error`], with everything that is wrong at that point.
pub async fn start(app: impl Application) -> Result<Running, Error> {
    launch(app).start().await
}

/// Runs an application until SIGINT or SIGTERM asks it to stop, or a stream cannot be read any more.
///
/// # Errors
///
/// [`Error`], from the start, from a stream, or from a hook.
pub async fn run(app: impl Application) -> Result<(), Error> {
    launch(app).run().await
}

impl<A: Application> Launch<A> {
    /// Arguments and environment other than the process's.
    pub fn setup(mut self, setup: Setup) -> Self {
        self.setup = Some(setup);
        self
    }

    /// Reaches the service by this configuration, whatever the module says: an emulator's, or one that several applications share.
    pub fn aws(mut self, config: SdkConfig) -> Self {
        self.aws = Some(config);
        self
    }

    /// Keeps leases in this store, whatever the module says.
    pub fn leases(mut self, store: impl LeaseStore) -> Self {
        self.leases = Some(Arc::new(store));
        self
    }

    /// Makes every jitter and session name a function of this seed, so that a run in virtual time can be had again.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Uses this state in place of the one that `#[on_start]` makes, which then does not run: fakes for a test, or what the
    /// application shares with the program around it.
    pub fn state<S: Send + Sync + 'static>(mut self, state: S) -> Self {
        self.state = Some(GivenState {
            state: Box::new(state),
            type_name: type_name::<S>(),
        });
        self
    }

    /// See [`run`].
    ///
    /// # Errors
    ///
    /// [`Error`], from the start, from a stream, or from a hook.
    pub async fn run(self) -> Result<(), Error> {
        // Before anything is started: a signal during a long start stops it all the same.
        let mut signal = signals::Signals::listen().map_err(Error::Signals)?;
        let mut running = tokio::select! {
            biased;
            name = signal.next() => {
                tracing::info!(signal = name, "stopped during the start");
                return Ok(());
            }
            running = self.start() => running?,
        };
        tokio::select! {
            biased;
            name = signal.next() => tracing::info!(signal = name, "stopping"),
            () = running.ended() => {}
        }
        running.shutdown().await
    }

    /// See [`start`].
    ///
    /// # Errors
    ///
    /// [`Error`], with everything that is wrong at that point.
    pub async fn start(self) -> Result<Running, Error> {
        let Self {
            app,
            setup,
            aws,
            leases,
            seed,
            state,
        } = self;
        let setup = setup.unwrap_or_else(Setup::of_process);
        let module = app.wire().0;
        let mut settings = settings::<A>(&*module, &setup)?;
        if let Some(leases) = leases {
            settings.leases = leases;
        }
        let name = settings.name.clone();
        let hook = |hook: &'static str| {
            let app = name.clone();
            move |source: HookError| Error::Hook { app, hook, source }
        };
        let aws = match aws {
            Some(aws) => aws,
            None => match module.aws(&setup).await.map_err(hook("aws"))? {
                Some(aws) => aws,
                None => client::sdk_config(&settings)
                    .await
                    .map_err(|text| Error::Connect {
                        app: name.clone(),
                        text,
                    })?,
            },
        };
        let kinesis = client::client(&aws, &name);
        let instance = instance(&settings, seed);
        let found = meet_all(&instance, &kinesis, &settings, &client::endpoint(&aws)).await?;

        let live = match state {
            None => module.start(&setup).await.map_err(hook("on_start"))?,
            Some(GivenState {
                state,
                type_name: given,
            }) => module.start_with(state).map_err(|expected| Error::State {
                app: name.clone(),
                expected,
                given,
            })?,
        };
        let (streams, ready) = open(&instance, &settings, found, live.workers());
        let mut running = Running::new(
            name.clone(),
            settings.shutdown_timeout,
            streams,
            live,
            setup,
            instance,
        );
        // A stream that cannot be read ends its coordinator before it is ready, and with it the start.
        if join_all(ready).await.iter().any(Result::is_err) {
            running.ended().await;
            return Err(running
                .shutdown()
                .await
                .err()
                .unwrap_or_else(|| Error::Connect {
                    app: name,
                    text: "a stream ended during the start".into(),
                }));
        }
        if let Err(source) = running.on_ready().await {
            // What the shutdown says is less than why it happens.
            let _ = running.shutdown().await;
            return Err(Error::Hook {
                app: name,
                hook: "on_ready",
                source,
            });
        }
        tracing::info!(app = name, "running");
        Ok(running)
    }
}

/// Specs, then the environment, then `#[configure]`: no I/O, and everything that is wrong at once.
fn settings<A: Application>(module: &dyn Erased, setup: &Setup) -> Result<Resolved, Error> {
    let mut config = AppConfig::new(&A::SPEC, &module.declared(), setup);
    if let Err(source) = module.configure(&mut config, setup) {
        let reported = source
            .downcast_ref::<ConfigError>()
            .is_some_and(|error| config.has_reported(error));
        if !reported {
            return Err(Error::Hook {
                app: config.name().into(),
                hook: "configure",
                source,
            });
        }
    }
    Ok(config.finish()?)
}

fn instance(settings: &Resolved, seed: Option<u64>) -> Arc<Instance> {
    let chance = Arc::new(Chance::new(seed));
    let session = chance.session();
    Arc::new(Instance {
        app: settings.name.clone(),
        owner_id: format!("{}-{}", std::process::id(), &session[..8]),
        session,
        store: Arc::clone(&settings.leases),
        timing: Timing {
            lease_duration: defaults::LEASE_DURATION,
            heartbeat: defaults::HEARTBEAT,
        },
        backoff: Backoff {
            first: defaults::BACKOFF_FIRST,
            max: defaults::BACKOFF_MAX,
        },
        budget: Budget::new(defaults::PREFETCH_BYTES),
        chance,
        board: Board::default(),
    })
}

type Found = Option<(Kinesis, crate::leases::row::StoredStart)>;

async fn meet_all(
    instance: &Arc<Instance>,
    client: &aws_sdk_kinesis::Client,
    settings: &Resolved,
    endpoint: &str,
) -> Result<Vec<Found>, Error> {
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for met in join_all(
        settings
            .streams
            .iter()
            .map(|config| meet_one(instance, client, config, endpoint)),
    )
    .await
    {
        match met {
            Ok(stream) => found.push(stream),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(found)
    } else {
        Err(StreamErrors {
            app: settings.name.clone(),
            errors,
        }
        .into())
    }
}

async fn meet_one(
    instance: &Arc<Instance>,
    client: &aws_sdk_kinesis::Client,
    config: &StreamConfig,
    endpoint: &str,
) -> Result<Found, StreamError> {
    if !config.handled {
        return Ok(None);
    }
    let kinesis = Kinesis::new(client.clone(), config.target.clone());
    match meet::meet(instance, &kinesis, config).await {
        Ok(start) => Ok(Some((kinesis, start))),
        Err(problem) => Err(StreamError {
            label: config.label,
            name: config.name().into(),
            endpoint: endpoint.into(),
            problem,
        }),
    }
}

/// Spawns a coordinator for every stream that is consumed. Each receiver is told when its stream's first round has its iterators.
fn open(
    instance: &Arc<Instance>,
    settings: &Resolved,
    found: Vec<Found>,
    workers: Vec<Option<Arc<dyn Worker>>>,
) -> (Vec<Stopper>, Vec<oneshot::Receiver<()>>) {
    let consumed = settings.streams.iter().zip(found).zip(workers);
    consumed
        .filter_map(|((config, found), worker)| Some((config, found?, worker?)))
        .map(|(config, (kinesis, start), worker)| {
            let context = StreamContext {
                instance: Arc::clone(instance),
                label: config.label,
                name: config.name().into(),
                kinesis,
                start,
                read: config.read,
                rules: Rules {
                    concurrency: config.concurrency,
                    order: config.order,
                    backoff: instance.backoff,
                    window: defaults::WINDOW_RECORDS.into(),
                },
                worker,
            };
            let (stop, stopped) = oneshot::channel();
            let (ready_in, ready) = oneshot::channel();
            let task = tasks::spawn(Coordinator::new(Arc::new(context)).run(stopped, ready_in));
            let label = config.label;
            (Stopper { stop, task, label }, ready)
        })
        .unzip()
}
