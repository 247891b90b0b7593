//! The application: it writes down what it handles, and does with each record what the seed says.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use kinesis_app::{
    prelude::*,
    spec::{Checkpoints, OnRecreated},
};
use tokio::time::sleep;

use crate::trace::{Handling, MachineId, Told, Trace, What};

/// Whose handlers may seek, and how far back from them.
const SEEKS_EVERY: u64 = 101;
const BACK: Duration = Duration::from_secs(5);

/// What the handlers of one machine share.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    pub(crate) machine: MachineId,
    pub(crate) trace: Trace,
    pub(crate) seed: u64,
    /// The end of the run: handlers do their work at once.
    pub(crate) hurry: Arc<AtomicBool>,
    /// Whether some records are held.
    pub(crate) holds: bool,
    /// How many times handlers are still to reposition the stream.
    pub(crate) seeks: Arc<AtomicU32>,
}

/// What a handler does with a record.
#[derive(Debug, Clone, Copy)]
enum Work {
    /// Takes so long, and is done.
    Done(Duration),
    Skip,
    /// Is left unhandled so many times, and done when it comes again.
    Hold {
        times: u32,
    },
    /// So many attempts fail, each in its way.
    Fail {
        times: u32,
        how: Failure,
    },
}

#[derive(Debug, Clone, Copy)]
enum Failure {
    Error,
    Panic,
    RetryAfter(Duration),
}

impl Desk {
    /// The same record meets the same work, on whatever machine.
    fn work(&self, record: u64) -> Work {
        let mut rng = fastrand::Rng::with_seed(self.seed ^ (record + 1).wrapping_mul(0x9e37_79b9));
        let times = rng.u32(1..4);
        match rng.u32(0..100) {
            0..3 => Work::Fail {
                times,
                how: Failure::Error,
            },
            3..5 => Work::Fail {
                times,
                how: Failure::Panic,
            },
            5..7 => Work::Fail {
                times: 1,
                how: Failure::RetryAfter(Duration::from_millis(rng.u64(0..9_000))),
            },
            7..9 => Work::Skip,
            9..12 => Work::Done(Duration::from_millis(rng.u64(2_000..14_000))),
            12..40 => Work::Done(Duration::from_millis(rng.u64(20..600))),
            40..42 if self.holds => Work::Hold { times },
            _ => Work::Done(Duration::ZERO),
        }
    }

    /// Some records send the stream back to a little before them.
    async fn seek_perhaps(&self, record: u64, at: ArrivalTime, seeker: &Seeker<orders::Orders>) {
        let one_less = |seeks: u32| seeks.checked_sub(1);
        if record.is_multiple_of(SEEKS_EVERY)
            && !self.hurry.load(Ordering::Relaxed)
            && self
                .seeks
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less)
                .is_ok()
        {
            let to = Position::timestamp(at.0 - BACK);
            seek(&self.trace, self.machine, seeker, to).await;
        }
    }

    async fn handle(&self, handling: Handling) -> Result<Outcome, String> {
        self.trace.write(What::Begun(handling.clone()));
        let mut cut = Cut(Some((self, handling.clone())));
        let outcome = match self.work(handling.record) {
            Work::Done(time) => {
                if !time.is_zero() && !self.hurry.load(Ordering::Relaxed) {
                    sleep(time).await;
                }
                Ok(Outcome::Done)
            }
            Work::Skip => {
                cut.0 = None;
                self.trace.write(What::Skipped(handling));
                return Ok(Outcome::Skip);
            }
            Work::Hold { times }
                if self.trace.times_held(handling.record) < times
                    && !self.hurry.load(Ordering::Relaxed) =>
            {
                cut.0 = None;
                self.trace.write(What::Held(handling));
                return Ok(Outcome::Hold);
            }
            Work::Fail { times, how } if handling.attempt <= times => {
                let failed = match how {
                    Failure::Error => Err("the sink is down".to_owned()),
                    Failure::RetryAfter(wait) => Ok(Outcome::RetryAfter(wait)),
                    Failure::Panic => {
                        cut.0 = None;
                        self.trace.write(What::Failed(handling));
                        panic!("planned")
                    }
                };
                cut.0 = None;
                self.trace.write(What::Failed(handling));
                return failed;
            }
            Work::Hold { .. } | Work::Fail { .. } => Ok(Outcome::Done),
        };
        cut.0 = None;
        self.trace.write(What::Settled(handling));
        outcome
    }
}

/// The record that these bytes are; the rest of them is there to be large.
pub(crate) fn number(bytes: &[u8]) -> Option<u64> {
    let number = bytes.split(|byte| *byte == b' ').next()?;
    str::from_utf8(number).ok()?.parse().ok()
}

/// A seek, and what was told of it.
pub(crate) async fn seek(
    trace: &Trace,
    machine: MachineId,
    seeker: &Seeker<orders::Orders>,
    to: Position,
) {
    trace.write(What::Seeks {
        machine,
        to: to.to_string(),
    });
    let told = Told::of(&seeker.seek(to).await);
    trace.write(What::Sought { machine, told });
}

/// Notes a handling that is dropped.
struct Cut<'a>(Option<(&'a Desk, Handling)>);

impl Drop for Cut<'_> {
    fn drop(&mut self) {
        if let Some((desk, handling)) = self.0.take() {
            desk.trace.write(What::Cut(handling));
        }
    }
}

#[kinesis_app(name = "sim", leases(memory), shutdown_timeout = "10s")]
pub(crate) mod orders {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), poll_interval = "2s", codec(Raw))]
    pub(crate) struct Orders;

    #[on_start]
    async fn open() -> Result<Desk, String> {
        Err("the simulation brings its own".into())
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), ConfigError> {
        if setup.env("START").is_ok_and(|start| start == "latest") {
            config.stream::<Orders>().set_start(&Position::latest())?;
        }
        if setup.env("RECREATED").is_ok_and(|then| then == "restart") {
            let stream = config.stream::<Orders>();
            stream.set_on_recreated(OnRecreated::Restart);
        }
        if setup.env("CHECKPOINTS").is_ok_and(|are| are == "ignore") {
            config
                .stream::<Orders>()
                .set_checkpoints(Checkpoints::Ignore);
        }
        if setup.env("PREFETCH").is_ok_and(|room| room == "little") {
            config.set_prefetch(1 << 20)?;
        }
        Ok(())
    }

    #[on_record(Orders, concurrency = 4)]
    async fn book(
        bytes: Bytes,
        shard: ShardId,
        attempt: Attempt,
        lease: Lease,
        arrival: ArrivalTime,
        seeker: Seeker<Orders>,
        State(desk): State<Desk>,
    ) -> Result<Outcome, String> {
        let record = number(&bytes).ok_or("a record without its number")?;
        let handling = Handling {
            machine: desk.machine,
            shard_id: shard.to_string(),
            record,
            attempt: attempt.get(),
            token: lease.token(),
        };
        desk.seek_perhaps(record, arrival, &seeker).await;
        desk.handle(handling).await
    }
}
