use std::{fmt, sync::Arc, time::Duration};

use futures_util::future::{join_all, select_all, try_join_all};
use kinesis_app_rules::defaults;
use tokio::{
    sync::oneshot,
    time::{Instant, timeout, timeout_at},
};

use super::{
    error::Error,
    hooks::HookError,
    problem::{StreamError, StreamErrors, StreamProblem},
    setup::Setup,
    shared::Instance,
    wire::{Around, Live},
};
use crate::{
    coordinator::StreamFailure,
    dispatch::handler::Stream,
    nudge::Nudge,
    publish::{Producer, Publisher},
    seek::seeker::Seeker,
    stop::{Stop, Stopping, stop},
    tasks::Task,
    telemetry::health::Health,
};

/// An application that runs.
///
/// Dropping it is a crash: its handlers are dropped where they are, its leases die after their duration. Use
/// [`shutdown`](Self::shutdown).
pub struct Running {
    endpoint: String,
    shutdown_timeout: Duration,
    streams: Vec<Consumed>,
    stopping: Stopping,
    failure: Option<Error>,
    live: Box<dyn Live>,
    setup: Setup,
    instance: Arc<Instance>,
    producers: Vec<Arc<Producer>>,
    _nudge: Option<Nudge>,
}

/// One stream's coordinator.
#[derive(Debug)]
pub(crate) struct Consumed {
    pub(crate) task: Task<Result<(), StreamFailure>>,
    pub(crate) ready: Option<oneshot::Receiver<()>>,
    pub(crate) label: &'static str,
    pub(crate) name: String,
}

impl Running {
    pub(crate) fn new(
        endpoint: String,
        shutdown_timeout: Duration,
        live: Box<dyn Live>,
        setup: Setup,
        instance: Arc<Instance>,
        producers: Vec<Arc<Producer>>,
        consume: impl FnOnce(&Stop) -> Vec<Consumed>,
    ) -> Self {
        let (stopping, stop) = stop();
        let streams = consume(&stop);
        Self {
            endpoint,
            shutdown_timeout,
            streams,
            stopping,
            failure: None,
            live,
            setup,
            _nudge: Nudge::begin(instance.timing.nudge()),
            instance,
            producers,
        }
    }

    pub(crate) fn app(&self) -> &str {
        &self.instance.app
    }

    /// What every stream and every shard is doing.
    pub fn health(&self) -> Health {
        self.instance.board.snapshot(self.instance.budget.load())
    }

    /// Repositions the stream `S`; once the application has stopped, its seeks answer [`SeekError::NotRunning`](crate::SeekError::NotRunning).
    ///
    /// ```
    /// # use kinesis_app::{Position, Running, SeekError, Stream};
    /// # async fn example<Orders: Stream>(running: &Running) -> Result<(), SeekError> {
    /// running.seeker::<Orders>().seek(Position::horizon()).await
    /// # }
    /// ```
    pub fn seeker<S: Stream>(&self) -> Seeker<S> {
        Seeker::new(&self.instance.directory)
    }

