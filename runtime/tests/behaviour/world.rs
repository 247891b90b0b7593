//! A Kinesis, a lease table, and an application that writes down what it handles.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use kinesis_app::{
    Application, Error, FromRecord, Launch, MemoryLeases, RecordContext, Running, Setup,
    Undecodable, prelude::*,
};
use kinesis_app_emulator::Kinesis;
use tokio::time::sleep;

/// The stream of [`ledger::App`].
pub(crate) const STREAM: &str = "orders";
pub(crate) const FIRST: &str = "shardId-000000000000";
pub(crate) const SECOND: &str = "shardId-000000000001";

/// One time that a handler was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) text: String,
    pub(crate) shard_id: String,
    pub(crate) attempt: u32,
}

/// A handling began, or ended in what settles its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Begun,
    Ended,
}

/// What a handler does with a record, by its text. A plan is used up; then the record is done.
#[derive(Debug, Clone)]
pub(crate) enum Deed {
    Fail,
    Panic,
    Retry,
    RetryAfter(Duration),
    Skip,
    Halt(&'static str),
    Hold,
    /// Takes so long, and then does this.
    Later(Duration, Box<Deed>),
    /// Takes so long, and is done.
    Take(Duration),
    /// Takes so long without ever waiting.
    Compute(Duration),
    /// Never ends.
    Hang,
    /// Never ends, and panics when it is dropped.
    HangAndPanic,
}

/// What handlers share: what they did, and what they are to do.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger(Arc<Mutex<Book>>);

#[derive(Debug, Default)]
struct Book {
    events: Vec<(Event, Entry)>,
    plans: BTreeMap<String, Vec<Deed>>,
    every: Option<Deed>,
    places: BTreeMap<String, String>,
    running: usize,
    most_running: usize,
}

impl Ledger {
    /// The next deeds at this record.
    pub(crate) fn plan(&self, text: &str, deeds: impl IntoIterator<Item = Deed>) {
        self.book()
            .plans
            .entry(text.into())
            .or_default()
            .extend(deeds);
    }

    /// What is done with every record that has no plan.
    pub(crate) fn always(&self, deed: Deed) {
        self.book().every = Some(deed);
    }

    /// Where the start hook of a shard seeks to, once.
    pub(crate) fn set_place(&self, shard_id: &str, sequence: &str) {
        let places = &mut self.book().places;
        places.insert(shard_id.into(), sequence.into());
    }

    pub(crate) fn place(&self, shard_id: &str) -> Option<String> {
        self.book().places.remove(shard_id)
    }

    /// The texts of all handlings that began, in order.
    pub(crate) fn begun(&self) -> Vec<String> {
        self.texts(Event::Begun)
    }

    /// The texts of all handlings that ended, in order.
    pub(crate) fn ended(&self) -> Vec<String> {
        self.texts(Event::Ended)
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        let events = self.events().into_iter();
        events
            .filter(|(event, _)| *event == Event::Begun)
            .map(|(_, entry)| entry)
            .collect()
    }

    /// All beginnings and endings, in order.
    pub(crate) fn events(&self) -> Vec<(Event, Entry)> {
        self.book().events.clone()
    }

    fn texts(&self, wanted: Event) -> Vec<String> {
        let book = self.book();
        let events = book.events.iter().filter(|(event, _)| *event == wanted);
        events.map(|(_, entry)| entry.text.clone()).collect()
    }

    /// How many handlers run.
    pub(crate) fn running(&self) -> usize {
        self.book().running
    }

    pub(crate) fn most_at_a_time(&self) -> usize {
        self.book().most_running
    }

    fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn handle(&self, entry: Entry) -> Result<Outcome, String> {
        let _running = Runs::new(self);
        let mut deed = {
            let book = &mut *self.book();
            book.events.push((Event::Begun, entry.clone()));
            match book.plans.get_mut(&entry.text) {
                Some(deeds) if !deeds.is_empty() => Some(deeds.remove(0)),
                _ => book.every.clone(),
            }
        };
        if let Some(Deed::Later(time, then)) = deed {
            sleep(time).await;
            deed = Some(*then);
        }
        let outcome = match deed {
            None => Outcome::Done,
            Some(Deed::Fail) => return Err("the sink is down".into()),
            Some(Deed::Panic) => panic!("planned"),
            Some(Deed::Retry) => return Ok(Outcome::Retry),
            Some(Deed::RetryAfter(wait)) => return Ok(Outcome::RetryAfter(wait)),
            Some(Deed::Skip) => Outcome::Skip,
            Some(Deed::Hold) => return Ok(Outcome::Hold),
            Some(Deed::Halt(reason)) => return Ok(Outcome::halt(reason)),
            Some(Deed::Later(..)) => unreachable!("once is enough"),
            Some(Deed::Take(time)) => {
                sleep(time).await;
                Outcome::Done
            }
            Some(Deed::Compute(time)) => {
                tokio::time::advance(time).await;
                Outcome::Done
            }
            Some(Deed::Hang) => std::future::pending().await,
            Some(Deed::HangAndPanic) => {
                let _bomb = Bomb;
                std::future::pending().await
            }
        };
        self.book().events.push((Event::Ended, entry));
        Ok(outcome)
    }
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("planned");
    }
}

