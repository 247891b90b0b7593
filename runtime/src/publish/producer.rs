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
use super::{error::PublishError, publisher::Published, queue::Queued};
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

impl Producer {
    pub(crate) fn start(instance: &Instance, stream: &'static str, kinesis: Kinesis) -> Self {
        Self::with(instance.backoff.clone(), &instance.session, stream, kinesis)
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
            kinesis,
            limit: RecordLimit::default(),
            room: Arc::new(Semaphore::new(defaults::PUBLISH_BYTES)),
            records,
            stopping,
            writing: Mutex::new(Some(tasks::spawn(writer.run(stop)))),
        }
    }

    pub(crate) async fn publish(
        &self,
        key: Option<String>,
        headers: &Headers,
        payload: Bytes,
    ) -> Result<Published, PublishError> {
        for (name, _) in headers.iter() {
            header_name(name).map_err(|fault| PublishError::header(&fault.with(name)))?;
        }
        let key = self.choose_key(key, headers);
        partition_key(&key).map_err(PublishError::Key)?;
        let data = envelope::seal(headers, payload);
        let size = key.len() + data.len();
        let limit = self.limit.for_size(&self.kinesis, size).await;
        if size > limit {
            return Err(PublishError::TooLarge {
                stream: self.stream,
                size,
                limit,
            });
        }
        let room = u32::try_from(size + defaults::PUBLISH_BYTES_BESIDE).unwrap_or(u32::MAX);
        let not_running = PublishError::NotRunning {
            stream: self.stream,
        };
        let Ok(room) = Arc::clone(&self.room).acquire_many_owned(room).await else {
            return Err(not_running);
        };
        let (answer, answered) = oneshot::channel();
        let queued = Queued {
            key: key.into(),
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

    fn choose_key(&self, key: Option<String>, headers: &Headers) -> String {
        key.or_else(|| headers.get(PARTITION_KEY_HEADER).map(Into::into))
            .unwrap_or_else(|| {
                let number = self.unique.fetch_add(1, Ordering::Relaxed);
                format!("{}-{number}", self.prefix)
            })
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
