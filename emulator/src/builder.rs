//! How an emulated Kinesis is set up.

use crate::Operation;
use crate::clock::{EmulatorClock, Skew};
use crate::hub::Core;
use crate::kinesis::Kinesis;
use crate::limits;
use crate::service::{Limits, Service, Settings};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// 2026-01-01T00:00:00Z, since the Unix epoch.
const EPOCH: Duration = Duration::from_hours(490_896);
const LATENCY: Duration = Duration::from_millis(10);
const LOG: usize = 10_000;

/// Settings of a [`Kinesis`] to be.
///
/// ```
/// use kinesis_app_emulator::{Kinesis, Limits};
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let kinesis = Kinesis::builder()
///     .seed(7)
///     .latency(Duration::from_millis(20))
///     .region("eu-central-1")
///     .limits(Limits::Off)
///     .create_duration(Duration::from_secs(3))
///     .build();
/// # drop(kinesis);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct KinesisBuilder {
    settings: Settings,
    latency: Duration,
    epoch: Epoch,
    skew: Skew,
    log: usize,
    #[cfg(feature = "dynamodb")]
    create_table_duration: Duration,
}

#[derive(Clone, Copy, Debug)]
enum Epoch {
    At(SystemTime),
    WallClock,
}

impl Default for KinesisBuilder {
    fn default() -> Self {
        Self {
            settings: Settings {
                account: "000000000000".into(),
                region: "us-east-1".into(),
                limits: Limits::default(),
                create_duration: Duration::ZERO,
                update_duration: Duration::ZERO,
                delete_duration: Duration::ZERO,
                durations: BTreeMap::new(),
                retention: limits::RETENTION_LEAST,
                seed: 0,
            },
            latency: LATENCY,
            epoch: Epoch::At(UNIX_EPOCH + EPOCH),
            skew: Skew::None,
            log: LOG,
            #[cfg(feature = "dynamodb")]
            create_table_duration: Duration::ZERO,
        }
    }
}

impl KinesisBuilder {
    /// The seed of all chance: gaps of sequence numbers, the spread of records without a key, faults
    /// with a probability, and the SDK's own jitter (default 0; see [`build`](Self::build)).
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// From request to answer (default 10 ms). The request is carried out half way.
    pub fn latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// The account, 12 digits (default `000000000000`).
    pub fn account(mut self, account: &str) -> Self {
        account.clone_into(&mut self.settings.account);
        self
    }

    /// The region (default `us-east-1`).
    pub fn region(mut self, region: &str) -> Self {
        region.clone_into(&mut self.settings.region);
        self
    }

    /// Whether rates are limited (default [`Limits::Enforced`]).
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// The wall-clock time of the beginning (default 2026-01-01T00:00:00Z). From there the clock
    /// follows tokio's.
    pub fn epoch(mut self, epoch: SystemTime) -> Self {
        self.epoch = Epoch::At(epoch);
        self
    }

    /// Begin at the machine's own time, for programs that run beside the real world.
    pub fn wall_clock(mut self) -> Self {
        self.epoch = Epoch::WallClock;
        self
    }

    /// How far the clocks of the clients that are made here are from the service's (default
    /// [`Skew::None`]).
    ///
    /// ```
    /// use kinesis_app_emulator::{Kinesis, Skew};
    /// # use std::time::Duration;
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let kinesis = Kinesis::builder().skew(Skew::Ahead(Duration::from_mins(10))).build();
    /// # drop(kinesis);
    /// # }
    /// ```
    pub fn skew(mut self, skew: Skew) -> Self {
        self.skew = skew;
        self
    }

    /// How long a new stream, or a new consumer, is `CREATING` (default 0: it is `ACTIVE` at once).
    pub fn create_duration(mut self, duration: Duration) -> Self {
        self.settings.create_duration = duration;
        self
    }

    /// How long a new table is `CREATING` (default 0: it is `ACTIVE` at once).
    #[cfg(feature = "dynamodb")]
    pub fn create_table_duration(mut self, duration: Duration) -> Self {
        self.create_table_duration = duration;
        self
    }

    /// How long a stream is `UPDATING` before a split, a merge or another change of it takes effect
    /// (default 0: at once). The splits and merges of an `UpdateShardCount` are spread over it.
    pub fn update_duration(mut self, duration: Duration) -> Self {
        self.settings.update_duration = duration;
        self
    }

    /// How long a stream, or a consumer, is `DELETING` before it is gone (default 0: at once).
    pub fn delete_duration(mut self, duration: Duration) -> Self {
        self.settings.delete_duration = duration;
        self
    }

    /// How long one operation takes, instead of one of the three above.
    ///
    /// ```
    /// # use kinesis_app_emulator::{Kinesis, Operation};
    /// # use std::time::Duration;
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let kinesis = Kinesis::builder()
    ///     .update_duration(Duration::from_secs(5))
    ///     .operation_duration(Operation::UpdateShardCount, Duration::from_mins(1))
    ///     .build();
    /// # drop(kinesis);
    /// # }
    /// ```
    pub fn operation_duration(mut self, operation: Operation, duration: Duration) -> Self {
        self.settings.durations.insert(operation, duration);
        self
    }

    /// How long records are kept (default 24 hours). Closed shards go when they have been closed
    /// for that long.
    pub fn retention(mut self, retention: Duration) -> Self {
        self.settings.retention = retention;
        self
    }

    /// How many calls the log keeps, the newest (default 10,000). 0 keeps none; counts go on.
    pub fn log_calls(mut self, newest: usize) -> Self {
        self.log = newest;
        self
    }

    /// Builds it. Its clock starts now, so call this inside the tokio runtime that will use it.
    ///
    /// Also seeds this thread's `fastrand`, from which the SDK draws its retry jitter and its
    /// invocation ids: on a current-thread runtime with a paused clock, two runs are then equal to
    /// the byte.
    pub fn build(self) -> Kinesis {
        self.build_with(None)
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// With streams that were kept, and the time of their save.
    pub(crate) fn build_with(self, kept: Option<(Service, SystemTime)>) -> Kinesis {
        fastrand::seed(self.settings.seed);
        let epoch = match (self.epoch, &kept) {
            (Epoch::At(epoch), Some((_, saved))) => epoch.max(*saved),
            (Epoch::At(epoch), None) => epoch,
            (Epoch::WallClock, _) => machine_time(),
        };
        let clock = EmulatorClock::starting_at(epoch);
        let region = self.settings.region.clone();
        #[cfg(feature = "dynamodb")]
        let tables = {
            let settings = crate::dynamodb::Settings {
                account: &self.settings.account,
                region: &region,
                create_duration: self.create_table_duration,
                seed: self.settings.seed,
                log: self.log,
            };
            crate::dynamodb::Side::new(clock.clone(), &settings)
        };
        let service = match kept {
            Some((service, _)) => service,
            None => Service::new(self.settings),
        };
        Kinesis {
            core: Arc::new(Core::new(
                service,
                clock,
                self.skew,
                region,
                self.latency,
                self.log,
                #[cfg(feature = "dynamodb")]
                tables,
            )),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the emulator meets the machine's clock, and only when asked to"
)]
fn machine_time() -> SystemTime {
    SystemTime::now()
}
