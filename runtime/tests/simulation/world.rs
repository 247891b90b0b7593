//! One run: an emulator, some machines, and weather under a seed.

use std::{
    sync::{Arc, atomic::AtomicBool, atomic::Ordering},
    time::{Duration, UNIX_EPOCH},
};

use aws_sdk_dynamodb::types::AttributeValue;
use kinesis_app::{
    Setup,
    simulation::{Bug, plant},
};
use kinesis_app_emulator::{Kinesis, dynamodb::Change};
use tokio::time::{Instant, sleep, sleep_until};
use tracing::subscriber::with_default;

use crate::{
    app::Desk,
    judge::Evidence,
    log::Log,
    machine::{Birth, Machine, TABLE},
    trace::{Deed, MachineId, Row, RowChange, Trace, What, shard_of},
    weather::{self, Weather},
};

const STREAM: &str = "orders";
const SHARDS: u32 = 6;
const MACHINES: usize = 3;
/// How long the weather lasts.
const WEATHER: Duration = Duration::from_mins(5);
/// What may take that long afterwards: retries of half a minute each, one after the other, and leases that must die first.
const PATIENCE: Duration = Duration::from_mins(10);
const KEYS: u32 = 40;

/// What a seed leaves behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) evidence: Evidence,
    /// Every event and every call, a line each: two runs of one seed have the same.
    pub(crate) lines: Vec<String>,
    pub(crate) counts: Counts,
}

/// How much happened.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) records: u64,
    pub(crate) reshards: u32,
    pub(crate) faults: u32,
    pub(crate) freezes: u32,
    pub(crate) deaths: u32,
}

struct World {
    kinesis: Kinesis,
    rng: fastrand::Rng,
    seed: u64,
    trace: Trace,
    /// What every machine finds in its environment.
    setup: Setup,
    /// The size of the largest records.
    padding: usize,
    hurry: Arc<AtomicBool>,
    machines: Vec<Machine>,
    born: u32,
    counts: Counts,
    /// What ends by itself, and when.
    spells: Vec<(Instant, Spell)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spell {
    Frozen(MachineId),
    CutOff(MachineId),
    /// A machine was lost, and another takes its place.
    Missing,
}

/// Lives through one seed, with a bug or without.
pub(crate) fn run(seed: u64, bug: Option<Bug>) -> Run {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime without I/O");
    // The SDK draws from the thread's generator.
    fastrand::seed(seed);
    plant(bug);
    let trace = Trace::default();
    let log = Log(trace.clone());
    let run = with_default(log, || {
        runtime.block_on(async { World::new(seed, trace).live().await })
    });
    plant(None);
    run
}

impl World {
    fn new(seed: u64, trace: Trace) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let kinesis = Kinesis::builder()
            .seed(seed)
            .latency(Duration::from_millis(rng.u64(2..40)))
            .log_calls(1_000_000)
            .build();
        kinesis.create_stream(STREAM, SHARDS).expect("a new stream");
        trace.begin();
        let told = trace.clone();
        kinesis.dynamodb().watch(move |change| {
            if let Some((machine, change)) = row_change(&change) {
                told.write(What::Row { machine, change });
            }
        });
        let mut setup = Setup::empty();
        if rng.u32(0..10) < 4 {
            setup = setup.with_env("START", "latest");
        }
        let mut padding = 1;
        if rng.u32(0..3) == 0 {
            setup = setup.with_env("PREFETCH", "little");
            padding = 30_000;
        }
        Self {
            kinesis,
            setup,
            padding,
            rng,
            seed,
            trace,
            hurry: Arc::default(),
            machines: Vec::new(),
            born: 0,
            counts: Counts::default(),
            spells: Vec::new(),
        }
    }

    async fn live(mut self) -> Run {
        self.put(60);
        for _ in 0..MACHINES {
            self.start();
            let pause = self.rng.u64(0..2) * self.rng.u64(0..3_000);
            self.pass(Duration::from_millis(pause)).await;
        }
        let ends = Instant::now() + WEATHER;
        while Instant::now() < ends {
            let links: Vec<_> = self
                .machines
                .iter()
                .map(|m| m.link.name().to_owned())
                .collect();
            let next = weather::next(&mut self.rng, &links);
            self.meet(next);
            self.replace();
            let pause = self.rng.u64(0..3_500);
            self.pass(Duration::from_millis(pause)).await;
        }
        self.clear_up().await
    }

