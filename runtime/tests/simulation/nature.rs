//! What a seed is like, whatever its weather brings.

use std::time::Duration;

use kinesis_app::Setup;

use crate::app::Shape;

/// So many seeks of handlers in a run.
const HANDLERS_SEEK: u32 = 2;

/// Chosen once, by a generator of its own: the weather of a seed does not depend on it.
#[derive(Debug)]
pub(crate) struct Nature {
    pub(crate) latency: Duration,
    /// What every machine finds in its environment.
    pub(crate) setup: Setup,
    /// The size of the largest records; one in four is larger than its number.
    pub(crate) padding: usize,
    /// Whether handlers hold records.
    pub(crate) holds: bool,
    /// Whether the stream may be deleted and created again.
    pub(crate) recreates: bool,
    /// Whether whoever starts alone reads the stream from its start; then all machines may be lost at once.
    pub(crate) ignores: bool,
    /// How many times handlers reposition the stream. If they do, others do so as well now and then.
    pub(crate) seeks: u32,
    pub(crate) shape: Shape,
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
            padding = 40_000;
        }
        let recreates = rng.u32(0..4) == 0;
        if recreates {
            setup = setup.with_env("RECREATED", "restart");
        }
        let ignores = rng.u32(0..5) == 0;
        if ignores {
            setup = setup.with_env("CHECKPOINTS", "ignore");
        }
        Self {
            latency: Duration::from_millis(rng.u64(2..40)),
            setup,
            padding,
            holds: rng.u32(0..3) == 0,
            recreates,
            ignores,
            seeks: if rng.u32(0..3) == 0 { HANDLERS_SEEK } else { 0 },
            shape: match rng.u32(0..3) {
                0 => Shape::Plain,
                1 => Shape::Records,
                _ => Shape::Batches,
            },
        }
    }
}
