//! Everything at once, under many seeds: reshards, faults, failing handlers, crashes, stops and second instances. Whatever happens,
//! every record is handled, and none begins before the earlier ones of its key have ended.

use std::{collections::BTreeMap, time::Duration};

use kinesis_app::Running;
use kinesis_app_emulator::{Fault, FaultKind, Operation};
use tokio::time::sleep;

use crate::world::{Deed, Event, STREAM, World, ledger, secs};

/// `CHAOS_SEEDS=1000 cargo test -p kinesis-app --test behaviour chaos` runs more of them.
fn seeds() -> u64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a test takes is its caller's choice"
    )]
    let seeds = std::env::var("CHAOS_SEEDS")
        .ok()
        .and_then(|text| text.parse().ok());
    seeds.unwrap_or(12)
}

struct Chaos {
    world: World,
    rng: fastrand::Rng,
    instances: Vec<Running>,
    put: u64,
    starts: u64,
    leases: Leases,
}

/// Where leases are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leases {
    Memory,
    #[cfg(feature = "dynamodb")]
    DynamoDb,
}

impl Chaos {
    fn new(seed: u64, leases: Leases) -> Self {
        let mut world = World::new(3);
        world.seed = seed;
        Self {
            world,
            rng: fastrand::Rng::with_seed(seed),
            instances: Vec::new(),
            put: 0,
            starts: 0,
            leases,
        }
    }

    async fn step(&mut self) {
        match self.rng.u32(0..100) {
            0..40 => self.put_some(),
            40..52 => self.reshard(),
            52..67 => {
                self.break_something();
                #[cfg(feature = "dynamodb")]
                if self.leases == Leases::DynamoDb {
                    self.break_a_table();
                }
            }
            67..74 => self.crash(),
            74..81 => self.stop().await,
            _ => {}
        }
        if self.instances.is_empty() || (self.instances.len() < 3 && self.rng.u32(0..10) == 0) {
            self.start().await;
        }
        sleep(Duration::from_millis(self.rng.u64(0..8_000))).await;
    }

    fn put_some(&mut self) {
        for _ in 0..self.rng.u32(1..30) {
            let text = self.put.to_string();
            let deed = match self.rng.u32(0..20) {
                0 => Some(Deed::Fail),
                1 => Some(Deed::Panic),
                2 => Some(Deed::RetryAfter(secs(self.rng.u64(0..20)))),
                3 => Some(Deed::Take(Duration::from_millis(self.rng.u64(0..15_000)))),
                4..8 => Some(Deed::Take(Duration::from_millis(self.rng.u64(0..300)))),
                _ => None,
            };
            self.world.ledger.plan(&text, deed);
            self.world.put(&format!("k{}", self.rng.u32(0..9)), &text);
            self.put += 1;
        }
    }

    fn reshard(&mut self) {
        let shards = self
            .world
            .kinesis
            .shards(STREAM)
            .expect("the stream is there");
        let mut open: Vec<_> = shards.into_iter().filter(|shard| shard.open).collect();
        open.sort_by_key(|shard| shard.hash_range.start);
        if open.len() > 1 && self.rng.bool() {
            let at = self.rng.usize(0..open.len() - 1);
            self.world
                .kinesis
                .merge(STREAM, &open[at].shard_id, &open[at + 1].shard_id)
                .expect("neighbours");
        } else if open.len() < 8 {
            let at = self.rng.usize(0..open.len());
            self.world
                .kinesis
                .split(STREAM, &open[at].shard_id)
                .expect("an open shard");
        }
    }

    fn break_something(&mut self) {
        let operations = [
            Operation::GetRecords,
            Operation::GetRecords,
            Operation::GetShardIterator,
            Operation::ListShards,
        ];
        let kinds = [
            FaultKind::Throttle,
            FaultKind::InternalFailure,
            FaultKind::Reset,
            FaultKind::Delay(secs(self.rng.u64(0..12))),
            FaultKind::Hang,
            FaultKind::TruncatedBody,
            FaultKind::AnswerLost,
            FaultKind::EmptyPage,
        ];
        let (operation, kind) = (
            operations[self.rng.usize(0..operations.len())],
            kinds[self.rng.usize(0..kinds.len())].clone(),
        );
        self.world
            .kinesis
            .fault(Fault::new(operation, kind).times(self.rng.u64(1..4)));
    }

