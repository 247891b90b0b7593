//! An annotated application against a Kinesis that others wrote, fed by a client that others wrote.
//!
//! `live/run` sets the scene and runs this. Without `KINESIS_TEST_ENDPOINT` the tests are skipped, and say so; with
//! `KINESIS_LIVE_REQUIRED=1` a skip is a failure. Each test has a stream of its own with at most 3,000 records: the
//! service that is used in CI slows down with what it holds.

use std::{
    collections::{BTreeMap, HashMap},
    future::Future,
    io::Write,
    process::Command,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aws_sdk_kinesis::{
    Client,
    config::{BehaviorVersion, Credentials, Region},
    types::{Shard, ShardIteratorType, StreamStatus},
};
use kinesis_app::{Activity, Checkpoint, Error, MemoryLeases, Running, Setup};
use tokio::time::{sleep, timeout};

const PATIENCE: Duration = Duration::from_mins(1);
const POLL: Duration = Duration::from_millis(50);

/// The application.
#[kinesis_app::kinesis_app(
    name = "live",
    endpoint(env = "KINESIS_TEST_ENDPOINT"),
    credentials(test),
    leases(memory),
    shutdown_timeout = "10s"
)]
mod ledger {
    use kinesis_app::{SetupError, prelude::*};
    use serde::Deserialize;

    use super::{Handled, Journal};

    #[derive(Debug, Deserialize)]
    pub(crate) struct Number {
        id: u64,
    }

    #[stream(
        name(env = "LIVE_STREAM"),
        start(trim_horizon),
        poll_interval = "250ms"
    )]
    #[derive(Debug)]
    pub(crate) struct Numbers;

    #[on_start]
    async fn open(setup: Setup) -> Result<Journal, SetupError> {
        Ok(Journal::of(&setup.env("LIVE_STREAM")?))
    }

    #[on_record(Numbers, concurrency = 8)]
    async fn note(
        number: Number,
        key: PartitionKey,
        at: Position,
        State(journal): State<Journal>,
    ) -> Outcome {
        // Records of different keys end in another order than they began in.
        tokio::time::sleep(std::time::Duration::from_millis(number.id % 3)).await;
        journal.add(Handled {
            key: key.to_string(),
            shard: at.shard_id().unwrap_or_default().to_owned(),
            sequence: at.sequence_number().unwrap_or_default().to_owned(),
            id: number.id,
        });
        Outcome::Done
    }
}

/// One record, as its handler met it or as the reader found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Handled {
    key: String,
    shard: String,
    sequence: String,
    id: u64,
}

/// What the handlers of one stream did, in that order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Journal(Arc<Mutex<Vec<Handled>>>);

impl Journal {
    /// The journal of this stream, for the application and for its test.
    fn of(stream: &str) -> Self {
        static ALL: Mutex<BTreeMap<String, Journal>> = Mutex::new(BTreeMap::new());
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(stream.to_owned()).or_default().clone()
    }

    fn add(&self, handled: Handled) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(handled);
    }

    /// Each record once, in the order of the first handlings.
    fn first_handlings(&self) -> Vec<Handled> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen = std::collections::HashSet::new();
        let first = all
            .iter()
            .filter(|handled| seen.insert(handled.sequence.clone()));
        first.cloned().collect()
    }
}

/// The service, a fresh stream on it, and the client that puts records there.
struct Scene {
    endpoint: String,
    python: String,
    client: Client,
    stream: String,
}

