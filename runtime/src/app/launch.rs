//! From an application's `App` to a running one, in the order in which things may fail.

use std::{
    any::{Any, type_name},
    fmt,
    sync::Arc,
};

use aws_types::SdkConfig;

use super::{
    assemble::{consume, instance, producers},
    client,
    config::{AppConfig, Resolved},
    describe::Description,
    error::Error,
    hooks::HookError,
    meet,
    problem::ConfigError,
    running::Running,
    setup::Setup,
    wire::{Application, Around, Erased},
};
use crate::{
    cause::Chain,
    leases::{clock::Clock, store::LeaseStore},
    telemetry::{board::Board, observer::Observer},
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
    observer: Option<Arc<dyn Observer>>,
    #[cfg(feature = "testing")]
    witness: Option<Arc<crate::testing::Witness>>,
}

/// A state made by the caller, and its type's name for the error that says it is the wrong one.
#[derive(Clone)]
pub(crate) struct GivenState {
    state: Arc<dyn Any + Send + Sync>,
    type_name: &'static str,
}

impl GivenState {
    pub(crate) fn new<S: Send + Sync + 'static>(state: S) -> Self {
        Self {
            state: Arc::new(state),
            type_name: type_name::<S>(),
        }
    }
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
        observer: None,
        #[cfg(feature = "testing")]
        witness: None,
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

    /// Makes every jitter a function of this seed, so that a run in virtual time can be had again.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Uses this state in place of the one that `#[on_start]` makes, which then does not run: fakes for a test, or what the
    /// application shares with the program around it.
    pub fn state<S: Send + Sync + 'static>(mut self, state: S) -> Self {
        self.state = Some(GivenState::new(state));
        self
    }

    /// Tells this observer what happens, in place of the one that `#[observe]` makes.
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// What a test replaces and watches, over all starts of its application.
    #[cfg(feature = "testing")]
    pub(crate) fn in_test(
        mut self,
        state: Option<GivenState>,
        observer: Option<Arc<dyn Observer>>,
        witness: Arc<crate::testing::Witness>,
    ) -> Self {
        self.state = state;
        self.observer = observer;
        self.witness = Some(witness);
        self
    }

    /// What the application is, as a value; see [`describe`](crate::describe).
    ///
    /// # Errors
    ///
    /// [`Error`], with every setting that is out of range.
    pub fn describe(self) -> Result<Description, Error> {
        let setup = self.setup.unwrap_or_else(Setup::of_process);
        let module = self.app.wire().0;
        let settings = settings::<A>(&*module, &setup)?;
        Ok(Description::new(&settings, &module.declared(), &setup))
    }

    /// See [`start`].
    ///
    /// # Errors
    ///
    /// [`Error`], with everything that is wrong at that point.
    pub async fn start(self) -> Result<Running, Error> {
        let mut running = self.prepare().await?;
        match running.become_ready().await {
            Ok(()) => Ok(running),
            Err(error) => {
                if let Err(stop) = running.shutdown().await {
                    tracing::debug!(%stop, "stopped after a failed start");
                }
                Err(error)
            }
        }
    }

    /// Everything up to the first lease: settings, connections, streams, state.
    pub(super) async fn prepare(self) -> Result<Running, Error> {
        let Self {
            app,
            setup,
            aws,
            leases,
            seed,
            state,
            observer,
            #[cfg(feature = "testing")]
            witness,
        } = self;
        let setup = setup.unwrap_or_else(Setup::of_process);
        let module = app.wire().0;
        let settings = settings::<A>(&*module, &setup)?;
        let name = settings.name.clone();
        let hook = |hook: &'static str| {
            let app = name.clone();
            move |source: HookError| Error::Hook { app, hook, source }
        };
        let directory = Arc::default();
        let around = Around {
            setup: &setup,
            directory: &directory,
        };
        let aws = match aws {
            Some(aws) => aws,
            None => match module.aws(around).await.map_err(hook("aws"))? {
                Some(aws) => aws,
                None => client::sdk_config(&settings)
                    .await
                    .map_err(|text| Error::Connect {
                        app: name.clone(),
                        text,
                    })?,
            },
        };
        let (kinesis, endpoint) = (client::client(&aws, &name), client::endpoint(&aws));
        let given = leases.or_else(|| settings.leases.configured(&aws));
        let leases = if let Some(leases) = given {
            leases
        } else {
            let made = module.leases(around).await.map_err(hook("leases"))?;
            made.unwrap_or_else(|| settings.leases.open(&aws))
        };
        let board = Board::default();
        #[cfg(feature = "testing")]
        let board = board.watched(witness);
        let instance = instance(&settings, leases, seed, Clock::of(&aws), &directory, board);
        let found = meet::meet_all(&instance, &kinesis, &settings, &endpoint).await?;
        let producers = producers(&instance, &kinesis, &settings);

        let live = match state {
            None => module.start(around).await.map_err(hook("on_start"))?,
            Some(GivenState {
                state,
                type_name: given,
            }) => module.start_with(state).map_err(|expected| Error::State {
                app: name.clone(),
                expected,
                given,
            })?,
        };
        let observer = match observer {
            Some(observer) => Some(observer),
            None => live.observe(around).map_err(hook("observe"))?,
        };
        if let Some(observer) = observer {
            instance.board.watch.begin(observer);
        }
        let (workers, hooks) = (live.workers(), live.shard_hooks());
        let grace = settings.shutdown_timeout;
        Ok(Running::new(
            endpoint,
            grace,
            live,
            setup,
            Arc::clone(&instance),
            producers,
            |stop| consume(&instance, &settings, found, workers, hooks, stop),
        ))
    }
}

/// Specs, then the environment, then `#[configure]`: no I/O, and everything that is wrong at once.
pub(crate) fn settings<A: Application>(
    module: &dyn Erased,
    setup: &Setup,
) -> Result<Resolved, Error> {
    let mut config = AppConfig::new(&A::SPEC, &module.declared(), setup);
    if let Err(source) = module.configure(&mut config, setup) {
        match source.downcast::<ConfigError>() {
            // A setter's word is reported whether or not it is passed on.
            Ok(error) if config.has_reported(&error) => {}
            Ok(error) => config.report(*error),
            Err(source) if config.has_problems() => {
                config.report(ConfigError::hook(Chain(&*source)));
            }
            Err(source) => {
                return Err(Error::Hook {
                    app: config.name().into(),
                    hook: "configure",
                    source,
                });
            }
        }
    }
    Ok(config.finish()?)
}
