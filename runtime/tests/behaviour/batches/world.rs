//! An application that handles batches and writes down what it was given.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kinesis_app::{Application, Running, Setup, prelude::*};
use kinesis_app_emulator::{Kinesis, Limits};
use tokio::time::{Instant, sleep};

use crate::world::{STREAM, World};

/// One time that the handler was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) texts: Vec<String>,
    pub(crate) attempts: Vec<u32>,
    pub(crate) at: Instant,
}

/// What a call does as a whole, before it looks at its records.
#[derive(Debug, Clone)]
pub(crate) enum Whole {
    Fail,
    Permanent,
    Panic,
    Take(Duration),
    Hang,
}

/// What is said of a record, by its text.
#[derive(Debug, Clone)]
pub(crate) enum Say {
    Skip,
    Retry,
    RetryAfter(Duration),
    Hold,
    Halt(&'static str),
    DeadLetter(&'static str),
}

/// What was done, and what is to be done.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Book>>);

#[derive(Debug, Default)]
struct Book {
    calls: Vec<Call>,
    done: Vec<String>,
    next: VecDeque<Whole>,
    poison: BTreeMap<String, Whole>,
    plans: BTreeMap<String, VecDeque<Say>>,
}

impl Log {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next calls do this, one after the other.
    pub(crate) fn next(&self, wholes: impl IntoIterator<Item = Whole>) {
        self.book().next.extend(wholes);
    }

    /// Every call that is given this record does this.
    pub(crate) fn poison(&self, text: &str, whole: Whole) {
        self.book().poison.insert(text.into(), whole);
    }

    /// The next times that the record is given.
    pub(crate) fn plan(&self, text: &str, says: impl IntoIterator<Item = Say>) {
        self.book()
            .plans
            .entry(text.into())
            .or_default()
            .extend(says);
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        self.book().calls.clone()
    }

    /// The texts of every call.
    pub(crate) fn given(&self) -> Vec<Vec<String>> {
        self.calls().into_iter().map(|call| call.texts).collect()
    }

    /// The texts that were done, in order.
    pub(crate) fn done(&self) -> Vec<String> {
        self.book().done.clone()
    }

    /// How often a record was given.
    pub(crate) fn times(&self, text: &str) -> usize {
        let given = self.given();
        given
            .iter()
            .flatten()
            .filter(|given| *given == text)
            .count()
    }

    pub(crate) async fn handle(
        &self,
        orders: &Batch<Bytes>,
    ) -> Result<BatchOutcome, kinesis_app::HandlerError> {
        let texts: Vec<_> = orders
            .values()
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            .collect();
        let whole = {
            let book = &mut *self.book();
            book.calls.push(Call {
                texts: texts.clone(),
                attempts: orders.iter().map(|order| order.attempt().get()).collect(),
                at: Instant::now(),
            });
            let poisoned = texts.iter().find_map(|text| book.poison.get(text).cloned());
            poisoned.or_else(|| book.next.pop_front())
        };
        match whole {
            None => {}
            Some(Whole::Fail) => return Err("the sink is down".into()),
            Some(Whole::Permanent) => return Err(permanent("the sink refuses it").into()),
            Some(Whole::Panic) => panic!("planned"),
            Some(Whole::Take(time)) => sleep(time).await,
            Some(Whole::Hang) => std::future::pending().await,
        }
        let book = &mut *self.book();
        Ok(orders.settle(|order| {
            let text = String::from_utf8_lossy(order.value()).into_owned();
            match book.plans.get_mut(&text).and_then(VecDeque::pop_front) {
                None => {
                    book.done.push(text);
                    Outcome::Done
                }
                Some(Say::Skip) => Outcome::Skip,
                Some(Say::Retry) => Outcome::Retry,
                Some(Say::RetryAfter(wait)) => Outcome::RetryAfter(wait),
                Some(Say::Hold) => Outcome::Hold,
                Some(Say::Halt(reason)) => Outcome::halt(reason),
                Some(Say::DeadLetter(reason)) => Outcome::dead_letter(reason),
            }
        }))
    }
}

/// At most ten records a call, for ever.
#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
pub(crate) mod tens {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(crate) struct Orders;

    #[on_start]
    async fn open() -> Result<Log, String> {
        Ok(Log::default())
    }

    #[on_batch(Orders, max_records = 10)]
    async fn book(
        orders: Batch<Bytes>,
        State(log): State<Log>,
    ) -> Result<BatchOutcome, kinesis_app::HandlerError> {
        log.handle(&orders).await
    }
}

/// At most ten records a call, and it waits for them.
#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
pub(crate) mod patient {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(crate) struct Orders;

    #[on_start]
    async fn open() -> Result<Log, String> {
        Ok(Log::default())
    }

    #[on_batch(Orders, max_records = 10, max_wait = "20s")]
    async fn book(
        orders: Batch<Bytes>,
        State(log): State<Log>,
    ) -> Result<BatchOutcome, kinesis_app::HandlerError> {
        log.handle(&orders).await
    }
}

/// A thousand records a call, which are given up on.
#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
pub(crate) mod thousands {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(crate) struct Orders;

    #[on_start]
    async fn open() -> Result<Log, String> {
        Ok(Log::default())
    }

    #[on_batch(
        Orders,
        max_records = 1_000,
        retry(attempts = 3),
        exhausted(skip),
        timeout = "5s"
    )]
    async fn book(
        orders: Batch<Bytes>,
        State(log): State<Log>,
    ) -> Result<BatchOutcome, kinesis_app::HandlerError> {
        log.handle(&orders).await
    }
}

/// A stream, and the log of an application that reads it.
#[derive(Debug)]
pub(crate) struct Batches {
    pub(crate) world: World,
    pub(crate) log: Log,
}

impl Batches {
    pub(crate) fn new(shards: u32) -> Self {
        Self {
            world: World::new(shards),
            log: Log::default(),
        }
    }

    /// A service without limits, for streams with many records.
    pub(crate) fn without_limits(shards: u32) -> Self {
        let kinesis = Kinesis::builder().seed(1).limits(Limits::Off).build();
        kinesis.create_stream(STREAM, shards).expect("a new stream");
        Self {
            world: World {
                kinesis,
                ..World::new(shards)
            },
            log: Log::default(),
        }
    }

    pub(crate) async fn start(&self, app: impl Application) -> Running {
        self.start_seeded(app, self.world.seed).await
    }

    pub(crate) async fn start_seeded(&self, app: impl Application, seed: u64) -> Running {
        kinesis_app::launch(app)
            .setup(Setup::empty())
            .aws(self.world.kinesis.sdk_config())
            .leases(self.world.leases.clone())
            .state(self.log.clone())
            .seed(seed)
            .start()
            .await
            .expect("a start")
    }

    /// Records with these numbers as their texts, of so many keys in turn; the sequence number of the last.
    pub(crate) fn put_numbers(&self, numbers: std::ops::Range<u32>, keys: u32) -> String {
        let mut last = String::new();
        for number in numbers {
            last = self
                .world
                .put(&format!("key {}", number % keys), &number.to_string());
        }
        last
    }
}

/// Texts of numbers.
pub(crate) fn texts(numbers: impl IntoIterator<Item = u32>) -> Vec<String> {
    numbers
        .into_iter()
        .map(|number| number.to_string())
        .collect()
}

/// The same without an order.
pub(crate) fn set(texts: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    texts.into_iter().collect()
}
