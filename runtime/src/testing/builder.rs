use std::{
    any::TypeId,
    collections::{BTreeMap, BTreeSet},
    panic::Location,
    sync::{Arc, Mutex, atomic::AtomicU64},
    time::Duration,
};

use kinesis_app_emulator::{Kinesis, KinesisBuilder};
use kinesis_app_rules::{arn, defaults};

use super::{
    app::{Declared, TestApp},
    clock::Time,
    instances::{FIRST, Instances, Launcher},
    survey::Consumed,
    witness::Witness,
};
use crate::{
    Application, Error, MemoryLeases, Observer, Setup, Stream,
    app::{
        config::Resolved,
        launch::{GivenState, launch, settings},
        stream_config::StreamConfig,
    },
    cause::Chain,
    source::kinesis::Target,
};

/// What a test sets before its application starts. Made by [`TestApp::builder`].
#[derive(Debug)]
pub struct TestAppBuilder<A> {
    app: A,
    setup: Setup,
    state: Option<GivenState>,
    observer: Option<Arc<dyn Observer>>,
    shards: Vec<(TypeId, &'static str, u32)>,
    time: Time,
    seed: u64,
    patience: Duration,
}

impl<A: Application + Clone + Sync> TestAppBuilder<A> {
    pub(super) fn new(app: A) -> Self {
        Self {
            app,
            setup: Setup::empty(),
            state: None,
            observer: None,
            shards: Vec::new(),
            time: Time::Virtual,
            seed: 0,
            patience: defaults::TEST_PATIENCE,
        }
    }

    /// Uses this state in place of the one that `#[on_start]` makes, which then does not run. All starts and instances share it.
    pub fn state<S: Send + Sync + 'static>(mut self, state: S) -> Self {
        self.state = Some(GivenState::new(state));
        self
    }

    /// Tells this observer what happens, in place of the one that `#[observe]` makes. All starts and instances share it.
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// The arguments and environment that the application sees; it sees none if nothing is said.
    ///
    /// ```
    /// # use kinesis_app::{Application, Setup, testing::TestApp};
    /// # async fn example(app: impl Application + Clone + Sync) {
    /// let setup = Setup::empty().with_env("ORDERS_STREAM", "orders-eu");
    /// let app = TestApp::builder(app).setup(setup).start().await;
    /// # }
    /// ```
    pub fn setup(mut self, setup: Setup) -> Self {
        self.setup = setup;
        self
    }

    /// Creates the stream `S` with so many shards. Without a word a stream has one, or as many as its `create_if_missing` says.
    pub fn shards<S: Stream>(mut self, shards: u32) -> Self {
        self.shards.push((TypeId::of::<S>(), S::SPEC.label, shards));
        self
    }

    /// Another run of chance than that of seed 0: jitter, sequence numbers, faults. Under one seed every run of a test is the same.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// [`settled`](TestApp::settled) and the other waits give up after so long; a minute if nothing is said.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Time passes as it does outside, for handlers with real I/O: a paused clock would jump to their timeouts.
    ///
    /// The test is then a plain `#[tokio::test]`, without `start_paused`, and takes as long as its waits do.
    pub fn real_time(mut self) -> Self {
        self.time = Time::Real;
        self
    }

    /// Starts the application.
    ///
    /// # Panics
    ///
    /// It does not start, or the clock is not the one that the test asks for.
    #[track_caller]
    pub fn start(self) -> impl Future<Output = TestApp> {
        self.time.check();
        let caller = Location::caller();
        async move {
            let started = self.begin().await;
            started.unwrap_or_else(|error| {
                panic!("{caller}: the application did not start: {}", Chain(&error))
            })
        }
    }

    /// Starts the application, for a test of a start that fails.
    ///
    /// # Errors
    ///
    /// [`Error`], as the application would see it outside.
    ///
    /// # Panics
    ///
    /// The clock is not the one that the test asks for.
    #[track_caller]
    pub fn try_start(self) -> impl Future<Output = Result<TestApp, Error>> {
        self.time.check();
        self.begin()
    }

