//! Asking everything below to stop, once, with one grace for all.

use std::time::Duration;

use tokio::sync::watch;

/// The side that asks. Dropping it asks with no grace at all.
#[derive(Debug)]
pub(crate) struct Stopping(watch::Sender<Option<Duration>>);

/// The side that is asked; clones hear the same.
#[derive(Debug, Clone)]
pub(crate) struct Stop(watch::Receiver<Option<Duration>>);

pub(crate) fn stop() -> (Stopping, Stop) {
    let (ask, asked) = watch::channel(None);
    (Stopping(ask), Stop(asked))
}

impl Stopping {
    /// What has begun, and what lies before it, may go on for `grace`.
    pub(crate) fn ask(&self, grace: Duration) {
        self.0.send_replace(Some(grace));
    }

    pub(crate) fn listener(&self) -> Stop {
        Stop(self.0.subscribe())
    }
}

impl Stop {
    /// Waits until a stop is asked for, and says with what grace.
    pub(crate) async fn asked(&mut self) -> Duration {
        let asked = self.0.wait_for(Option::is_some).await;
        asked.ok().and_then(|grace| *grace).unwrap_or_default()
    }
}
