//! What a seed is like, whatever its weather brings.

use std::time::Duration;

use kinesis_app::Setup;

/// Chosen once, by a generator of its own: the weather of a seed does not depend on it.
#[derive(Debug)]
pub(crate) struct Nature {
    pub(crate) latency: Duration,
    /// What every machine finds in its environment.
    pub(crate) setup: Setup,
    /// The size of the largest records.
    pub(crate) padding: usize,
    /// Whether handlers hold records.
    pub(crate) holds: bool,
}

impl Nature {
    pub(crate) fn of(seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(!seed);
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
            latency: Duration::from_millis(rng.u64(2..40)),
            setup,
            padding,
            holds: rng.u32(0..3) == 0,
        }
    }
}
