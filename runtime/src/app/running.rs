use std::{fmt, sync::Arc, time::Duration};

use futures_util::future::{join_all, select_all};
use tokio::{sync::oneshot, time::timeout};

use super::{error::Error, hooks::HookError, setup::Setup, shared::Instance, wire::Live};
use crate::{coordinator::StreamFailure, tasks::Task, telemetry::health::Health};

/// An application that runs.
///
/// Dropping it is a crash: its handlers are dropped where they are, its leases die after their duration. Use
/// [`shutdown`](Self::shutdown).
pub struct Running {
    app: String,
    shutdown_timeout: Duration,
    streams: Vec<Stopper>,
    failure: Option<Error>,
    live: Box<dyn Live>,
    setup: Setup,
    instance: Arc<Instance>,
}

/// One stream's coordinator and the way to stop it.
#[derive(Debug)]
pub(crate) struct Stopper {
    pub(crate) stop: oneshot::Sender<Duration>,
    pub(crate) task: Task<Result<(), StreamFailure>>,
    pub(crate) label: &'static str,
}

impl Running {
    pub(crate) fn new(
        app: String,
        shutdown_timeout: Duration,
        streams: Vec<Stopper>,
        live: Box<dyn Live>,
        setup: Setup,
        instance: Arc<Instance>,
    ) -> Self {
        Self {
            app,
            shutdown_timeout,
            streams,
            failure: None,
            live,
            setup,
            instance,
        }
    }

    /// What every shard is doing.
    pub fn health(&self) -> Health {
        self.instance.board.snapshot()
    }

    /// Waits until a stream cannot be read any more; [`shutdown`](Self::shutdown) then says why. Without a failure it waits for ever.
    pub async fn ended(&mut self) {
        if self.failure.is_some() {
            return;
        }
        if self.streams.is_empty() {
            return std::future::pending().await;
        }
        let (result, index, _) =
            select_all(self.streams.iter_mut().map(|stream| &mut stream.task)).await;
        let Stopper { label, .. } = self.streams.remove(index);
        self.failure = Some(self.failed(label, result.map_err(|panic| panic.to_string())));
    }

    fn failed(
        &self,
        stream: &'static str,
        result: Result<Result<(), StreamFailure>, String>,
    ) -> Error {
        let source = match result {
            Ok(Err(failure)) => failure.source,
            Ok(Ok(())) => "it stopped".into(),
            Err(panic) => panic.into(),
        };
        Error::Stream {
            app: self.app.clone(),
            stream,
            source,
        }
    }

    /// Stops in bounded time: nothing begins any more, running handlers may finish within `shutdown_timeout` and are then dropped, the
    /// last checkpoints are written, the leases are given back, and `#[on_shutdown]` runs.
    ///
    /// # Errors
    ///
    /// The first failure of a stream, or else of the hook. The stop is done all the same.
    pub async fn shutdown(mut self) -> Result<(), Error> {
        let grace = self.shutdown_timeout;
        let streams = std::mem::take(&mut self.streams);
        let stopped = join_all(streams.into_iter().map(
            |Stopper { stop, task, label }| async move {
                // A coordinator that has just failed needs no telling.
                let _ = stop.send(grace);
                (label, task.await.map_err(|panic| panic.to_string()))
            },
        ))
        .await;
        for (label, result) in stopped {
            if !matches!(result, Ok(Ok(()))) && self.failure.is_none() {
                self.failure = Some(self.failed(label, result));
            }
        }
        let hook = timeout(grace, self.live.shutdown(&self.setup)).await;
        let hook = hook.unwrap_or_else(|_| Err(format!("it did not end within {grace:?}").into()));
        let app = self.app;
        match (self.failure, hook) {
            (Some(failure), _) => Err(failure),
            (None, Err(source)) => Err(Error::Hook {
                app,
                hook: "on_shutdown",
                source,
            }),
            (None, Ok(())) => {
                tracing::info!(app, "stopped");
                Ok(())
            }
        }
    }

    pub(crate) async fn on_ready(&self) -> Result<(), HookError> {
        self.live.ready(&self.setup).await
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("app", &self.app)
            .field("streams", &self.streams)
            .finish_non_exhaustive()
    }
}