    /// Lets time pass, and spells end when they are over.
    async fn pass(&mut self, time: Duration) {
        let until = Instant::now() + time;
        loop {
            let next = self.spells.iter().map(|(at, _)| *at).min();
            match next.filter(|at| *at <= until) {
                None => return sleep_until(until).await,
                Some(at) => {
                    sleep_until(at).await;
                    let place = self.spells.iter().position(|(due, _)| *due == at);
                    if let Some(place) = place {
                        let (_, spell) = self.spells.remove(place);
                        self.lift(spell);
                    }
                }
            }
        }
    }

    fn lift(&mut self, spell: Spell) {
        let found = |id| self.machines.iter().find(|machine| machine.id == id);
        match spell {
            Spell::Frozen(id) => {
                if let Some(machine) = found(id) {
                    machine.thaw();
                }
            }
            Spell::CutOff(id) => {
                if let Some(machine) = found(id) {
                    machine.link.restore();
                    self.deed(format!("{id} is connected"));
                }
            }
            Spell::Missing => self.start(),
        }
    }

    fn deed(&self, text: String) {
        self.trace.write(What::Deed(Deed::Other(text)));
    }

    fn meet(&mut self, weather: Weather) {
        match weather {
            Weather::Put(count) => self.put(count),
            Weather::Split => self.split(),
            Weather::Merge => self.merge(),
            Weather::Kinesis(fault) => {
                self.counts.faults += 1;
                self.deed(format!("{fault:?}"));
                self.kinesis.fault(fault);
            }
            Weather::Table(faults) => {
                self.counts.faults += 1;
                for fault in faults {
                    self.deed(format!("{fault:?}"));
                    self.kinesis.dynamodb().fault(fault);
                }
            }
            Weather::Freeze(time) => {
                if let Some(place) = self.any_at_large() {
                    let machine = &self.machines[place];
                    machine.freeze();
                    self.counts.freezes += 1;
                    let spell = Spell::Frozen(machine.id);
                    self.spells.push((Instant::now() + time, spell));
                }
            }
            Weather::Outage(time) => {
                if let Some(place) = self.any_at_large() {
                    let machine = &self.machines[place];
                    machine.link.cut();
                    self.deed(format!("{} is cut off", machine.id));
                    let spell = Spell::CutOff(machine.id);
                    self.spells.push((Instant::now() + time, spell));
                }
            }
            Weather::Kill => {
                if let Some(place) = self.any() {
                    let machine = self.machines.swap_remove(place);
                    self.counts.deaths += 1;
                    machine.kill();
                    self.miss();
                }
            }
            Weather::Stop => {
                if let Some(place) = self.any_at_large() {
                    self.machines[place].stop();
                }
            }
            Weather::Clock(ahead) => {
                if let Some(place) = self.any() {
                    self.machines[place].set_clock(ahead);
                }
            }
            Weather::Nothing => {}
        }
    }

    fn any(&mut self) -> Option<usize> {
        let count = self.machines.len();
        (count > 0).then(|| self.rng.usize(0..count))
    }

    /// One that is neither frozen nor cut off.
    fn any_at_large(&mut self) -> Option<usize> {
        let place = self.any()?;
        let id = self.machines[place].id;
        let held = self
            .spells
            .iter()
            .any(|(_, spell)| *spell == Spell::Frozen(id) || *spell == Spell::CutOff(id));
        (!held).then_some(place)
    }

    /// Machines that are over, by a stop or by themselves, are replaced after a while.
    fn replace(&mut self) {
        let before = self.machines.len();
        self.machines.retain(|machine| !machine.is_over());
        for _ in self.machines.len()..before {
            self.miss();
        }
    }

    fn miss(&mut self) {
        let back = Duration::from_millis(self.rng.u64(100..15_000));
        self.spells.push((Instant::now() + back, Spell::Missing));
    }

    fn start(&mut self) {
        self.born += 1;
        let machine = MachineId(self.born);
        let birth = Birth {
            desk: Desk {
                machine,
                trace: self.trace.clone(),
                seed: self.seed,
                hurry: Arc::clone(&self.hurry),
            },
            link: self.kinesis.link(&self.born.to_string()),
            clock: self.kinesis.clock(),
            setup: self.setup.clone(),
            seed: self.seed * 1_000 + u64::from(self.born),
        };
        self.machines.push(Machine::start(birth));
    }

    fn put(&mut self, count: u32) {
        for _ in 0..count {
            let record = self.counts.records;
            self.counts.records += 1;
            let key = format!("k{}", self.rng.u32(0..KEYS));
            let padding = self.rng.usize(0..self.padding);
            let stored = self
                .kinesis
                .put(STREAM, &key, format!("{record} {:padding$}", ""))
                .expect("the stream is there");
            let arrival = self
                .kinesis
                .now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default();
            self.trace.write(What::Put {
                record,
                key,
                shard_id: stored.shard_id,
                sequence: stored.sequence_number,
                arrival_millis: i64::try_from(arrival.as_millis()).unwrap_or(i64::MAX),
            });
        }
    }

