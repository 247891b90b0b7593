//! Both services on a TCP port (feature `server`).
//!
//! The program `kinesis-app-emulator` is this module behind options. A request goes the same way as
//! one of an in-process client: what the tests of the emulator show holds for the port.
//!
//! ```no_run
//! use kinesis_app_emulator::Kinesis;
//! use kinesis_app_emulator::server::Server;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::new(Kinesis::builder().wall_clock()).stream("orders", 2);
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:4567").await?;
//! server.serve(listener, std::future::pending()).await?;
//! # Ok(())
//! # }
//! ```

mod admin;
mod http_service;
pub mod options;
mod running;

use crate::{DataError, Kinesis, KinesisBuilder, ServiceError};
use http_service::HttpService;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use running::Running;
use std::future::Future;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// How long calls that are under way may go on after the stop.
const GRACE: Duration = Duration::from_secs(10);

/// An emulator to be served, with the streams that it begins with.
#[derive(Clone, Debug)]
pub struct Server {
    settings: KinesisBuilder,
    streams: Vec<(String, u32)>,
    data: Option<PathBuf>,
}

/// Why a server does not start, or ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// A stream that it should begin with cannot be created.
    #[error("stream `{name}` cannot be created: {source}")]
    Stream {
        /// The stream's name.
        name: String,
        /// What the service says.
        source: ServiceError,
    },
    /// The directory that keeps the emulator cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The listener failed.
    #[error("the port cannot be listened on: {0}")]
    Listen(#[from] std::io::Error),
}

impl Server {
    /// A server of an emulator with these settings, which should
    /// [begin at the machine's time](KinesisBuilder::wall_clock): clients sign by theirs.
    pub fn new(settings: KinesisBuilder) -> Self {
        Self {
            settings,
            streams: Vec::new(),
            data: None,
        }
    }

    /// A stream to begin with, and again after each reset. One that was kept stays as it is.
    pub fn stream(mut self, name: impl Into<String>, shards: u32) -> Self {
        self.streams.push((name.into(), shards));
        self
    }

    /// A directory that keeps streams and tables beyond the end (default: nothing is kept).
    ///
    /// The server begins with what is there, and writes what was changed every 2 s, or five times
    /// as long as that takes if it is more, and at the stop: a server that is killed loses the
    /// newest of it. See [`DataDirectory`](crate::DataDirectory) for what is kept.
    pub fn data(mut self, directory: impl Into<PathBuf>) -> Self {
        self.data = Some(directory.into());
        self
    }

    /// Serves HTTP/1.1, and HTTP/2 to clients that begin with it, until `stop` is done and the
    /// calls under way have ended, 10 s later at most. Subscriptions end with the stop.
    ///
    /// # Errors
    ///
    /// When a stream to begin with cannot be created, or the listener fails; when the
    /// [directory](Self::data) is in use, cannot be begun from, or can be written to no longer.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
    ) -> Result<(), ServeError> {
        let running = Arc::new(Running::start(self)?);
        let service = HttpService {
            running: Arc::clone(&running),
        };
        let mut keeping = pin!(Arc::clone(&running).keep());
        let graceful = GracefulShutdown::new();
        let mut stop = pin!(stop);
        loop {
            let (socket, _) = tokio::select! {
                () = &mut stop => break,
                Err(error) = &mut keeping => return Err(error.into()),
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) if is_the_peers(&error) => continue,
                    Err(error) => return Err(error.into()),
                },
            };
            // An answer is two writes, head and body: the second must not wait for the first's
            // acknowledgement.
            if socket.set_nodelay(true).is_err() {
                continue;
            }
            let server = Builder::new(TokioExecutor::new());
            let connection = server.serve_connection(TokioIo::new(socket), service.clone());
            detach(graceful.watch(connection.into_owned()));
        }
        drop(listener);
        // They would hold up the stop for minutes.
        running.kinesis().core.hang_up();
        // Connections that are still busy then end with the runtime.
        drop(tokio::time::timeout(GRACE, graceful.shutdown()).await);
        Ok(running.save()?)
    }

    /// Creates the streams to begin with, where they are not there yet.
    fn begin(&self, kinesis: &Kinesis) -> Result<(), ServeError> {
        for (name, shards) in &self.streams {
            if kinesis.shards(name).is_ok() {
                continue;
            }
            let created = kinesis.create_stream(name, *shards);
            created.map_err(|source| ServeError::Stream {
                name: name.clone(),
                source,
            })?;
        }
        Ok(())
    }
}

/// A broken connection is the client's to notice: each call is logged by itself.
#[expect(
    clippy::disallowed_methods,
    reason = "a connection ends with its client or at the stop, and nobody waits for its result"
)]
fn detach(connection: impl Future<Output: Send> + Send + 'static) {
    tokio::spawn(connection);
}

/// A connection that ended before it was accepted says nothing about the listener.
fn is_the_peers(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionReset | Interrupted
    )
}
