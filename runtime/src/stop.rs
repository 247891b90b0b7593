//! Asking everything below to stop, once, with one grace for all.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use tokio::sync::Notify;

/// The side that asks. Dropping it asks with no grace at all.
#[derive(Debug)]
pub(crate) struct Stopping(Arc<Word>);

/// The side that is asked; clones hear the same.
#[derive(Debug, Clone)]
pub(crate) struct Stop(Arc<Word>);

/// Waiters hear it in the order in which they began to wait: a watch channel would wake them by chance.
#[derive(Debug, Default)]
struct Word {
    grace: OnceLock<Duration>,
    said: Notify,
}

pub(crate) fn stop() -> (Stopping, Stop) {
    let word = Arc::<Word>::default();
    (Stopping(Arc::clone(&word)), Stop(word))
}

impl Stopping {
    /// What has begun, and what lies before it, may go on for `grace`. Only the first word counts.
    pub(crate) fn ask(&self, grace: Duration) {
        let _ = self.0.grace.set(grace);
        self.0.said.notify_waiters();
    }

    pub(crate) fn listener(&self) -> Stop {
        Stop(Arc::clone(&self.0))
    }
}

impl Drop for Stopping {
    fn drop(&mut self) {
        self.ask(Duration::ZERO);
    }
}

impl Stop {
    /// Whether a stop was asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.grace.get().is_some()
    }

    /// Waits until a stop is asked for, and says with what grace.
    pub(crate) async fn asked(&mut self) -> Duration {
        loop {
            let said = self.0.said.notified();
            if let Some(grace) = self.0.grace.get() {
                return *grace;
            }
            said.await;
        }
    }
}