/// Counts handlers that run, also those that are dropped.
struct Runs(Ledger);

impl Runs {
    fn new(ledger: &Ledger) -> Self {
        let mut book = ledger.book();
        book.running += 1;
        book.most_running = book.most_running.max(book.running);
        drop(book);
        Self(ledger.clone())
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        self.0.book().running -= 1;
    }
}

impl<S> FromRecord<S> for Entry {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        let record = cx.record();
        Ok(Self {
            key: PartitionKey::from_record(cx)?.to_string(),
            text: String::from_utf8_lossy(record.data()).into_owned(),
            shard_id: record.shard_id().into(),
            attempt: cx.attempt().get(),
        })
    }
}

/// Reads from the horizon, eight keys at a time.
#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
pub(crate) mod ledger {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(crate) struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders, concurrency = 8)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

/// Everything around one application.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) kinesis: Kinesis,
    pub(crate) leases: MemoryLeases,
    pub(crate) ledger: Ledger,
    pub(crate) seed: u64,
}

impl World {
    /// A stream `orders` with so many shards.
    pub(crate) fn new(shards: u32) -> Self {
        let kinesis = Kinesis::builder()
            .seed(1)
            .latency(Duration::from_millis(5))
            .build();
        kinesis.create_stream(STREAM, shards).expect("a new stream");
        Self {
            kinesis,
            leases: MemoryLeases::new(),
            ledger: Ledger::default(),
            seed: 7,
        }
    }

    /// A launch with everything of this world.
    pub(crate) fn launch<A: Application>(&self, app: A) -> Launch<A> {
        kinesis_app::launch(app)
            .setup(Setup::empty())
            .aws(self.kinesis.sdk_config())
            .leases(self.leases.clone())
            .state(self.ledger.clone())
            .seed(self.seed)
    }

    pub(crate) async fn start(&self) -> Running {
        self.start_app(ledger::App).await
    }

    pub(crate) async fn start_app(&self, app: impl Application) -> Running {
        self.try_start(app).await.expect("a start")
    }

    pub(crate) async fn try_start(&self, app: impl Application) -> Result<Running, Error> {
        self.launch(app).start().await
    }

    /// Starts as another process would: with other random numbers.
    pub(crate) async fn start_another(&self) -> Running {
        self.launch(ledger::App)
            .seed(self.seed + 1)
            .start()
            .await
            .expect("a start")
    }

    pub(crate) fn put(&self, key: &str, text: &str) -> String {
        self.kinesis
            .put(STREAM, key, Bytes::copy_from_slice(text.as_bytes()))
            .expect("the stream is there")
            .sequence_number
    }

    pub(crate) fn put_all<'a>(&self, key: &str, texts: impl IntoIterator<Item = &'a str>) {
        for text in texts {
            self.put(key, text);
        }
    }

    /// Puts into the shard that holds this hash, whatever the key.
    pub(crate) fn put_to(&self, shard_id: &str, key: &str, text: &str) -> String {
        let shards = self.kinesis.shards(STREAM).expect("the stream is there");
        let shard = shards
            .iter()
            .find(|shard| shard.shard_id == shard_id)
            .expect("the shard is there");
        let put = kinesis_app_emulator::Put::new(key, Bytes::copy_from_slice(text.as_bytes()))
            .hash_key(shard.hash_range.start);
        self.kinesis
            .put_with(STREAM, put)
            .expect("the shard is open")
            .sequence_number
    }

    /// The ids of all shards, open or closed.
    pub(crate) fn shards(&self) -> Vec<String> {
        let shards = self.kinesis.shards(STREAM).expect("the stream is there");
        shards.into_iter().map(|shard| shard.shard_id).collect()
    }

    /// The session that holds each lease that is held.
    pub(crate) fn owners(&self) -> BTreeMap<String, String> {
        let rows = self.leases.rows().into_iter();
        rows.filter_map(|row| Some((row.shard_id, row.holder?.session)))
            .collect()
    }

    /// The stored checkpoint of a shard: a sequence number, `SHARD_END`, or nothing.
    pub(crate) fn checkpoint(&self, shard_id: &str) -> Option<String> {
        let row = self
            .leases
            .rows()
            .into_iter()
            .find(|row| row.shard_id == shard_id)?;
        Some(match row.checkpoint? {
            kinesis_app::Checkpoint::After(sequence) => sequence,
            kinesis_app::Checkpoint::At(sequence) => format!("at {sequence}"),
            kinesis_app::Checkpoint::ShardEnd => "SHARD_END".into(),
        })
    }
}

/// The id of the shard with this number.
pub(crate) fn shard(number: impl fmt::Display) -> String {
    format!("shardId-{number:012}")
}

pub(crate) fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}
