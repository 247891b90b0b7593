use std::{
    any::TypeId,
    future::{Future, ready},
    panic::Location,
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use kinesis_app_emulator::{Fault, FaultKind, Kinesis, Operation, Put, ShardView, Stored};
use tokio::time::sleep;

use super::{
    builder::TestAppBuilder,
    clock::Time,
    handler::Handler,
    instances::{FIRST, Instances, SecondInstance},
    published::Records,
    survey::Consumed,
};
use crate::{
    Application, Error, Health, Message, Publisher, Running, Seeker, Stream, cause::Chain,
    codec::Encode, record::envelope,
};

/// An application that runs in a test; see the [module](super) for an example.
///
/// Every stream that it declares is there, with one shard each unless [`shards`](TestAppBuilder::shards) says otherwise. When it is
/// dropped, the application is killed; [`stop`](Self::stop) stops it as its program would.
///
/// A method that fails panics with the stream's name and the reason: it is for tests.
#[derive(Debug)]
pub struct TestApp {
    pub(super) name: String,
    pub(super) kinesis: Kinesis,
    pub(super) declared: Vec<Declared>,
    pub(super) consumed: Vec<Consumed>,
    pub(super) instances: Arc<Instances>,
    pub(super) time: Time,
    pub(super) patience: Duration,
}

/// A stream of the application.
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) stream: TypeId,
    pub(super) label: &'static str,
    pub(super) name: String,
    pub(super) handled: bool,
}

impl TestApp {
    /// Starts an application with the state that its `#[on_start]` makes.
    ///
    /// # Panics
    ///
    /// It does not start, or the clock of the test is not paused: `#[tokio::test(start_paused = true)]`.
    #[track_caller]
    pub fn start<A: Application + Clone + Sync>(app: A) -> impl Future<Output = Self> {
        Self::builder(app).start()
    }

    /// Starts an application with a state of the test's own: fakes of what its handlers talk to.
    ///
    /// # Panics
    ///
    /// As [`start`](Self::start).
    #[track_caller]
    pub fn with_state<A, S>(app: A, state: S) -> impl Future<Output = Self>
    where
        A: Application + Clone + Sync,
        S: Send + Sync + 'static,
    {
        Self::builder(app).state(state).start()
    }

    /// To set something before the start.
    pub fn builder<A: Application + Clone + Sync>(app: A) -> TestAppBuilder<A> {
        TestAppBuilder::new(app)
    }

    /// Puts a record into the stream `S`, encoded with the stream's codec.
    ///
    /// # Panics
    ///
    /// The codec refuses the value, or the service the record.
    #[track_caller]
    pub fn put<S: Stream>(
        &self,
        key: &str,
        value: impl Encode<S::Codec>,
    ) -> impl Future<Output = Stored> {
        let data = self.encode::<S>(value);
        ready(self.store::<S>(Put::new(key, data)))
    }

    /// Puts a record into the stream `S` as it is: bytes that no codec has seen, with the message's headers, with its key or without one.
    ///
    /// Without headers the bytes are all that lies in the stream, also if they begin like an envelope.
    ///
    /// ```
    /// # use kinesis_app::{Outgoing, Stream, testing::TestApp};
    /// # async fn example<Orders: Stream>(app: &TestApp) {
    /// app.inject::<Orders>("{\"id\":".keyed("ada").header("trace-id", "4bf92f")).await;
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// The service refuses the record.
    #[track_caller]
    pub fn inject<S: Stream>(
        &self,
        record: impl Message<Payload: Into<Bytes>>,
    ) -> impl Future<Output = Stored> {
        let parts = record.into_parts();
        let data = if parts.headers.is_empty() {
            parts.payload.into()
        } else {
            envelope::seal(&parts.headers, parts.payload.into())
        };
        let put = match parts.key {
            Some(key) => Put::new(&key, data),
            None => Put::keyless(data),
        };
        ready(self.store::<S>(put))
    }