impl Scene {
    /// None if the test is to be skipped.
    #[expect(
        clippy::disallowed_methods,
        reason = "the environment says whether and where there is a service to test against"
    )]
    fn set(test: &str) -> Option<Self> {
        let Ok(endpoint) = std::env::var("KINESIS_TEST_ENDPOINT") else {
            let required = std::env::var("KINESIS_LIVE_REQUIRED").is_ok_and(|value| value == "1");
            assert!(
                !required,
                "`KINESIS_TEST_ENDPOINT` is not set\nhelp: live/run"
            );
            let skipped = format!(
                "{test}: skipped, for `KINESIS_TEST_ENDPOINT` is not set; `live/run` sets it\n"
            );
            // Not `eprintln!`, which the test runner swallows when a test passes.
            std::io::stderr()
                .write_all(skipped.as_bytes())
                .expect("standard error is open");
            return None;
        };
        let config = aws_sdk_kinesis::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .endpoint_url(&endpoint)
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("test", "test", None, None, "live"))
            .build();
        let nanos = std::time::UNIX_EPOCH
            .elapsed()
            .expect("the clock is past 1970")
            .as_nanos();
        Some(Self {
            endpoint,
            python: std::env::var("KINESIS_LIVE_PYTHON").unwrap_or_else(|_| "python3".into()),
            client: Client::from_conf(config),
            stream: format!("{test}-{nanos}"),
        })
    }

    async fn create(&self, shards: i32) {
        let request = self.client.create_stream().stream_name(&self.stream);
        request
            .shard_count(shards)
            .send()
            .await
            .expect("a fresh name");
        self.active().await;
    }

    async fn active(&self) {
        eventually("the stream is active", || async {
            let request = self.client.describe_stream_summary();
            let answer = request.stream_name(&self.stream).send().await;
            let answer = answer.expect("the stream is there");
            let summary = answer.stream_description_summary().expect("always there");
            *summary.stream_status() == StreamStatus::Active
        })
        .await;
    }

    /// Runs `live/put.py`, which prints how many records were acknowledged.
    async fn put(&self, what: &[&str]) {
        let mut command = Command::new(&self.python);
        command
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../live/put.py"))
            .args([&self.endpoint, &self.stream])
            .args(what);
        let output = tokio::task::spawn_blocking(move || command.output())
            .await
            .expect("no panic")
            .expect("the interpreter of `KINESIS_LIVE_PYTHON` starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let expected = if what[0] == "plain" { what[2] } else { "1" };
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected);
    }

    async fn start(&self, leases: &MemoryLeases) -> Result<Running, Error> {
        let setup = Setup::empty()
            .with_env("KINESIS_TEST_ENDPOINT", &self.endpoint)
            .with_env("LIVE_STREAM", &self.stream);
        kinesis_app::launch(ledger::App)
            .setup(setup)
            .leases(leases.clone())
            .start()
            .await
    }

    async fn shards(&self) -> Vec<Shard> {
        let request = self.client.list_shards().stream_name(&self.stream);
        let answer = request.send().await.expect("the stream is there");
        assert_eq!(answer.next_token(), None, "a few shards are one page");
        answer.shards.expect("always there")
    }

    async fn split(&self, shard: &Shard) {
        let range = shard.hash_key_range().expect("always there");
        let bound = |text: &str| text.parse::<u128>().expect("a number");
        let (low, high) = (
            bound(range.starting_hash_key()),
            bound(range.ending_hash_key()),
        );
        let request = self.client.split_shard().stream_name(&self.stream);
        request
            .shard_to_split(shard.shard_id())
            .new_starting_hash_key((low + (high - low) / 2).to_string())
            .send()
            .await
            .expect("an open shard");
        self.active().await;
    }

    /// All records of a shard, by the plain SDK.
    async fn read(&self, shard: &Shard) -> Vec<Handled> {
        let request = self.client.get_shard_iterator().stream_name(&self.stream);
        let answer = request
            .shard_id(shard.shard_id())
            .shard_iterator_type(ShardIteratorType::TrimHorizon)
            .send()
            .await
            .expect("a listed shard");
        let (mut iterator, mut found) = (answer.shard_iterator, Vec::new());
        while let Some(position) = iterator {
            let request = self.client.get_records().shard_iterator(position);
            let page = request.send().await.expect("a fresh iterator");
            let at_tip = page.millis_behind_latest() == Some(0);
            found.extend(page.records().iter().map(|record| {
                let payload: serde_json::Value =
                    serde_json::from_slice(record.data().as_ref()).expect("put.py puts JSON");
                Handled {
                    key: record.partition_key().unwrap_or_default().to_owned(),
                    shard: shard.shard_id().to_owned(),
                    sequence: record.sequence_number().to_owned(),
                    id: payload["id"].as_u64().expect("a number"),
                }
            }));
            iterator = page
                .next_shard_iterator
                .filter(|_| !at_tip || !is_open(shard));
        }
        found
    }
}

fn is_open(shard: &Shard) -> bool {
    let range = shard.sequence_number_range();
    range.is_some_and(|range| range.ending_sequence_number().is_none())
}

