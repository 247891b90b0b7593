//! A stream and a table of the test's own, on real services, and the instances that share them.

use std::{
    collections::BTreeMap,
    ops::{Range, RangeInclusive},
    path::Path,
    time::Duration,
};

use aws_sdk_kinesis::{primitives::Blob, types::PutRecordsRequestEntry};
use tokio::time::sleep;

use super::{
    instance::{Instance, Role, Shared},
    journal::{Event, Journal, Moment},
    table::{Row, Watch},
    verdict::{Facts, Stored},
};
use crate::{
    gate::{self, eventually},
    stream::TestStream,
};

/// Records of one request, and the pause between two: about a hundred a second.
const BATCH: usize = 20;
const PACE: Duration = Duration::from_millis(200);
const KEYS: u64 = 20;

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) stream: TestStream,
    shared: Shared,
    watch: Watch,
}

impl World {
    /// None if the test is to be skipped.
    pub(crate) async fn set(test: &str, shards: i32, lease: Duration) -> Option<Self> {
        let kinesis = gate::endpoint(gate::KINESIS, test)?;
        let tables = gate::endpoint(gate::DYNAMODB, test)?;
        let stream = TestStream::named_after(test, &kinesis);
        stream.create(shards).await;
        let journal = format!("{}/{}.journal", env!("CARGO_TARGET_TMPDIR"), stream.name);
        Journal::open(Path::new(&journal)).expect("the target folder can be written");
        Some(Self {
            watch: Watch::begin(&tables, &stream.name),
            shared: Shared {
                kinesis,
                tables,
                stream: stream.name.clone(),
                journal,
                lease,
            },
            stream,
        })
    }

    /// Where instances reach their lease table.
    pub(crate) fn tables(&self) -> &str {
        &self.shared.tables
    }

    pub(crate) fn start(&self, role: &Role<'_>) -> Instance {
        Instance::start(&self.shared, role)
    }

    pub(crate) async fn put(&self, ids: Range<u64>) {
        let ids: Vec<_> = ids.collect();
        for ids in ids.chunks(BATCH) {
            self.put_all(ids.iter().map(|id| (*id, false))).await;
            sleep(PACE).await;
        }
    }

    /// One request, whose last record blocks the thread of its handler in instances whose role says so. The others before it in the
    /// page see to it that it begins when their timers fire, and not when the page arrives.
    pub(crate) async fn put_blocking(&self, ids: RangeInclusive<u64>) {
        let last = *ids.end();
        self.put_all(ids.map(|id| (id, id == last))).await;
    }

    async fn put_all(&self, records: impl Iterator<Item = (u64, bool)>) {
        let entries = records.map(|(id, blocks)| {
            let payload = serde_json::json!({ "id": id, "blocks": blocks });
            PutRecordsRequestEntry::builder()
                .partition_key(format!("key-{}", id % KEYS))
                .data(Blob::new(payload.to_string()))
                .build()
                .expect("it has a key and data")
        });
        let request = self.stream.client.put_records();
        let request = request
            .stream_name(&self.stream.name)
            .set_records(Some(entries.collect()));
        let answer = request.send().await.expect("the stream is there");
        assert_eq!(
            answer.failed_record_count(),
            Some(0),
            "far below the limits"
        );
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        Journal::read(Path::new(&self.shared.journal))
    }

    /// Waits until so many different records were handled.
    pub(crate) async fn handled(&self, records: usize) {
        eventually("all are handled", || async {
            let events = self.events();
            let ended = events.iter().filter(|event| event.moment == Moment::End);
            let ids: std::collections::BTreeSet<_> = ended.map(|event| event.id).collect();
            ids.len() >= records
        })
        .await;
    }

    /// The lease rows as they were read last, by shard.
    pub(crate) fn rows(&self) -> BTreeMap<String, Row> {
        self.watch.rows()
    }

    /// Waits until the rows were read anew.
    pub(crate) async fn read_since(&self, time: u64) {
        eventually("the rows are read", || async {
            let samples = self.watch.samples();
            samples.last().is_some_and(|sample| sample.sent > time)
        })
        .await;
    }

    /// Waits until so many shards are held by somebody.
    pub(crate) async fn held(&self, shards: usize) {
        eventually("the shards are held", || async {
            let rows = self.rows();
            rows.len() >= shards && rows.values().all(|row| row.holder.is_some())
        })
        .await;
    }

    /// The shards that a process holds.
    pub(crate) fn held_by(&self, pid: u32) -> Vec<String> {
        let rows = self.rows().into_iter();
        rows.filter(|(_, row)| row.holder == Some(pid))
            .map(|(shard, _)| shard)
            .collect()
    }

    /// Waits until other processes began records of each of these shards, and says when the last of them did.
    pub(crate) async fn taken_over(&self, shards: &[String], from: u32, since: u64) -> u64 {
        let first = |shard: &String| {
            let mut events = self.events().into_iter();
            let begun =
                events.find(|event| event.shard == *shard && event.pid != from && event.at > since);
            begun.map(|event| event.at)
        };
        eventually("others go on", || async {
            shards.iter().all(|shard| first(shard).is_some())
        })
        .await;
        let last = shards.iter().filter_map(first).max();
        last.expect("at least one shard")
    }

    /// Lets the instances stop, and checks what must hold in any case, by what the stream holds.
    pub(crate) async fn judged(self, instances: Vec<Instance>) -> Facts {
        for instance in instances {
            instance.terminate().await;
        }
        let mut shards = BTreeMap::new();
        for shard in self.stream.shards().await {
            let parents = [shard.parent_shard_id(), shard.adjacent_parent_shard_id()];
            let stored = Stored {
                parents: parents.into_iter().flatten().map(Into::into).collect(),
                records: self.stream.read(&shard).await,
            };
            assert!(
                stored.records.len() <= 3_000,
                "the Kinesis of the live suite slows down with what it holds"
            );
            shards.insert(shard.shard_id, stored);
        }
        let facts = Facts {
            shards,
            events: self.events(),
            samples: self.watch.samples(),
        };
        assert_eq!(facts.check(), Ok(()));
        std::fs::remove_file(&self.shared.journal).expect("the test created it");
        facts
    }
}
