//! Whether the clock of a test is paused.

use tokio::time::Instant;

/// How an application's time passes in a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    /// As fast as everybody waits: hours in milliseconds.
    Virtual,
    /// As it does outside.
    Real,
}

impl Time {
    /// The clock of this thread's runtime must be what the test asks for: with the wrong one it would pass by luck, or take minutes.
    #[track_caller]
    pub(super) fn check(self) {
        match (self, is_paused()) {
            (Self::Virtual, true) | (Self::Real, false) => {}
            (Self::Virtual, false) => panic!(
                "the clock of this test is not paused, and `TestApp` runs in virtual time\n\
                 help: `#[tokio::test(start_paused = true)]`; for handlers with real I/O `TestApp::builder(app).real_time()`"
            ),
            (Self::Real, true) => panic!(
                "the clock of this test is paused, and `real_time()` needs one that runs: a paused clock jumps past every I/O\n\
                 help: `#[tokio::test]` without `start_paused`"
            ),
        }
    }
}

/// Tokio's clock stands still while the machine's moves on. Asked in this way, for tokio has no question of its own for it.
#[expect(
    clippy::disallowed_methods,
    reason = "the machine's clock is what tokio's is compared with"
)]
fn is_paused() -> bool {
    let before = Instant::now();
    let machine = std::time::Instant::now();
    while machine.elapsed().is_zero() {}
    before == Instant::now()
}