    /// Publishes to the stream `S`; once the application has stopped, its calls answer
    /// [`PublishError::NotRunning`](crate::PublishError::NotRunning).
    ///
    /// ```
    /// # use kinesis_app::{Outgoing, PublishError, Running, Stream, codec::Raw};
    /// # async fn example<Orders: Stream<Codec = Raw>>(running: &Running) -> Result<(), PublishError> {
    /// let orders = running.publisher::<Orders>();
    /// orders.publish("{\"id\":1}".keyed("ada")).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn publisher<S: Stream>(&self) -> Publisher<S> {
        Publisher::new(&self.instance.directory)
    }

    /// Waits until every shard of the first round has its iterator, and runs `#[on_ready]`.
    pub(crate) async fn become_ready(&mut self) -> Result<(), Error> {
        let ready = self
            .streams
            .iter_mut()
            .filter_map(|stream| stream.ready.take());
        let ready = try_join_all(ready.collect::<Vec<_>>());
        match timeout(defaults::READY_WITHIN, ready).await {
            Ok(Ok(_)) => {}
            // A stream that cannot be read ends its coordinator before it is ready. Those that are slow to open are not waited for.
            Ok(Err(_)) => return Err(self.failed_streams().await.into()),
            Err(_) => return Err(self.unopened_streams().into()),
        }
        self.on_ready().await.map_err(|source| Error::Hook {
            app: self.instance.app.clone(),
            hook: "on_ready",
            source,
        })?;
        self.instance.ready.send_replace(true);
        tracing::info!(app = self.instance.app, "running");
        Ok(())
    }

    fn around(&self) -> Around<'_> {
        Around {
            setup: &self.setup,
            directory: &self.instance.directory,
        }
    }

    async fn on_ready(&self) -> Result<(), HookError> {
        self.live.ready(self.around()).await
    }

    async fn failed_streams(&mut self) -> StreamErrors {
        let mut errors = Vec::new();
        let until = Instant::now() + defaults::LAST_WORDS;
        for stream in std::mem::take(&mut self.streams) {
            let Consumed {
                mut task,
                ready,
                label,
                name,
            } = stream;
            match timeout_at(until, &mut task).await {
                Err(_) => self.streams.push(Consumed {
                    task,
                    ready,
                    label,
                    name,
                }),
                Ok(result) => {
                    let source = cause(result.map_err(|panic| panic.to_string()));
                    errors.push(StreamError::at(
                        label,
                        name,
                        self.endpoint.clone(),
                        StreamProblem::Unreadable(source),
                    ));
                }
            }
        }
        StreamErrors {
            app: self.instance.app.clone(),
            errors,
        }
    }

    fn unopened_streams(&self) -> StreamErrors {
        let health = self.health();
        let unopened = self.streams.iter().map(|stream| {
            let shards = health
                .shards
                .iter()
                .filter(|(shard, _)| shard.stream == stream.label);
            let shards: Vec<_> = shards
                .filter_map(|(shard, health)| {
                    Some((shard.shard_id.clone(), health.failing.clone()?.error))
                })
                .collect();
            let problem = if shards.is_empty() {
                StreamProblem::NotReady
            } else {
                StreamProblem::NotOpened { shards }
            };
            StreamError::at(
                stream.label,
                stream.name.clone(),
                self.endpoint.clone(),
                problem,
            )
        });
        StreamErrors {
            app: self.instance.app.clone(),
            errors: unopened.collect(),
        }
    }

    /// Waits until a stream cannot be read any more; [`shutdown`](Self::shutdown) then says why. Without a failure it waits for ever, and
    /// so it does for a stream with `on_fatal(mark)`.
    pub async fn ended(&mut self) {
        if self.failure.is_some() {
            return;
        }
        if self.streams.is_empty() {
            return std::future::pending().await;
        }
        let (result, index, _) =
            select_all(self.streams.iter_mut().map(|stream| &mut stream.task)).await;
        let Consumed { label, .. } = self.streams.remove(index);
        self.failure = Some(self.failed(label, result.map_err(|panic| panic.to_string())));
    }

    /// Why a stream is not read any more, if one is not.
    #[cfg(feature = "testing")]
    pub(crate) fn failure(&mut self) -> Option<&Error> {
        futures_util::FutureExt::now_or_never(self.ended());
        self.failure.as_ref()
    }

    /// Who it is in the rows of the leases.
    #[cfg(feature = "testing")]
    pub(crate) fn session(&self) -> &str {
        &self.instance.session
    }

    fn failed(
        &self,
        stream: &'static str,
        result: Result<Result<(), StreamFailure>, String>,
    ) -> Error {
        Error::Stream {
            app: self.instance.app.clone(),
            stream,
            source: cause(result),
        }
    }

    /// Stops in bounded time. What lies behind the last record that was begun is thrown away. What has begun, or lies before it, may
    /// finish within `shutdown_timeout`, so that a successor is given nothing twice, and is then dropped. The last checkpoints are written,
    /// the leases are given back, `#[on_shutdown]` runs, and what was published is sent, for `shutdown_timeout` at most.
    ///
    /// All in all that is twice `shutdown_timeout`; if the lease store does not answer, a lease duration (10 s unless it is set) and a
    /// heartbeat (3 s of it) more.
    ///
    /// # Errors
    ///
    /// The first failure of a stream, or else of the hook. The stop is done all the same.
    pub async fn shutdown(mut self) -> Result<(), Error> {
        let grace = self.shutdown_timeout;
        self.stopping.ask(grace);
        let streams = std::mem::take(&mut self.streams);
        let stopped = streams
            .into_iter()
            .map(|Consumed { task, label, .. }| async move {
                (label, task.await.map_err(|panic| panic.to_string()))
            });
        for (label, result) in join_all(stopped).await {
            if !matches!(result, Ok(Ok(()))) && self.failure.is_none() {
                self.failure = Some(self.failed(label, result));
            }
        }
        let until = Instant::now() + grace;
        let hook = timeout_at(until, self.live.shutdown(self.around())).await;
        let hook = hook.unwrap_or_else(|_| Err(format!("it did not end within {grace:?}").into()));
        // Not earlier: the hook may publish as well.
        join_all(self.producers.iter().map(|producer| producer.close(until))).await;
        let app = self.instance.app.clone();
        match (self.failure, hook) {
            (Some(failure), hook) => {
                if let Err(error) = hook {
                    tracing::error!(app, %error, "the `#[on_shutdown]` hook failed");
                }
                Err(failure)
            }
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
}

/// Why a coordinator ended by itself.
fn cause(result: Result<Result<(), StreamFailure>, String>) -> HookError {
    match result {
        Ok(Err(failure)) => failure.source,
        Ok(Ok(())) => "it stopped".into(),
        Err(panic) => panic.into(),
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("app", &self.instance.app)
            .field("streams", &self.streams)
            .finish_non_exhaustive()
    }
}