    /// The records that lie in the stream `S`: what the application published to it, and what the test put there.
    #[track_caller]
    pub fn published<S: Stream>(&self) -> Records<S> {
        let stream = &self.declared::<S>().name;
        let shards = self.shards::<S>().into_iter();
        let records = shards.flat_map(|shard| {
            let records = self.kinesis.records(stream, &shard.shard_id).into_iter();
            records.map(move |record| (shard.shard_id.clone(), record))
        });
        Records::new(records.collect())
    }

    /// What became of the records of the stream `S`.
    ///
    /// # Panics
    ///
    /// The stream has no handler.
    #[track_caller]
    pub fn handler<S: Stream>(&self) -> Handler {
        let Declared { label, handled, .. } = self.declared::<S>();
        assert!(*handled, "`{label}` has no handler in `{}`", self.name);
        Handler {
            stream: label,
            tally: self.instances.witness.tally(label),
        }
    }

    /// The shards of the stream `S`, closed ones among them.
    ///
    /// # Panics
    ///
    /// The stream is not there.
    #[track_caller]
    pub fn shards<S: Stream>(&self) -> Vec<ShardView> {
        let Declared { label, name, .. } = self.declared::<S>();
        let shards = self.kinesis.shards(name);
        shards.unwrap_or_else(|error| panic!("the shards of `{label}` are not listed: {error}"))
    }

    /// Splits a shard of the stream `S` in the middle: the ids of its children.
    ///
    /// # Panics
    ///
    /// The service refuses it.
    #[track_caller]
    pub fn split<S: Stream>(&self, shard_id: &str) -> [String; 2] {
        let Declared { label, name, .. } = self.declared::<S>();
        let split = self.kinesis.split(name, shard_id);
        split.unwrap_or_else(|error| panic!("`{label}/{shard_id}` is not split: {error}"))
    }

    /// Merges two shards of the stream `S` whose ranges touch: the id of their child.
    ///
    /// # Panics
    ///
    /// The service refuses it.
    #[track_caller]
    pub fn merge<S: Stream>(&self, shard_id: &str, adjacent: &str) -> String {
        let Declared { label, name, .. } = self.declared::<S>();
        let merged = self.kinesis.merge(name, shard_id, adjacent);
        merged.unwrap_or_else(|error| {
            panic!("`{label}/{shard_id}` and `{adjacent}` are not merged: {error}")
        })
    }

    /// Makes the next request of an operation about the stream `S` fail. [`kinesis`](Self::kinesis) takes any other fault.
    ///
    /// ```
    /// use kinesis_app::testing::{FaultKind, Operation};
    /// # use kinesis_app::{Stream, testing::TestApp};
    /// # fn example<Orders: Stream>(app: &TestApp) {
    /// app.fail_next::<Orders>(Operation::GetRecords, FaultKind::Throttle);
    /// # }
    /// ```
    #[track_caller]
    pub fn fail_next<S: Stream>(&self, operation: Operation, kind: FaultKind) {
        let stream = &self.declared::<S>().name;
        self.kinesis
            .fault(Fault::new(operation, kind).stream(stream));
    }

    /// Lets so much virtual time pass, with everything that is due in it: polls, heartbeats, retries, retention.
    ///
    /// # Panics
    ///
    /// The test runs in [real time](TestAppBuilder::real_time).
    pub async fn advance(&self, by: Duration) {
        assert!(
            self.time == Time::Virtual,
            "real time cannot be advanced\nhelp: `tokio::time::sleep`, or leave `real_time()` out"
        );
        sleep(by).await;
    }

    /// Stops the application as its program would, and starts it again: it goes on behind its checkpoints.
    ///
    /// # Panics
    ///
    /// The stop or the start fails.
    #[track_caller]
    pub fn restart(&self) -> impl Future<Output = ()> {
        let caller = Location::caller();
        async move {
            let stopped = self.instances.stop(FIRST).await;
            orderly(stopped, "stop", caller);
            let started = self.instances.start(FIRST).await;
            orderly(started, "start again", caller);
        }
    }

