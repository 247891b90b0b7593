//! The whole run: streams, producer, timeline, application, and the verdict at the end.

use std::{
    convert::Infallible,
    future::Future,
    io,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aws_types::SdkConfig;
use kinesis_app::{Activity, Health, MemoryLeases, Running, Setup};
use tokio::{
    sync::mpsc::{self, UnboundedReceiver, UnboundedSender},
    time::{Instant, interval, sleep},
    try_join,
};

use super::{
    app::{order_desk, variables},
    display::{Display, Shape, Snapshot},
    journal::{Followed, JournalFile},
    meter::Meter,
    plant::Plant,
    producer::{self, produce},
    progress::Progress,
    reader::read_all,
    shop::{PerTopic, Record, Topic},
    streams::{Stream, StreamError},
    summary::{Report, Reshards},
    target::{Target, TargetError},
    timeline::{self, Act, Step},
    verdict,
};

/// Records a second that a shard is given: half of what it takes, for keys are not spread evenly.
const SHARD_RATE: u64 = 500;
const LEAST_SHARDS: u64 = 2;
/// The application is away for so long in the middle of the run.
const AWAY: Duration = Duration::from_millis(500);
const DRAIN_POLL: Duration = Duration::from_millis(100);
/// When everything was handled, this much longer may something come that should not, or that was put twice.
const AFTER_THE_LAST: Duration = Duration::from_secs(1);
/// An application that handles nothing for so long, although something is left, is not going to.
const STALLED: Duration = Duration::from_secs(10);

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Records a second, of both streams together.
    pub rate: u64,
    /// Records in all.
    pub records: u64,
    /// Where Kinesis is.
    pub target: Target,
    /// A fault in the application.
    pub plant: Option<Plant>,
}

