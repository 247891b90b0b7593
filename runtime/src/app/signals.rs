//! SIGINT and SIGTERM, each of which asks for a graceful stop.

use std::io;

pub(crate) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> &'static str {
        tokio::select! {
            biased;
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) -> &'static str {
        // Without a way to hear Ctrl-C the application runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        "Ctrl-C"
    }
}
