//! What an observer is told, to the last count; and that it harms nobody.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use kinesis_app::{
    Checkpoint, Class, Running, ServiceError, ShardName,
    observer::{Halted, LeaseChange, PageRead, RecordCounts, Refusal, RefusalKind, Unstored},
    prelude::*,
};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::sleep;

use crate::{
    log::Errors,
    store::Recording,
    world::{Deed, Entry, FIRST, Ledger, STREAM, World, secs},
};

const REJECTED: &str = "rejected";

/// Keeps what it is told, for the test to judge: a panic of its own would be caught.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<Told>>);

#[derive(Debug, Default)]
struct Told {
    /// By handler.
    counts: BTreeMap<String, Sum>,
    /// Calls that told of no record.
    void_counts: u32,
    call_time: Duration,
    longest_call: Duration,
    events: Vec<String>,
    reads: u64,
    records_read: usize,
    behind: Duration,
    checkpoints: BTreeMap<String, Checkpoint>,
    failed_reads: BTreeMap<String, u32>,
}

/// All counts of a handler: delivered, done, skipped, held, dead-lettered, halted, undecodable, retried, failed attempts, timeouts, calls.
type Sum = [u64; 11];

impl Recorder {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, shard: &ShardName, event: &str) {
        let number = shard.shard_id.trim_start_matches("shardId-");
        let number = number.trim_start_matches('0');
        let number = if number.is_empty() { "0" } else { number };
        self.told()
            .events
            .push(format!("{} {number}: {event}", shard.stream));
    }

    fn events(&self) -> Vec<String> {
        self.told().events.clone()
    }

    /// What the one handler of all applications here has counted.
    fn sum(&self) -> Sum {
        let told = self.told();
        assert_eq!(told.void_counts, 0, "no call is for nothing");
        assert!(told.counts.keys().eq(["book"]), "{:?}", told.counts);
        told.counts["book"]
    }
}

impl Observer for Recorder {
    fn records(&self, _: &ShardName, counts: &RecordCounts) {
        let mut told = self.told();
        told.call_time += counts.call_time;
        told.longest_call = told.longest_call.max(counts.longest_call);
        let handler = counts.handler;
        let counts = [
            counts.delivered,
            counts.done,
            counts.skipped,
            counts.held,
            counts.dead_lettered,
            counts.halted,
            counts.undecodable,
            counts.retried,
            counts.failed_attempts,
            counts.timeouts,
            counts.calls,
        ];
        told.void_counts += u32::from(counts.iter().all(|count| *count == 0));
        let sum = told.counts.entry(handler.to_owned()).or_default();
        for (sum, count) in sum.iter_mut().zip(counts) {
            *sum += count;
        }
    }

    fn read(&self, _: &ShardName, page: &PageRead) {
        let mut told = self.told();
        told.reads += 1;
        told.records_read += page.records;
        told.behind = told.behind.max(page.behind);
    }

    fn read_failed(&self, _: &ShardName, error: &ServiceError) {
        let class = format!("{:?}", error.class());
        *self.told().failed_reads.entry(class).or_default() += 1;
    }

    fn checkpoint(&self, shard: &ShardName, checkpoint: &Checkpoint) {
        let checkpoints = &mut self.told().checkpoints;
        checkpoints.insert(shard.shard_id.clone(), checkpoint.clone());
    }

    fn lease(&self, shard: &ShardName, change: &LeaseChange<'_>) {
        self.note(
            shard,
            &match change {
                LeaseChange::Taken { .. } => "taken".to_owned(),
                LeaseChange::HandedOver { to } => format!("handed over to {to}"),
                LeaseChange::Lost { reason } => format!("lost, {reason}"),
                change => format!("{change:?}").to_lowercase(),
            },
        );
    }

    fn halted(&self, shard: &ShardName, halt: &Halted<'_>) {
        self.note(shard, &format!("halted, {}", halt.reason));
    }

    fn unstored(&self, shard: &ShardName, unstored: &Unstored<'_>) {
        let Unstored { what, error, .. } = unstored;
        self.note(shard, &format!("{what:?} unstored, {error}"));
    }

    fn vanished(&self, shard: &ShardName, checkpoint: Option<&Checkpoint>) {
        self.note(shard, &format!("vanished at {checkpoint:?}"));
    }

    fn refused(&self, refusal: &Refusal<'_>) {
        let (shard, kind) = (refusal.shard_id, refusal.kind);
        self.told()
            .events
            .push(format!("{} {shard:?}: {kind:?}", refusal.stream));
    }
}

