//! One run: an emulator, some machines, and weather under a seed.

mod clear_up;
mod fleet;
mod meet;
mod rows;
mod seeks;
mod sinks;
mod spells;
mod stream;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32},
    },
    time::{Duration, UNIX_EPOCH},
};

use kinesis_app::simulation::{Bug, plant};
use kinesis_app_emulator::Kinesis;
use tokio::time::Instant;
use tracing::subscriber::with_default;

use self::spells::Spell;
use crate::{
    app::Shape,
    judge::Evidence,
    log::Log,
    machine::Machine,
    nature::Nature,
    trace::{Deed, MachineId, Trace, What},
    weather,
};

const STREAM: &str = "orders";
const SHARDS: u32 = 6;
const MACHINES: usize = 3;
/// How long the weather lasts.
const WEATHER: Duration = Duration::from_mins(5);
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
    pub(crate) trims: u32,
    pub(crate) faults: u32,
    pub(crate) freezes: u32,
    pub(crate) deaths: u32,
}

struct World {
    kinesis: Kinesis,
    rng: fastrand::Rng,
    /// Of its own: the weather of a seed does not depend on it.
    seeks: fastrand::Rng,
    /// Of its own as well.
    sinks: fastrand::Rng,
    handlers_seek: Arc<AtomicU32>,
    seed: u64,
    trace: Trace,
    nature: Nature,
    hurry: Arc<AtomicBool>,
    machines: Vec<Machine>,
    /// How many there are to be.
    fleet: usize,
    born: u32,
    counts: Counts,
    /// Machines whose clocks are not to be touched before then.
    shaken: BTreeMap<MachineId, Instant>,
    /// What ends by itself, and when.
    spells: Vec<(Instant, Spell)>,
}

/// Lives through one seed.
pub(crate) fn run(seed: u64) -> Run {
    run_with(seed, Nature::of(seed), None)
}

/// Lives through one seed with this application, with a bug or without.
pub(crate) fn run_as(seed: u64, shape: Shape, bug: Option<Bug>) -> Run {
    let nature = Nature {
        shape,
        ..Nature::of(seed)
    };
    run_with(seed, nature, bug)
}

fn run_with(seed: u64, nature: Nature, bug: Option<Bug>) -> Run {
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
        runtime.block_on(async { World::new(seed, nature, trace).live().await })
    });
    plant(None);
    run
}

impl World {
    fn new(seed: u64, nature: Nature, trace: Trace) -> Self {
        let kinesis = Kinesis::builder()
            .seed(seed)
            .latency(nature.latency)
            .log_calls(1_000_000)
            .build();
        trace.begin();
        stream::create(&kinesis, &trace);
        if nature.shape.has_sinks() {
            sinks::create(&kinesis, &trace);
        }
        let told = trace.clone();
        kinesis.dynamodb().watch(move |change| {
            if let Some(what) = rows::told(&change) {
                told.write(what);
            }
        });
        Self {
            kinesis,
            handlers_seek: Arc::new(AtomicU32::new(nature.seeks)),
            nature,
            rng: fastrand::Rng::with_seed(seed),
            seeks: fastrand::Rng::with_seed(seed ^ 0x5eec),
            sinks: fastrand::Rng::with_seed(seed ^ 0x51bc),
            seed,
            trace,
            hurry: Arc::default(),
            machines: Vec::new(),
            fleet: MACHINES,
            born: 0,
            counts: Counts::default(),
            shaken: BTreeMap::new(),
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
            self.seek_perhaps();
            self.trouble_sinks();
            self.replace();
            let pause = self.rng.u64(0..3_500);
            self.pass(Duration::from_millis(pause)).await;
        }
        self.clear_up().await
    }

    fn deed(&self, text: String) {
        self.trace.write(What::Deed(Deed::Other(text)));
    }

    fn evidence(self) -> Run {
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
                ignores: self.nature.ignores,
                shape: self.nature.shape,
                reads,
            },
            lines,
            counts: self.counts,
        }
    }
}
