//! The one writer of one stream in a process: from a record to its place in a shard.

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use kinesis_app_rules::{defaults, header::header_name, partition_key::partition_key};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot},
    time::Instant,
};

use self::{limit::RecordLimit, writer::Writer};
use super::{error::PublishError, message::Parts, publisher::Published, queue::Queued};
use crate::{
    app::shared::Instance,
    dispatch::retry::Backoff,
    record::{Headers, PARTITION_KEY_HEADER, envelope},
    source::kinesis::Kinesis,
    stop::{Stopping, stop},
    tasks::{self, Task},
};

mod limit;
mod writer;

/// Takes records, and tells each caller what became of his.
pub(crate) struct Producer {
    stream: &'static str,
    /// What unique keys begin with, and how many there were.
    prefix: String,
    unique: AtomicU64,
    /// The key of records that have none.
    key: Option<String>,
    kinesis: Kinesis,
    limit: RecordLimit,
    room: Arc<Semaphore>,
    records: mpsc::UnboundedSender<Queued<Waiting>>,
    stopping: Stopping,
    writing: Mutex<Option<Task<()>>>,
}

/// Who waits for a record's answer, and the room that it takes meanwhile.
#[derive(Debug)]
struct Waiting {
    answer: oneshot::Sender<Result<Published, PublishError>>,
    _room: OwnedSemaphorePermit,
}

/// A message that may be sent: judged, and in its envelope.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) key: Arc<str>,
    data: Bytes,
}

impl Producer {
    /// `key` is that of records that have none; without it each gets one of its own.
    pub(crate) fn start(
        instance: &Instance,
        stream: &'static str,
        key: Option<String>,
        kinesis: Kinesis,
    ) -> Self {
        let backoff = instance.backoff.clone();
        Self {
            key,
            ..Self::with(backoff, &instance.session, stream, kinesis)
        }
    }

    /// `prefix` is the process's own.
    fn with(backoff: Backoff, prefix: &str, stream: &'static str, kinesis: Kinesis) -> Self {
        let (records, taken) = mpsc::unbounded_channel();
        let (stopping, stop) = stop();
        let writer = Writer::new(stream, kinesis.clone(), backoff, taken);
        Self {
            stream,
            prefix: prefix.into(),
            unique: AtomicU64::new(0),
            key: None,
            kinesis,
            limit: RecordLimit::default(),
            room: Arc::new(Semaphore::new(defaults::PUBLISH_BYTES)),
            records,
            stopping,
            writing: Mutex::new(Some(tasks::spawn(writer.run(stop)))),
        }
    }

    pub(crate) async fn publish(&self, message: &Parts<Bytes>) -> Result<Published, PublishError> {
        self.send(self.seal(message).await?).await
    }

    /// Judges a message and seals it. Nothing is sent.
    pub(crate) async fn seal(&self, message: &Parts<Bytes>) -> Result<Sealed, PublishError> {
        let Parts {
            payload,
            key,
            headers,
        } = message;
        for (name, _) in headers.iter() {
            header_name(name).map_err(|fault| PublishError::header(&fault.with(name)))?;
        }
        let key = self.choose_key(key.as_deref(), headers);
        partition_key(&key).map_err(PublishError::Key)?;
        let data = envelope::seal(headers, payload.clone());
        let size = key.len() + data.len();
        let limit = self.limit.for_size(&self.kinesis, size).await;
        if size > limit {
            return Err(PublishError::TooLarge {
                stream: self.stream,
                size,
                limit,
            });
        }
        Ok(Sealed {
            key: key.into(),
            data,
        })
    }

    /// Sends a message, and waits until it is stored or given up on.
    pub(crate) async fn send(&self, sealed: Sealed) -> Result<Published, PublishError> {
        let Sealed { key, data } = sealed;
        let size = key.len() + data.len();
        let room = u32::try_from(size + defaults::PUBLISH_BYTES_BESIDE).unwrap_or(u32::MAX);
        let not_running = PublishError::NotRunning {
            stream: self.stream,
        };
        let Ok(room) = Arc::clone(&self.room).acquire_many_owned(room).await else {
            return Err(not_running);
        };
        let (answer, answered) = oneshot::channel();
        let queued = Queued {
            key,
            data,
            since: Instant::now(),
            sent: None,
            failures: 0,
            alone: false,
            waiting: Waiting {
                answer,
                _room: room,
            },
        };
        if self.records.send(queued).is_err() {
            return Err(not_running);
        }
        answered.await.unwrap_or(Err(not_running))
    }

    fn choose_key(&self, key: Option<&str>, headers: &Headers) -> String {
        let header = || headers.get(PARTITION_KEY_HEADER);
        let key = key.or_else(header).or(self.key.as_deref());
        key.map_or_else(
            || {
                let number = self.unique.fetch_add(1, Ordering::Relaxed);
                format!("{}-{number}", self.prefix)
            },
            Into::into,
        )
    }

    /// Sends what was published, until then, and takes no more.
    pub(crate) async fn close(&self, until: Instant) {
        self.stopping
            .ask(until.saturating_duration_since(Instant::now()));
        let writing = self
            .writing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(writing) = writing {
            // It ends within its grace; a panic has told everybody already, by their dropped answers.
            let _ = writing.await;
        }
        self.room.close();
    }
}

impl fmt::Debug for Producer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.stream)
    }
}

#[cfg(test)]
mod tests;