/// The ledger, and what is told.
#[derive(Debug, Clone, Default, AppState)]
pub(crate) struct Watched(Ledger, Recorder);

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod watched {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(crate) struct Orders;

    #[stream(name = "rejected")]
    struct Rejected;

    #[on_start]
    async fn open() -> Result<Watched, String> {
        Ok(Watched::default())
    }

    #[observe]
    fn metrics(State(recorder): State<Recorder>) -> impl Observer {
        recorder
    }

    #[on_record(
        Orders,
        concurrency = 8,
        timeout = "20s",
        retry(attempts = 3, backoff = "1s"),
        exhausted(dead_letter(Rejected)),
        undecodable(skip)
    )]
    async fn book(
        _: Bytes,
        entry: Ordered,
        State(ledger): State<Ledger>,
    ) -> Result<Outcome, String> {
        ledger.handle(entry.0).await
    }
}

/// A record without a text does not decode.
pub(crate) struct Ordered(Entry);

impl<S> FromRecord<S> for Ordered {
    fn from_record(
        cx: &kinesis_app::RecordContext<'_, S>,
    ) -> Result<Self, kinesis_app::Undecodable> {
        let entry = Entry::from_record(cx)?;
        if entry.text.is_empty() {
            return Err(kinesis_app::Undecodable::argument("no text"));
        }
        Ok(Self(entry))
    }
}

async fn start(world: &World, recorder: &Recorder) -> Running {
    let launch = world.launch(watched::App);
    let state = Watched(world.ledger.clone(), recorder.clone());
    launch.state(state).start().await.expect("a start")
}

fn world(shards: u32) -> (World, Recorder) {
    let world = World::new(shards);
    let created = world.kinesis.create_stream(REJECTED, 1);
    created.expect("a new stream");
    (world, Recorder::default())
}