    /// Kills the application where it is, and starts it again. Its old leases die after their duration; what had settled behind the last
    /// checkpoint is handled again, and [`settled`](Self::settled) waits for that.
    ///
    /// # Panics
    ///
    /// The start fails.
    #[track_caller]
    pub fn crash(&self) -> impl Future<Output = ()> {
        let caller = Location::caller();
        async move {
            self.instances.crash(FIRST).await;
            let started = self.instances.start(FIRST).await;
            orderly(started, "start again", caller);
        }
    }

    /// Stops the application for good, `#[on_shutdown]` among it. What lies in its streams can still be looked at, and a
    /// [second instance](Self::second_instance) goes on.
    ///
    /// # Panics
    ///
    /// The stop fails.
    #[track_caller]
    pub fn stop(&self) -> impl Future<Output = ()> {
        let caller = Location::caller();
        async move {
            let stopped = self.instances.stop(FIRST).await;
            orderly(stopped, "stop", caller);
        }
    }

    /// Starts another instance of the application beside the first, as a second process would be: on the same leases, with the same
    /// replaced state, or with one of its own that `#[on_start]` makes.
    ///
    /// # Panics
    ///
    /// It does not start.
    #[track_caller]
    pub fn second_instance(&self) -> impl Future<Output = SecondInstance> {
        let caller = Location::caller();
        async move {
            let started = self.instances.start_another().await;
            SecondInstance {
                number: orderly(started, "start a second time", caller),
                instances: Arc::clone(&self.instances),
            }
        }
    }

    /// What the streams and shards of the first instance are doing.
    ///
    /// # Panics
    ///
    /// The application was stopped.
    #[track_caller]
    pub fn health(&self) -> Health {
        self.first(Running::health)
    }

    /// Repositions the stream `S`. Afterwards [`settled`](Self::settled) waits for what lies behind the position.
    ///
    /// # Panics
    ///
    /// The application was stopped.
    #[track_caller]
    pub fn seeker<S: Stream>(&self) -> Seeker<S> {
        self.first(Running::seeker)
    }

    /// Publishes to the stream `S` as the application would: in batches, over the emulated network.
    ///
    /// # Panics
    ///
    /// The application was stopped.
    #[track_caller]
    pub fn publisher<S: Stream>(&self) -> Publisher<S> {
        self.first(Running::publisher)
    }

    /// The emulated service, for everything else: trims, cuts of the network, calls that were made.
    pub fn kinesis(&self) -> &Kinesis {
        &self.kinesis
    }

    #[track_caller]
    fn first<T>(&self, ask: impl FnOnce(&Running) -> T) -> T {
        let running = self.instances.running();
        let Some(first) = running.get(&FIRST) else {
            drop(running);
            panic!("`{}` was stopped", self.name);
        };
        ask(first)
    }

    #[track_caller]
    pub(super) fn declared<S: Stream>(&self) -> &Declared {
        let mut declared = self.declared.iter();
        let found = declared.find(|declared| declared.stream == TypeId::of::<S>());
        found.unwrap_or_else(|| {
            panic!(
                "`{}` does not declare the stream `{}`",
                self.name,
                S::SPEC.label
            )
        })
    }

    #[track_caller]
    pub(super) fn encode<S: Stream>(&self, value: impl Encode<S::Codec>) -> Bytes {
        let label = self.declared::<S>().label;
        let encoded = value.encode();
        encoded.unwrap_or_else(|error| panic!("`{label}`: {}", Chain(&error)))
    }

    #[track_caller]
    fn store<S: Stream>(&self, put: Put) -> Stored {
        let Declared { label, name, .. } = self.declared::<S>();
        let stored = self.kinesis.put_with(name, put);
        stored.unwrap_or_else(|error| panic!("`{label}` does not take the record: {error}"))
    }
}

/// In a future nobody sees who called: the text says it.
fn orderly<T>(result: Result<T, Error>, what: &str, caller: &Location<'_>) -> T {
    result.unwrap_or_else(|error| {
        panic!(
            "{caller}: the application did not {what}: {}",
            Chain(&error)
        )
    })
}
