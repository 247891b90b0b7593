//! Balance over a DynamoDB table: what instances cost, and how soon one takes over from another.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::future::join_all;
use kinesis_app::{DynamoLeases, Running, prelude::*};
use kinesis_app_emulator::{
    Kinesis, Limits,
    dynamodb::{Capacity, DynamoDb, Operation},
};
use tokio::time::{Instant, sleep};

use crate::world::{Entry, Ledger, STREAM, World, ledger, secs};

const TABLE: &str = "billing-leases";

async fn join(world: &World, app: impl kinesis_app::Application, number: u64) -> Running {
    let leases = DynamoLeases::new(&world.kinesis.sdk_config(), TABLE).create_if_missing();
    let launch = world.launch(app).leases(leases).seed(number);
    launch.start().await.expect("a start")
}

/// Who held each shard's lease, one after the other, as the rows say.
#[derive(Debug, Clone, Default)]
struct History(Arc<Mutex<BTreeMap<String, Vec<String>>>>);

impl History {
    fn of(tables: &DynamoDb) -> Self {
        let history = Self::default();
        let told = history.clone();
        tables.watch(move |change| {
            let Some(row) = change.after else { return };
            let text = |name: &str| row.get(name).and_then(|value| value.as_s().ok()).cloned();
            if let (Some(shard_id), Some(session)) = (text("shard_id"), text("lease_session")) {
                let mut history = told.0.lock().expect("no test panics with it");
                let owners = history.entry(shard_id).or_default();
                if owners.last() != Some(&session) {
                    owners.push(session);
                }
            }
        });
        history
    }

    /// How many leases changed hands so many times since they were asked for last.
    fn moves(&self) -> BTreeMap<usize, usize> {
        let mut history = self.0.lock().expect("no test panics with it");
        let mut moves = BTreeMap::new();
        for owners in history.values_mut() {
            *moves.entry(owners.len() - 1).or_default() += 1;
            owners.drain(..owners.len() - 1);
        }
        moves
    }
}

async fn shares(instances: &[Running]) -> Vec<usize> {
    let mut shares: Vec<_> = instances
        .iter()
        .map(|running| running.health().shards.len())
        .collect();
    shares.sort_unstable();
    shares
}

#[tokio::test(start_paused = true)]
async fn of_sixty_four_leases_none_moves_twice_and_a_successor_begins_within_two_seconds() {
    let world = World::new(64);
    let shards = world.kinesis.shards(STREAM).expect("the stream is there");
    let history = History::of(&world.kinesis.dynamodb());
    let one = join(&world, ledger::App, 1).await;
    sleep(secs(3)).await;
    assert_eq!(history.moves(), [(0, 64)].into());
    let begun = Instant::now();
    let others = join_all([2, 3].map(|number| join(&world, ledger::App, number))).await;
    while shares(&others).await != [21, 21] || one.health().shards.len() != 22 {
        sleep(secs(1) / 10).await;
        assert!(begun.elapsed() <= secs(20), "two rounds of ten seconds");
    }
    println!("1 -> 3 instances: settled after {:?}", begun.elapsed());
    sleep(secs(30)).await;
    assert_eq!(history.moves(), [(0, 22), (1, 42)].into());
    one.shutdown().await.expect("a clean stop");
    let stopped = Instant::now();
    for shard in &shards {
        world.put_to(&shard.shard_id, "key", &shard.shard_id);
    }
    while world.ledger.ended().len() < 64 {
        sleep(secs(1) / 20).await;
        assert!(stopped.elapsed() <= secs(2), "{:?}", shares(&others).await);
    }
    println!(
        "3 -> 2 instances: every shard is read after {:?}",
        stopped.elapsed()
    );
    assert_eq!(shares(&others).await, [32, 32]);
    sleep(secs(30)).await;
    assert_eq!(history.moves(), [(0, 42), (1, 22)].into());
    for running in others {
        running.shutdown().await.expect("a clean stop");
    }
}

/// Reads seldom, so that it is leases that cost something.
#[kinesis_app(name = "billing", leases(memory))]
mod seldom {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw), poll_interval = "4m")]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

/// Calls, and the units that they consumed.
fn spent(tables: &DynamoDb) -> BTreeMap<&'static str, (u64, Capacity)> {
    let operations = [
        ("GetItem", Operation::GetItem),
        ("Scan", Operation::Scan),
        ("UpdateItem", Operation::UpdateItem),
        ("PutItem", Operation::PutItem),
    ];
    let spent = operations.map(|(name, operation)| {
        let units = tables.consumed(operation, TABLE);
        (name, (tables.calls_for(operation, TABLE), units))
    });
    spent.into()
}

/// What the README says of an idle hour; counted over some minutes, for an hour is like the other.
#[tokio::test(start_paused = true)]
async fn an_idle_hour_of_two_hundred_shards_and_twenty_instances_costs_what_is_said_of_it() {
    const MINUTES: u32 = 3;
    let kinesis = Kinesis::builder()
        .limits(Limits::Off)
        .latency(Duration::from_millis(5))
        .build();
    kinesis.create_stream(STREAM, 200).expect("a new stream");
    let world = World {
        kinesis,
        ..World::new(1)
    };
    let tables = world.kinesis.dynamodb();
    let instances = join_all((0..20).map(|number| join(&world, seldom::App, number))).await;
    sleep(secs(60)).await;
    assert_eq!(shares(&instances).await, [10; 20]);
    let before = spent(&tables);
    sleep(secs(60) * MINUTES).await;
    let (mut calls, mut read, mut written) = (0, 0.0, 0.0);
    let hours = f64::from(MINUTES) / 60.0;
    for (name, (now, units)) in spent(&tables) {
        let (then, consumed) = before[name];
        let count = (now - then) * 60 / u64::from(MINUTES);
        let (reads, writes) = (
            (units.read - consumed.read) / hours,
            (units.write - consumed.write) / hours,
        );
        println!("{name}: {count} calls, {reads:.0} read units, {writes:.0} write units an hour");
        calls += count;
        read += reads;
        written += writes;
    }
    println!("in all: {calls} calls, {read:.0} read units, {written:.0} write units an hour");
    // One write for each lease and heartbeat of three seconds, and no other.
    assert!((239_000.0..=241_000.0).contains(&written), "{written}");
    // Twenty bells a second at half a unit, and a scan of the table for each instance and ten seconds.
    assert!(read <= 110_000.0, "{read}");
    assert!(calls <= 330_000, "{calls}");
    drop(instances);
}
