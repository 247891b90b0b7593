//! A machine's wall clock, which need not be the service's.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime},
};

use aws_smithy_async::time::{SharedTimeSource, TimeSource};
use kinesis_app::SdkConfig;

#[derive(Debug, Clone)]
pub(crate) struct Wall {
    service: SharedTimeSource,
    ahead_secs: Arc<AtomicI64>,
}

impl Wall {
    /// The configuration of a machine with a clock of its own, and the clock, which is right until it is set.
    pub(crate) fn of(config: SdkConfig) -> (SdkConfig, Self) {
        let wall = Self {
            service: config.time_source().expect("the emulator's"),
            ahead_secs: Arc::default(),
        };
        let config = config.into_builder().time_source(wall.clone()).build();
        (config, wall)
    }

    /// From now on it is so much ahead of the service's; behind, if less than nothing.
    pub(crate) fn set_ahead(&self, secs: i64) {
        self.ahead_secs.store(secs, Ordering::SeqCst);
    }
}

impl TimeSource for Wall {
    fn now(&self) -> SystemTime {
        let ahead = self.ahead_secs.load(Ordering::SeqCst);
        let by = Duration::from_secs(ahead.unsigned_abs());
        if ahead < 0 {
            self.service.now() - by
        } else {
            self.service.now() + by
        }
    }
}