/// Why a run came to no verdict.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// Kinesis cannot be reached with this build and these settings.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The job's own work on the streams failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The application did not start, or does not run any more.
    #[error(transparent)]
    App(#[from] kinesis_app::Error),
    /// The journal cannot be written or read.
    #[error("the journal cannot be used: {0}")]
    Journal(#[from] io::Error),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Runs the job to its verdict, or until `interrupt` ends. Streams that it created outside of this process are deleted
/// either way.
///
/// # Errors
///
/// [`JobError`] when there is no verdict. A verdict that something was lost is not an error: see
/// [`Verdict::holds`](super::Verdict::holds).
pub async fn run(
    plan: &Plan,
    display: &mut Display,
    interrupt: impl Future<Output = ()>,
) -> Result<Report, JobError> {
    let reached = plan.target.reach().await?;
    let client = reached.client();
    let meter = Meter::default();
    let (events, mut inbox) = mpsc::unbounded_channel();
    let journal = JournalFile::create()?;
    let followed = Mutex::new(Followed::new(journal.path())?);
    let run = Run {
        plan,
        begin: Instant::now(),
        application: metered(reached.sdk, &meter),
        meter,
        leases: MemoryLeases::new(),
        streams: PerTopic::each(|topic| Stream {
            client: client.clone(),
            name: reached.names.get(topic).clone(),
            place: reached.place.clone(),
        }),
        created: Mutex::default(),
        shapes: Mutex::default(),
        reshards: Mutex::default(),
        progress: Progress::new(0),
        journal,
        followed,
        events,
    };
    run.say(format!(
        "{} records, {} a second, on {}",
        plan.records, plan.rate, reached.place
    ));
    let result = tokio::select! {
        biased;
        () = interrupt => Err(JobError::Interrupted),
        // Boxed: all calls of the SDK are in it.
        result = Box::pin(run.to_verdict()) => result,
        never = run.show(display, &mut inbox) => never.map(|never| match never {}),
    };
    if plan.target != Target::Embedded {
        let created = lock(&run.created).clone();
        for topic in created {
            if let Err(error) = run.streams.get(topic).delete().await {
                run.say(format!("not deleted: {error}"));
            }
        }
    }
    while let Ok((at, text)) = inbox.try_recv() {
        display.event(at, &text);
    }
    display.close();
    result
}

fn metered(sdk: SdkConfig, meter: &Meter) -> SdkConfig {
    match sdk.http_client() {
        Some(client) => sdk.into_builder().http_client(meter.around(client)).build(),
        None => sdk,
    }
}

struct Run<'a> {
    plan: &'a Plan,
    begin: Instant,
    /// How the application reaches Kinesis.
    application: SdkConfig,
    meter: Meter,
    /// Outlives the application's restart, as a lease table does.
    leases: MemoryLeases,
    streams: PerTopic<Stream>,
    created: Mutex<Vec<Topic>>,
    shapes: Mutex<PerTopic<Shape>>,
    reshards: Mutex<Reshards>,
    progress: Progress,
    journal: JournalFile,
    followed: Mutex<Followed>,
    events: UnboundedSender<(Duration, String)>,
}

impl Run<'_> {
    async fn to_verdict(&self) -> Result<Report, JobError> {
        let steps = timeline::steps(self.plan.records);
        self.progress
            .extend(steps.first().map_or(self.plan.records, |step| step.before));
        try_join!(self.create(Topic::Orders), self.create(Topic::Payments))?;
        let app = self.start().await?;
        let (orders, payments, app) = try_join!(
            self.produce(Topic::Orders),
            self.produce(Topic::Payments),
            self.live_through(&steps, app),
        )?;
        let put = [orders, payments].concat();
        self.say("everything is put");
        self.drain(put.len()).await?;
        let halted = halted(&app.health());
        app.shutdown().await?;
        self.say("the application stopped; reading the streams again");

        let get_records = self.meter.get_records();
        let checkpoints = self.leases.counts().checkpoints;
        let (orders, payments) = try_join!(
            read_all(Topic::Orders, &self.streams.orders),
            read_all(Topic::Payments, &self.streams.payments),
        )?;
        self.handled()?;
        let verdict = verdict::judge(
            &put,
            &[orders, payments].concat(),
            lock(&self.followed).handlings(),
        );
        // What a planted fault did is known.
        if !verdict.holds() && self.plan.plant.is_none() {
            let kept = self.journal.keep()?;
            self.say(format!("the journal is kept: {}", kept.display()));
        }
        Ok(Report {
            verdict,
            reshards: *lock(&self.reshards),
            get_records,
            checkpoints,
            halted,
            elapsed: self.begin.elapsed(),
        })
    }

    async fn create(&self, topic: Topic) -> Result<(), JobError> {
        let shards = topic
            .share(self.plan.rate)
            .div_ceil(SHARD_RATE)
            .max(LEAST_SHARDS);
        let stream = self.streams.get(topic);
        // Noted before it is asked for: an answer may be lost, or nobody waits for it any more.
        lock(&self.created).push(topic);
        stream
            .create(i32::try_from(shards).unwrap_or(i32::MAX))
            .await?;
        self.look_at(topic).await?;
        self.say(format!("created {topic} with {shards} shards"));
        Ok(())
    }

    /// The application is what its module says; where Kinesis is, what the streams are called and where the journal lies
    /// comes from here.
    async fn start(&self) -> Result<Running, JobError> {
        let mut setup = Setup::empty()
            .with_env(variables::ORDERS_STREAM, &self.streams.orders.name)
            .with_env(variables::PAYMENTS_STREAM, &self.streams.payments.name)
            .with_env(variables::JOURNAL, &self.journal.path().to_string_lossy());
        if let Some(plant) = self.plan.plant {
            setup = setup.with_env(variables::PLANT, plant.as_str());
        }
        let app = kinesis_app::launch(order_desk::App)
            .setup(setup)
            .aws(self.application.clone())
            .leases(self.leases.clone())
            .start()
            .await?;
        self.say("the application started");
        Ok(app)
    }

    async fn produce(&self, topic: Topic) -> Result<Vec<Record>, JobError> {
        let records = produce(producer::Job {
            topic,
            stream: self.streams.get(topic),
            records: topic.share(self.plan.records),
            rate: topic.share(self.plan.rate).max(1),
            progress: &self.progress,
        });
        Ok(records.await?)
    }

    async fn live_through(&self, steps: &[Step], mut app: Running) -> Result<Running, JobError> {
        for (index, step) in steps.iter().enumerate() {
            tokio::select! {
                biased;
                () = app.ended() => {
                    self.say("the application ended by itself");
                    let failure = app.shutdown().await.err();
                    return Err(failure.map_or(JobError::Interrupted, JobError::App));
                }
                () = self.progress.reach(step.after) => {}
            }
            match step.act {
                Act::Split(topic) => self.split(topic).await?,
                Act::Merge(topic) => self.merge(topic).await?,
                Act::Restart => {
                    self.say("stopping the application");
                    app.shutdown().await?;
                    self.say("the application stopped; it resumes in a moment");
                    sleep(AWAY).await;
                    app = self.start().await?;
                }
            }
            let next = steps.get(index + 1);
            self.progress
                .extend(next.map_or(self.plan.records, |next| next.before));
        }
        Ok(app)
    }

    async fn split(&self, topic: Topic) -> Result<(), JobError> {
        let parent = self.streams.get(topic).split().await?;
        lock(&self.reshards).splits += 1;
        let children = self.look_at(topic).await?;
        self.say(format!(
            "split {topic} {parent} into {}",
            of(&children, &parent)
        ));
        Ok(())
    }

    async fn merge(&self, topic: Topic) -> Result<(), JobError> {
        let [low, high] = self.streams.get(topic).merge().await?;
        lock(&self.reshards).merges += 1;
        let children = self.look_at(topic).await?;
        self.say(format!(
            "merged {topic} {low} and {high} into {}",
            of(&children, &low)
        ));
        Ok(())
    }

    /// Counts the stream's shards, and returns them by the ids of their parents.
    async fn look_at(&self, topic: Topic) -> Result<Vec<(String, Vec<String>)>, JobError> {
        let shards = self.streams.get(topic).shards().await?;
        let open = shards.iter().filter(|shard| shard.open).count();
        let closed = shards.len() - open;
        let mut shapes = lock(&self.shapes);
        *shapes.get_mut(topic) = Shape { open, closed };
        let total = Topic::ALL.map(|topic| shapes.get(topic).open + shapes.get(topic).closed);
        lock(&self.reshards).shards = total.iter().sum::<usize>() as u64;
        Ok(shards
            .into_iter()
            .map(|shard| (shard.id, shard.parents))
            .collect())
    }

    /// Waits until the application has handled what was put, or handles nothing any more.
    async fn drain(&self, put: usize) -> Result<(), JobError> {
        let (mut handled, mut since) = (self.handled()?, Instant::now());
        loop {
            let patience = if handled < put as u64 {
                STALLED
            } else {
                AFTER_THE_LAST
            };
            if since.elapsed() >= patience {
                return Ok(());
            }
            sleep(DRAIN_POLL).await;
            let now = self.handled()?;
            if now > handled {
                (handled, since) = (now, Instant::now());
            }
        }
    }

    /// How many records the journal speaks of by now.
    fn handled(&self) -> Result<u64, JobError> {
        Ok(lock(&self.followed).catch_up()?)
    }

    async fn show(
        &self,
        display: &mut Display,
        inbox: &mut UnboundedReceiver<(Duration, String)>,
    ) -> Result<Infallible, JobError> {
        let mut ticks = interval(display.interval());
        loop {
            tokio::select! {
                biased;
                Some((at, text)) = inbox.recv() => display.event(at, &text),
                _ = ticks.tick() => display.progress(&Snapshot {
                    at: self.begin.elapsed(),
                    total: self.plan.records,
                    put: self.progress.acknowledged(),
                    handled: self.handled()?,
                    shards: *lock(&self.shapes),
                }),
            }
        }
    }

    fn say(&self, text: impl Into<String>) {
        // Nobody listens any more when the run was interrupted.
        let _ = self.events.send((self.begin.elapsed(), text.into()));
    }
}

fn of(children: &[(String, Vec<String>)], parent: &str) -> String {
    let ids = children
        .iter()
        .filter(|(_, parents)| parents.iter().any(|id| id == parent))
        .map(|(id, _)| id.as_str());
    ids.collect::<Vec<_>>().join(" and ")
}

fn halted(health: &Health) -> Vec<String> {
    let reason = |activity: &Activity| match activity {
        Activity::Halted { reason, .. } => Some(reason.clone()),
        _ => None,
    };
    health
        .shards
        .iter()
        .filter_map(|(name, shard)| Some(format!("{name}: {}", reason(&shard.activity)?)))
        .collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