    async fn begin(self) -> Result<TestApp, Error> {
        let settings = settings::<A>(&*self.app.clone().wire().0, &self.setup)?;
        let kinesis = self.kinesis(&settings);
        let leases = MemoryLeases::new();
        let witness = Arc::new(Witness::new(kinesis.clock()));
        let declared = settings.streams.iter().map(Declared::from);
        let consumed = settings
            .streams
            .iter()
            .filter(|config| config.handler.is_some());
        let consumed: Vec<_> = consumed.map(Consumed::from).collect();
        let rows = consumed.iter().map(|stream| {
            let row = format!("{}:{}", settings.name, stream.name);
            (row, stream.label)
        });
        let app = TestApp {
            name: settings.name.clone(),
            declared: declared.collect(),
            instances: Arc::new(Instances {
                streams: rows.collect(),
                launch: self.launcher(&kinesis, &leases, &witness),
                leases,
                witness,
                starts: AtomicU64::new(0),
                running: Mutex::new(BTreeMap::new()),
            }),
            kinesis,
            consumed,
            time: self.time,
            patience: self.patience,
        };
        app.instances.start(FIRST).await?;
        Ok(app)
    }

    /// With the declared streams, in the account and region that they are named in.
    fn kinesis(&self, settings: &Resolved) -> Kinesis {
        let builder = Kinesis::builder().seed(self.seed);
        let builder = match self.time {
            Time::Virtual => builder,
            Time::Real => builder.wall_clock().latency(Duration::from_millis(1)),
        };
        let kinesis = placed(builder, settings).build();
        let declared: BTreeSet<_> = settings
            .streams
            .iter()
            .map(|config| config.stream)
            .collect();
        for (stream, label, _) in &self.shards {
            assert!(
                declared.contains(stream),
                "`shards::<{label}>`: `{}` does not declare this stream",
                settings.name
            );
        }
        for config in &settings.streams {
            let mut asked = self.shards.iter().rev();
            let asked = asked.find(|(stream, ..)| *stream == config.stream);
            let shards = match (asked, config.create) {
                (Some((_, _, shards)), _) => *shards,
                // The application creates it itself.
                (None, Some(_)) => continue,
                (None, None) => 1,
            };
            if let Err(error) = kinesis.create_stream(config.name(), shards) {
                panic!(
                    "`{}` is not created with {shards} shards: {error}",
                    config.label
                );
            }
        }
        kinesis
    }

    fn launcher(
        &self,
        kinesis: &Kinesis,
        leases: &MemoryLeases,
        witness: &Arc<Witness>,
    ) -> Launcher {
        let (app, setup, state, observer, seed) = (
            self.app.clone(),
            self.setup.clone(),
            self.state.clone(),
            self.observer.clone(),
            self.seed,
        );
        let (kinesis, leases, witness) = (kinesis.clone(), leases.clone(), Arc::clone(witness));
        Box::new(move |start| {
            let launch = launch(app.clone())
                .setup(setup.clone())
                .aws(kinesis.sdk_config())
                .leases(leases.clone())
                // Each start has random numbers of its own, as processes do.
                .seed(seed.wrapping_add(start))
                .in_test(state.clone(), observer.clone(), Arc::clone(&witness));
            Box::pin(launch.start())
        })
    }
}

/// The emulator is one account in one region: those of the streams that are named by their ARN.
fn placed(builder: KinesisBuilder, settings: &Resolved) -> KinesisBuilder {
    let arns = settings
        .streams
        .iter()
        .filter_map(|config| match &config.target {
            Target::Arn(text) => arn::stream_arn(text).ok(),
            Target::Name(_) => None,
        });
    let places: Vec<_> = arns.map(|arn| (arn.account, arn.region)).collect();
    let builder = match &settings.region {
        Some(region) => builder.region(region),
        None => builder,
    };
    let Some((account, region)) = places.first() else {
        return builder;
    };
    if let Some((other, elsewhere)) = places.iter().find(|place| *place != &places[0]) {
        panic!(
            "the streams of `{}` lie in account `{account}`, region `{region}`, and in account `{other}`, region `{elsewhere}`; the emulator is one account in one region\n\
             help: in tests, name one of them with `config.stream::<S>().set_name(..)` in `#[configure]`",
            settings.name
        );
    }
    builder.account(account).region(region)
}

impl From<&StreamConfig> for Declared {
    fn from(config: &StreamConfig) -> Self {
        Self {
            stream: config.stream,
            label: config.label,
            name: config.name().into(),
            handled: config.handler.is_some(),
        }
    }
}

impl From<&StreamConfig> for Consumed {
    fn from(config: &StreamConfig) -> Self {
        Self {
            label: config.label,
            name: config.name().into(),
        }
    }
}