    #[cfg(feature = "dynamodb")]
    fn break_a_table(&mut self) {
        use kinesis_app_emulator::dynamodb::{Fault, FaultKind, Operation};

        let operations = [
            Operation::UpdateItem,
            Operation::UpdateItem,
            Operation::PutItem,
            Operation::GetItem,
            Operation::Scan,
        ];
        let kinds = [
            FaultKind::Throttle,
            FaultKind::InternalFailure,
            FaultKind::Reset,
            FaultKind::Delay(Duration::from_millis(self.rng.u64(0..4_000))),
            FaultKind::Hang,
            FaultKind::TruncatedBody,
            FaultKind::AnswerLost,
            FaultKind::Stale(secs(self.rng.u64(0..5))),
        ];
        let operation = operations[self.rng.usize(0..operations.len())];
        let kind = kinds[self.rng.usize(0..kinds.len())];
        let fault = Fault::new(operation, kind).times(self.rng.u64(1..6));
        self.world.kinesis.dynamodb().fault(fault);
    }

    fn crash(&mut self) {
        if !self.instances.is_empty() {
            drop(
                self.instances
                    .swap_remove(self.rng.usize(0..self.instances.len())),
            );
        }
    }

    async fn stop(&mut self) {
        if !self.instances.is_empty() {
            let instance = self
                .instances
                .swap_remove(self.rng.usize(0..self.instances.len()));
            instance.shutdown().await.expect("a stop");
        }
    }

    async fn start(&mut self) {
        self.starts += 1;
        let seed = self.world.seed * 1000 + self.starts;
        let launch = self.world.launch(ledger::App).seed(seed);
        let launch = match self.leases {
            Leases::Memory => launch,
            #[cfg(feature = "dynamodb")]
            Leases::DynamoDb => {
                let config = self.world.kinesis.sdk_config();
                launch.leases(kinesis_app::DynamoLeases::new(&config, "leases").create_if_missing())
            }
        };
        // A service that fails just now may fail a start: the next step tries again.
        if let Ok(running) = launch.start().await {
            self.instances.push(running);
        }
    }

    /// The faults end, and everything gets the time that it needs.
    async fn settle(&mut self) {
        self.world.kinesis.clear_faults();
        #[cfg(feature = "dynamodb")]
        if self.leases == Leases::DynamoDb {
            self.world.kinesis.dynamodb().clear_faults();
        }
        while self.instances.is_empty() {
            self.start().await;
        }
        for _ in 0..20 {
            sleep(secs(60)).await;
            if self.world.ledger.is_ended(self.put) {
                return;
            }
        }
    }

    fn check(&self) -> Result<(), String> {
        let events = self.world.ledger.events();
        let mut order: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        let mut ended = std::collections::BTreeSet::new();
        let mut keys: BTreeMap<u64, &str> = BTreeMap::new();
        for (_, entry) in &events {
            keys.insert(entry.text.parse().expect("a number"), &entry.key);
        }
        for (number, key) in keys {
            order.entry(key).or_default().push(number);
        }
        for (event, entry) in &events {
            let number: u64 = entry.text.parse().expect("a number");
            match event {
                Event::Ended => {
                    ended.insert(number);
                }
                Event::Begun => {
                    let earlier = order[&*entry.key]
                        .iter()
                        .take_while(|other| **other < number);
                    if let Some(overtaken) =
                        earlier.into_iter().find(|other| !ended.contains(*other))
                    {
                        return Err(format!(
                            "record {number} of `{}` began before {overtaken} had ended",
                            entry.key
                        ));
                    }
                }
            }
        }
        match (0..self.put).find(|number| !ended.contains(number)) {
            Some(lost) => Err(format!("record {lost} of {} was never handled", self.put)),
            None => Ok(()),
        }
    }
}

async fn run(leases: Leases) {
    for seed in 0..seeds() {
        let mut chaos = Chaos::new(seed, leases);
        for _ in 0..60 {
            chaos.step().await;
        }
        chaos.settle().await;
        if let Err(broken) = chaos.check() {
            panic!("seed {seed}: {broken}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_lost_or_out_of_order_whatever_happens() {
    run(Leases::Memory).await;
}

#[cfg(feature = "dynamodb")]
#[tokio::test(start_paused = true)]
async fn nothing_is_lost_or_out_of_order_with_leases_in_a_dynamodb_that_fails() {
    run(Leases::DynamoDb).await;
}