async fn eventually<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let wait = async {
        while !holds().await {
            sleep(POLL).await;
        }
    };
    assert!(timeout(PATIENCE, wait).await.is_ok(), "not in time: {what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_foreign_client_put_is_handled_whole_and_in_order_through_a_split() {
    let Some(scene) = Scene::set("split") else {
        return;
    };
    scene.create(2).await;
    let journal = Journal::of(&scene.stream);
    scene.put(&["plain", "0", "800", "20"]).await;
    let app = scene.start(&MemoryLeases::new()).await.expect("it starts");
    eventually("some are handled", || async {
        journal.first_handlings().len() > 100
    })
    .await;

    let parent = scene.shards().await.swap_remove(0);
    scene.split(&parent).await;
    scene.put(&["plain", "800", "1200", "20"]).await;
    eventually("all are handled", || async {
        journal.first_handlings().len() >= 2000
    })
    .await;
    app.shutdown().await.expect("it stops");

    // Ids of shards grow, so their order is one of parents first.
    let mut shards = scene.shards().await;
    shards.sort_by(|a, b| a.shard_id().cmp(b.shard_id()));
    assert_eq!(shards.len(), 4);
    let mut stored = Vec::new();
    for shard in &shards {
        let records = scene.read(shard).await;
        assert!(!records.is_empty(), "`{}` tests nothing", shard.shard_id());
        stored.extend(records);
    }
    assert_eq!(stored.len(), 2000);
    let handled = journal.first_handlings();
    let place: HashMap<&str, usize> = handled
        .iter()
        .enumerate()
        .map(|(place, handled)| (handled.sequence.as_str(), place))
        .collect();

    let mut last_of_key: HashMap<&str, usize> = HashMap::new();
    for record in &stored {
        let place = *place
            .get(record.sequence.as_str())
            .unwrap_or_else(|| panic!("lost: {record:?}"));
        assert_eq!(handled[place], *record);
        let before = last_of_key.insert(&record.key, place);
        assert!(before < Some(place), "out of order: {record:?}");
    }
    let places = |shard: &str| -> Vec<usize> {
        let of_shard = stored.iter().filter(|record| record.shard == shard);
        of_shard
            .map(|record| place[record.sequence.as_str()])
            .collect()
    };
    let last_of_parent = places(parent.shard_id()).into_iter().max();
    let children = shards
        .iter()
        .filter(|shard| shard.parent_shard_id() == Some(parent.shard_id()));
    let firsts: Vec<_> = children
        .map(|child| places(child.shard_id()).into_iter().min())
        .collect();
    assert_eq!(firsts.len(), 2);
    assert!(firsts.iter().all(|first| *first > last_of_parent));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_stream_fails_the_start_with_stream_endpoint_and_the_words_of_the_service() {
    let Some(scene) = Scene::set("unknown") else {
        return;
    };
    let error = scene
        .start(&MemoryLeases::new())
        .await
        .expect_err("nobody created it");
    assert!(matches!(error, Error::Streams(_)), "{error}");
    let (said, named) = (
        error.to_string(),
        format!("`Numbers` (`{}` at `{}`)", scene.stream, scene.endpoint),
    );
    assert!(said.contains(&named), "{said}");
    let request = scene.client.describe_stream_summary();
    let answer = request.stream_name(&scene.stream).send().await;
    let service = answer.expect_err("nobody created it").into_service_error();
    let words = service.meta().message().expect("the service says why");
    assert!(said.contains(words), "{said} without `{words}`");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kpl_aggregate_halts_its_shard_before_it() {
    let Some(scene) = Scene::set("aggregate") else {
        return;
    };
    scene.create(1).await;
    scene.put(&["plain", "0", "20", "1"]).await;
    scene.put(&["aggregate", "key-0", "3"]).await;
    scene.put(&["plain", "20", "20", "1"]).await;
    let (journal, leases) = (Journal::of(&scene.stream), MemoryLeases::new());
    let app = scene.start(&leases).await.expect("it starts");

    let halted = || {
        let health = app.health();
        health
            .shards
            .into_values()
            .find_map(|shard| match shard.activity {
                Activity::Halted {
                    sequence_number,
                    reason,
                } => Some((sequence_number, reason)),
                _ => None,
            })
    };
    eventually("the shard is halted", || async { halted().is_some() }).await;
    let (at, reason) = halted().expect("it stays halted");
    assert!(reason.contains("KPL aggregate"), "{reason}");
    app.shutdown().await.expect("it stops");

    let handled = journal.first_handlings();
    let ids: Vec<u64> = handled.iter().map(|handled| handled.id).collect();
    assert_eq!(ids, (0..20).collect::<Vec<_>>());
    let before = handled.last().expect("twenty").sequence.clone();
    assert_ne!(before, at);
    let rows = leases.rows();
    let checkpoints: Vec<_> = rows.iter().map(|row| row.checkpoint.as_ref()).collect();
    assert_eq!(checkpoints, [Some(&Checkpoint::After(before))]);
}