    fn open_shards(&self) -> Vec<String> {
        let shards = self.kinesis.shards(STREAM).expect("the stream is there");
        let mut open: Vec<_> = shards.into_iter().filter(|shard| shard.open).collect();
        open.sort_by_key(|shard| shard.hash_range.start);
        open.into_iter().map(|shard| shard.shard_id).collect()
    }

    fn split(&mut self) {
        let open = self.open_shards();
        let shard = open[self.rng.usize(0..open.len())].clone();
        if open.len() < 12
            && let Ok(children) = self.kinesis.split(STREAM, &shard)
        {
            self.resharded(vec![shard], children.into());
        }
    }

    fn merge(&mut self) {
        let open = self.open_shards();
        let lower = self.rng.usize(0..open.len() - 1);
        let parents = vec![open[lower].clone(), open[lower + 1].clone()];
        if open.len() > 2
            && let Ok(child) = self.kinesis.merge(STREAM, &parents[0], &parents[1])
        {
            self.resharded(parents, vec![child]);
        }
    }

    fn resharded(&mut self, parents: Vec<String>, children: Vec<String>) {
        self.counts.reshards += 1;
        self.trace.write(What::Reshard { parents, children });
    }

    /// The weather is over: everything gets the time that it needs.
    async fn clear_up(mut self) -> Run {
        self.kinesis.clear_faults();
        self.kinesis.dynamodb().clear_faults();
        self.hurry.store(true, Ordering::Relaxed);
        for (_, spell) in std::mem::take(&mut self.spells) {
            self.lift(spell);
        }
        self.deed("the weather clears up".into());
        let until = Instant::now() + PATIENCE;
        let start_millis = loop {
            sleep(Duration::from_secs(5)).await;
            self.machines.retain(|machine| !machine.is_over());
            if self.machines.is_empty() {
                self.start();
            }
            let start = self.stored_start();
            if self.is_done(start) || Instant::now() >= until {
                break start;
            }
        };
        for machine in &mut self.machines {
            machine.stop();
        }
        sleep(Duration::from_secs(45)).await;
        self.evidence(start_millis)
    }

    fn is_done(&self, start_millis: Option<i64>) -> bool {
        let events = self.trace.events();
        let wanted = events.iter().filter_map(|event| match event.what {
            What::Put {
                record,
                arrival_millis,
                ..
            } if start_millis.is_none_or(|start| arrival_millis >= start) => Some(record),
            _ => None,
        });
        self.trace.has_settled(wanted)
    }

    /// As the stream's row says; none is the horizon, or no row yet.
    fn stored_start(&self) -> Option<i64> {
        let rows = self.kinesis.dynamodb().rows(TABLE);
        let start = rows.iter().find_map(|row| row.get("start_ms"))?;
        start.as_n().ok()?.parse().ok()
    }

    fn evidence(self, start_millis: Option<i64>) -> Run {
        let events = self.trace.events();
        let reads = self.kinesis.call_log();
        let mut lines: Vec<_> = events.iter().map(ToString::to_string).collect();
        lines.extend(reads.iter().map(|call| format!("{call:?}")));
        let calls = self.kinesis.dynamodb().call_log();
        lines.extend(calls.iter().map(|call| {
            let at = call.at.duration_since(UNIX_EPOCH).unwrap_or_default();
            format!(
                "{at:?} {} {:?} {:?} {:?}",
                call.link, call.operation, call.key, call.outcome
            )
        }));
        Run {
            evidence: Evidence {
                events,
                start_millis,
                reads,
            },
            lines,
            counts: self.counts,
        }
    }
}

fn row_change(change: &Change) -> Option<(MachineId, RowChange)> {
    let either = change.after.as_ref().or(change.before.as_ref())?;
    let key = either.get("lease_key")?.as_s().ok()?;
    let shard_id = shard_of(key)?.to_owned();
    let machine = MachineId(change.link.parse().ok()?);
    let row = |item: &std::collections::BTreeMap<String, AttributeValue>| {
        let text = |name: &str| item.get(name).and_then(|value| value.as_s().ok()).cloned();
        let number = |name: &str| {
            let value = item.get(name).and_then(|value| value.as_n().ok());
            value.and_then(|text| text.parse().ok()).unwrap_or_default()
        };
        Row {
            session: text("lease_session"),
            counter: number("lease_counter"),
            checkpoint: text("checkpoint"),
            generation: number("generation"),
        }
    };
    let change = RowChange {
        shard_id,
        before: change.before.as_ref().map(row),
        after: change.after.as_ref().map(row),
    };
    Some((machine, change))
}
