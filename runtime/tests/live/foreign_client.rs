//! An annotated application against a Kinesis that others wrote, fed by a client that others wrote.

use std::{
    collections::{BTreeMap, HashMap},
    process::Command,
    sync::{Arc, Mutex, PoisonError},
};

use kinesis_app::{Activity, Checkpoint, Error, MemoryLeases, Running, Setup};

use crate::{
    gate::{self, eventually},
    stream::{Record, TestStream},
};

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

    use super::{Journal, Record};

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
        journal.add(Record {
            key: key.to_string(),
            shard: at.shard_id().unwrap_or_default().to_owned(),
            sequence: at.sequence_number().unwrap_or_default().to_owned(),
            id: number.id,
        });
        Outcome::Done
    }
}

/// What the handlers of one stream did, in that order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Journal(Arc<Mutex<Vec<Record>>>);

impl Journal {
    /// The journal of this stream, for the application and for its test.
    fn of(stream: &str) -> Self {
        static ALL: Mutex<BTreeMap<String, Journal>> = Mutex::new(BTreeMap::new());
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(stream.to_owned()).or_default().clone()
    }

    fn add(&self, handled: Record) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(handled);
    }

    /// Each record once, in the order of the first handlings.
    fn first_handlings(&self) -> Vec<Record> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen = std::collections::HashSet::new();
        let first = all
            .iter()
            .filter(|handled| seen.insert(handled.sequence.clone()));
        first.cloned().collect()
    }
}

/// A fresh stream, and the client that puts records there.
struct Scene {
    endpoint: String,
    python: String,
    stream: TestStream,
}

impl Scene {
    /// None if the test is to be skipped.
    #[expect(
        clippy::disallowed_methods,
        reason = "the environment says which interpreter has the client"
    )]
    fn set(test: &str) -> Option<Self> {
        let endpoint = gate::endpoint(gate::KINESIS, test)?;
        Some(Self {
            stream: TestStream::named_after(test, &endpoint),
            endpoint,
            python: std::env::var("KINESIS_LIVE_PYTHON").unwrap_or_else(|_| "python3".into()),
        })
    }

    /// Runs `live/put.py`, which prints how many records were acknowledged.
    async fn put(&self, what: &[&str]) {
        let mut command = Command::new(&self.python);
        command
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../live/put.py"))
            .args([&self.endpoint, &self.stream.name])
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
            .with_env(gate::KINESIS, &self.endpoint)
            .with_env("LIVE_STREAM", &self.stream.name);
        kinesis_app::launch(ledger::App)
            .setup(setup)
            .leases(leases.clone())
            .start()
            .await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_foreign_client_put_is_handled_whole_and_in_order_through_a_split() {
    let Some(scene) = Scene::set("split") else {
        return;
    };
    scene.stream.create(2).await;
    let journal = Journal::of(&scene.stream.name);
    scene.put(&["plain", "0", "800", "20"]).await;
    let app = scene.start(&MemoryLeases::new()).await.expect("it starts");
    eventually("some are handled", || async {
        journal.first_handlings().len() > 100
    })
    .await;

    let parent = scene.stream.shards().await.swap_remove(0);
    scene.stream.split(&parent).await;
    scene.put(&["plain", "800", "1200", "20"]).await;
    eventually("all are handled", || async {
        journal.first_handlings().len() >= 2000
    })
    .await;
    app.shutdown().await.expect("it stops");

    let shards = scene.stream.shards().await;
    assert_eq!(shards.len(), 4);
    let mut stored = Vec::new();
    for shard in &shards {
        let records = scene.stream.read(shard).await;
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
        format!(
            "`Numbers` (`{}` at `{}`)",
            scene.stream.name, scene.endpoint
        ),
    );
    assert!(said.contains(&named), "{said}");
    let request = scene.stream.client.describe_stream_summary();
    let answer = request.stream_name(&scene.stream.name).send().await;
    let service = answer.expect_err("nobody created it").into_service_error();
    let words = service.meta().message().expect("the service says why");
    assert!(said.contains(words), "{said} without `{words}`");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kpl_aggregate_halts_its_shard_before_it() {
    let Some(scene) = Scene::set("aggregate") else {
        return;
    };
    scene.stream.create(1).await;
    scene.put(&["plain", "0", "20", "1"]).await;
    scene.put(&["aggregate", "key-0", "3"]).await;
    scene.put(&["plain", "20", "20", "1"]).await;
    let (journal, leases) = (Journal::of(&scene.stream.name), MemoryLeases::new());
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
