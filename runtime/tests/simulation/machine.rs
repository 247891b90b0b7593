//! One instance of the application, on a machine of its own.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime},
};

use aws_smithy_async::time::TimeSource;
use kinesis_app::{Application, DynamoLeases, Position, Setup, simulation::Machine as Gate};
use kinesis_app_emulator::{EmulatorClock, Link};
use tokio::{
    select,
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::sleep,
};

use crate::{
    app::{self, Desk, Orders, Shape, seek},
    store::Noted,
    trace::{Deed, MachineId, Trace, What},
};

pub(crate) const TABLE: &str = "leases";
/// How often a machine says what it works on.
const WORD: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) id: MachineId,
    pub(crate) link: Link,
    gate: Gate,
    clock: OwnClock,
    stop: Option<oneshot::Sender<()>>,
    seeks: mpsc::UnboundedSender<Position>,
    life: JoinHandle<()>,
    trace: Trace,
}

/// A machine's wall clock: it may be set while it runs.
#[derive(Debug, Clone)]
struct OwnClock {
    service: EmulatorClock,
    ahead_millis: Arc<AtomicI64>,
}

impl TimeSource for OwnClock {
    fn now(&self) -> SystemTime {
        let ahead = self.ahead_millis.load(Ordering::Relaxed);
        let by = Duration::from_millis(ahead.unsigned_abs());
        if ahead < 0 {
            self.service.now() - by
        } else {
            self.service.now() + by
        }
    }
}

/// What an instance is started with.
#[derive(Debug)]
pub(crate) struct Birth {
    pub(crate) desk: Desk,
    pub(crate) link: Link,
    pub(crate) clock: EmulatorClock,
    pub(crate) setup: Setup,
    pub(crate) seed: u64,
}

impl Machine {
    pub(crate) fn start(birth: Birth) -> Self {
        match birth.desk.shape {
            Shape::Plain => Self::run(app::Plain, birth),
            Shape::Records => Self::run(app::Records, birth),
            Shape::Batches => Self::run(app::Batches, birth),
        }
    }

    fn run(app: impl Application, birth: Birth) -> Self {
        let Birth {
            desk,
            link,
            clock,
            setup,
            seed,
        } = birth;
        let (id, trace) = (desk.machine, desk.trace.clone());
        let clock = OwnClock {
            service: clock,
            ahead_millis: Arc::default(),
        };
        let config = link.sdk_config().into_builder();
        let config = config.time_source(clock.clone()).build();
        let leases = Noted {
            inner: DynamoLeases::new(&config, TABLE).create_if_missing(),
            machine: id,
            trace: trace.clone(),
            calls: Arc::default(),
        };
        let launch = kinesis_app::launch(app)
            .setup(setup)
            .aws(config)
            .leases(leases)
            .state(desk)
            .seed(seed);
        let (stop, stopping) = oneshot::channel();
        let (seeks, seeking) = mpsc::unbounded_channel();
        let gate = Gate::default();
        trace.write(What::Deed(Deed::Started(id)));
        let life = live(launch, (stopping, seeking), id, trace.clone());
        #[expect(clippy::disallowed_methods, reason = "the test's own task")]
        let life = tokio::spawn(gate.run(life));
        Self {
            id,
            link,
            gate,
            clock,
            stop: Some(stop),
            seeks,
            life,
            trace,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.life.is_finished()
    }

    pub(crate) fn freeze(&self) {
        self.gate.freeze();
        self.trace.write(What::Deed(Deed::Frozen(self.id)));
    }

    /// As a freeze, but for its monotonic clock, which stands still as well; the wall clock goes on.
    pub(crate) fn suspend(&self) {
        self.gate.suspend();
        self.trace.write(What::Deed(Deed::Suspended(self.id)));
    }

    pub(crate) fn thaw(&self) {
        self.trace.write(What::Deed(Deed::Thawed(self.id)));
        self.gate.thaw();
    }

    /// Asks it to stop, as a deployment would; it takes its time.
    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // It may be over by itself.
            let _ = stop.send(());
        }
    }

    /// Asks it to reposition the stream.
    pub(crate) fn seek(&self, to: Position) {
        // It may be over by itself.
        let _ = self.seeks.send(to);
    }

    /// Its network is gone, and then all of it.
    pub(crate) fn kill(self) {
        self.link.cut();
        self.trace.write(What::Deed(Deed::Killed(self.id)));
        self.life.abort();
    }

    pub(crate) fn set_clock(&self, ahead_millis: i64) {
        self.clock
            .ahead_millis
            .store(ahead_millis, Ordering::Relaxed);
        let machine = self.id;
        self.trace.write(What::Deed(Deed::ClockSet {
            machine,
            ahead_millis,
        }));
    }
}

async fn live<A: Application>(
    launch: kinesis_app::Launch<A>,
    (mut stop, mut seeks): (oneshot::Receiver<()>, mpsc::UnboundedReceiver<Position>),
    machine: MachineId,
    trace: Trace,
) {
    let mut running = match launch.start().await {
        Ok(running) => running,
        Err(error) => {
            return trace.write(What::Deed(Deed::Other(format!(
                "{machine} did not start: {error}"
            ))));
        }
    };
    loop {
        select! {
            biased;
            _ = &mut stop => break,
            () = running.ended() => break,
            Some(to) = seeks.recv() => {
                let seeker = running.seeker::<Orders>();
                select! {
                    biased;
                    _ = &mut stop => break,
                    () = seek(&trace, machine, &seeker, to) => {}
                }
            }
            () = sleep(WORD) => {
                let health = running.health();
                let shards = health.shards.into_keys().map(|shard| shard.shard_id);
                trace.write(What::Works {
                    machine,
                    shards: shards.collect(),
                    prefetch: health.prefetch.bytes,
                    allowance: health.prefetch.allowance,
                });
            }
        }
    }
    trace.write(What::Deed(Deed::Stopping(machine)));
    let clean = running.shutdown().await.is_ok();
    trace.write(What::Deed(Deed::Stopped { machine, clean }));
}