#[tokio::test(start_paused = true)]
async fn every_record_is_counted_by_what_became_of_it() {
    let (world, recorder) = world(1);
    world.ledger.plan("retried", [Deed::Fail, Deed::Panic]);
    world.ledger.plan("skipped", [Deed::Skip]);
    world.ledger.plan("held", [Deed::Hold]);
    world.ledger.plan("rejected", vec![Deed::Fail; 3]);
    world.ledger.plan("slow", [Deed::Hang]);
    world.ledger.plan("last", [Deed::Halt("closed")]);
    for text in ["done", "retried", "skipped", "held", "rejected", "slow"] {
        world.put(text, text);
    }
    world.put("void", "");
    let running = start(&world, &recorder).await;
    sleep(secs(60)).await;
    // Done: "done", "retried", "slow". Skipped: "skipped", and the one without a text. Calls: 1 + 3 + 1 + 1 + 3 + 2 + 1.
    assert_eq!(recorder.sum(), [7, 3, 2, 1, 1, 0, 1, 5, 6, 1, 12]);
    world.put("last", "last");
    sleep(secs(5)).await;
    assert_eq!(recorder.sum(), [8, 3, 2, 1, 1, 1, 1, 5, 6, 1, 13]);
    assert_eq!(recorder.told().longest_call, secs(20));
    assert_eq!(recorder.told().call_time, secs(20));
    assert_eq!(
        recorder.events(),
        ["Orders 0: taken", "Orders 0: halted, closed"]
    );
    assert_eq!(recorder.told().records_read, 8);
    let health = running.health();
    let shard = health.shards.values().next().expect("a shard");
    assert_eq!(
        (shard.skipped, shard.dead_lettered),
        (2, 1),
        "one accounting"
    );
    assert_eq!((shard.failed_attempts, shard.timeouts), (6, 1));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn every_lease_that_was_taken_ends_once_and_checkpoints_are_told_when_they_are_stored() {
    let (world, recorder) = world(1);
    let last = world.put("ada", "a1");
    let running = start(&world, &recorder).await;
    sleep(secs(10)).await;
    let stored = recorder.told().checkpoints[FIRST].clone();
    assert_eq!(stored, Checkpoint::After(last));
    world.kinesis.split(STREAM, FIRST).expect("a split");
    sleep(secs(10)).await;
    let stored = recorder.told().checkpoints[FIRST].clone();
    assert_eq!(stored, Checkpoint::ShardEnd);
    running.shutdown().await.expect("a clean stop");
    let mut events = recorder.events();
    assert_eq!(events[..2], ["Orders 0: taken", "Orders 0: finished"]);
    events[2..].sort();
    assert_eq!(
        events[2..],
        [
            "Orders 1: released",
            "Orders 1: taken",
            "Orders 2: released",
            "Orders 2: taken"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_is_handed_over_or_lost_is_told_as_such() {
    let (world, recorder) = world(2);
    let store = Recording::over(&world.leases);
    let state = Watched(world.ledger.clone(), recorder.clone());
    let launch = world.launch(watched::App).leases(store.clone());
    let running = launch.state(state).start().await.expect("a start");
    let other = Recorder::default();
    let state = Watched(world.ledger.clone(), other.clone());
    let launch = world.launch(watched::App).seed(99);
    let another = launch.state(state).start().await.expect("a start");
    sleep(secs(20)).await;
    let events = recorder.events();
    assert_eq!(events.len(), 3, "{events:?}");
    assert!(events[2].contains("handed over to "), "{events:?}");
    assert_eq!(other.events().len(), 1, "{:?}", other.events());
    store.die();
    sleep(secs(60)).await;
    let events = recorder.events();
    assert!(
        events[3].ends_with("lost, the lease store did not confirm it in time"),
        "{events:?}"
    );
    drop(running);
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn throttled_reads_lag_and_a_letter_that_is_not_stored_are_told() {
    let (world, recorder) = world(1);
    let running = start(&world, &recorder).await;
    let throttle = Fault::new(Operation::GetRecords, FaultKind::Throttle);
    world.kinesis.fault(throttle.times(3));
    let refuse = FaultKind::Refuse(ErrorCode::AccessDenied);
    let refuse = Fault::new(Operation::PutRecords, refuse);
    world.kinesis.fault(refuse.stream(REJECTED).always());
    world.ledger.plan("a1", vec![Deed::Fail; 3]);
    world.put("ada", "a1");
    sleep(secs(30)).await;
    let throttled = format!("{:?}", Class::Throttled);
    assert_eq!(recorder.told().failed_reads[&throttled], 3);
    let events = recorder.events();
    assert!(
        events[1].starts_with("Orders 0: DeadLetter unstored, ")
            && events[1].contains("AccessDenied"),
        "{events:?}"
    );
    world.kinesis.clear_faults();
    sleep(secs(60)).await;
    assert_eq!(recorder.sum()[4], 1);
    running.shutdown().await.expect("a clean stop");
    assert!(recorder.told().reads > 30);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_refused_is_told_though_none_of_its_shards_is_read() {
    let (world, recorder) = world(1);
    let running = start(&world, &recorder).await;
    world.kinesis.delete_stream(REJECTED).expect("it is there");
    world.kinesis.delete_stream(STREAM).expect("it is there");
    sleep(secs(120)).await;
    let refused = format!("Orders None: {:?}", RefusalKind::Fatal);
    let events = recorder.events();
    assert!(events.contains(&refused), "{events:?}");
    drop(running);
}

/// Panics at whatever it is told.
#[derive(Debug, Clone, Default)]
struct Nervous(Arc<AtomicU32>);

impl Observer for Nervous {
    fn records(&self, _: &ShardName, _: &RecordCounts) {
        self.panic();
    }

    fn read(&self, _: &ShardName, _: &PageRead) {
        self.panic();
    }

    fn lease(&self, _: &ShardName, _: &LeaseChange<'_>) {
        self.panic();
    }
}

impl Nervous {
    fn panic(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
        panic!("the exporter is gone");
    }
}

#[tokio::test(start_paused = true)]
async fn an_observer_that_panics_is_called_no_more_and_every_record_is_handled() {
    let (errors, _guard) = Errors::capture();
    let world = World::new(1);
    world.put_all("ada", ["a1", "a2"]);
    let nervous = Nervous::default();
    let launch = world.launch(crate::world::ledger::App);
    let launch = launch.observer(nervous.clone());
    let running = launch.start().await.expect("a start");
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended(), ["a1", "a2"]);
    assert!(world.checkpoint(FIRST).is_some());
    assert!(running.health().is_good());
    running.shutdown().await.expect("a clean stop");
    assert_eq!(nervous.0.load(Ordering::SeqCst), 1);
    let errors = errors.all();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].get("panic"), "the exporter is gone");
    assert!(errors[0].get("help").contains("#[observe]"), "{errors:?}");
}

#[kinesis_app(name = "billing", leases(memory))]
mod refusing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[observe]
    fn metrics(setup: &Setup) -> Result<impl Observer, kinesis_app::SetupError> {
        setup.env("STATSD")?;
        Ok(Recorder::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes) -> Outcome {
        Outcome::Done
    }
}

#[tokio::test(start_paused = true)]
async fn an_observer_that_cannot_be_made_fails_the_start_and_one_that_is_given_stands_in_its_place()
{
    let world = World::new(1);
    let launch = || {
        kinesis_app::launch(refusing::App)
            .setup(kinesis_app::Setup::empty())
            .aws(world.kinesis.sdk_config())
    };
    let error = launch().start().await.expect_err("no variable");
    assert!(error.to_string().contains("observe"), "{error}");
    let recorder = Recorder::default();
    let given = launch().observer(recorder.clone()).start().await;
    let running = given.expect("a start");
    assert_eq!(recorder.events(), ["Orders 0: taken"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_test_of_an_application_may_observe_it() {
    let recorder = Recorder::default();
    let app = TestApp::builder(watched::App).observer(recorder.clone());
    let app = app.start().await;
    app.kinesis()
        .put(STREAM, "ada", "a1")
        .expect("the stream is there");
    sleep(secs(3)).await;
    assert_eq!(recorder.sum()[..2], [1, 1]);
}
