//! One stream: what it looks like, who reads which shard of it, and when.

use std::{collections::BTreeMap, pin::pin, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream, stream::FuturesUnordered};
use kinesis_app_rules::defaults;
use tokio::{
    select,
    sync::oneshot,
    time::{Instant, sleep_until},
};

use crate::{
    dispatch::outcome::{Chain, HandlerError},
    leases::{
        liveness::{Liveness, Observations},
        row::{Checkpoint, LeaseRow, LeaseWrite, lease_key, stream_key},
        store::StoreError,
        tenure::{self, Taken},
    },
    reader::{self, Ended, StreamContext},
    shards::lineage::{self, Absences},
    source::error::Class,
    tasks::{self, Task},
};

/// How many leases are taken at a time: a start with a thousand shards takes seconds, and the store is not flooded.
const TAKES_AT_A_TIME: usize = 16;

/// Discovers, takes and reads the shards of one stream until it is told to stop or can read no more.
#[derive(Debug)]
pub(crate) struct Coordinator {
    stream: Arc<StreamContext>,
    seen: Observations,
    absences: Absences,
    readers: BTreeMap<String, oneshot::Sender<Duration>>,
    running: FuturesUnordered<Reading>,
}

type Reading = std::pin::Pin<Box<dyn Future<Output = (String, Option<Ended>)> + Send>>;

/// Why a stream is not read any more.
#[derive(Debug, thiserror::Error)]
#[error("stream `{stream}`: {source}")]
pub(crate) struct StreamFailure {
    pub(crate) stream: &'static str,
    pub(crate) source: HandlerError,
}

/// What a round leaves to the next one.
enum Next {
    /// Everything is as it should be.
    Later,
    /// A row changed under its hands.
    Soon,
    /// Others hold leases, which may die.
    Watch,
}

impl Coordinator {
    pub(crate) fn new(stream: Arc<StreamContext>) -> Self {
        Self {
            stream,
            seen: Observations::default(),
            absences: Absences::default(),
            readers: BTreeMap::new(),
            running: FuturesUnordered::new(),
        }
    }

    /// `ready` is told when every shard that the first round took has its iterator.
    pub(crate) async fn run(
        mut self,
        mut stop: oneshot::Receiver<Duration>,
        ready: oneshot::Sender<()>,
    ) -> Result<(), StreamFailure> {
        let mut ready = Some(ready);
        let mut due = Instant::now();
        let mut failures = 0;
        let grace = loop {
            select! {
                biased;
                grace = &mut stop => break grace.unwrap_or_default(),
                Some((shard_id, ended)) = self.running.next(), if !self.running.is_empty() => {
                    self.readers.remove(&shard_id);
                    match self.left(&shard_id, ended).await {
                        Ok(wait) => due = due.min(Instant::now() + wait),
                        Err(failure) => {
                            self.stop_all(defaults::HANDOVER).await;
                            return Err(failure);
                        }
                    }
                }
                () = sleep_until(due) => {
                    let round = select! {
                        biased;
                        grace = &mut stop => break grace.unwrap_or_default(),
                        round = self.round() => round,
                    };
                    match round {
                        Ok((next, opened)) => {
                            failures = 0;
                            due = Instant::now() + self.pause(&next);
                            if let Some(ready) = ready.take() {
                                tell_when_open(opened, ready);
                            }
                        }
                        Err(RoundError::Later(error)) => {
                            failures += 1;
                            let wait = self.stream.instance.backoff.wait(failures, self.stream.instance.chance.part());
                            tracing::warn!(stream = self.stream.label, failures, ?wait, %error, "round failed");
                            due = Instant::now() + wait;
                        }
                        Err(RoundError::Never(source)) => {
                            self.stop_all(defaults::HANDOVER).await;
                            return Err(StreamFailure { stream: self.stream.label, source });
                        }
                    }
                }
            }
        };
        self.stop_all(grace).await;
        Ok(())
    }

    fn pause(&self, next: &Next) -> Duration {
        match next {
            Next::Later => defaults::LIST_SHARDS,
            Next::Soon => Duration::ZERO,
            Next::Watch => self
                .stream
                .instance
                .timing
                .lease_duration
                .min(defaults::TABLE_SCAN),
        }
    }

    /// Table first, then the listing: a shard whose row is missing was not finished and forgotten in between.
    async fn round(&mut self) -> Result<(Next, Vec<oneshot::Receiver<()>>), RoundError> {
        let stream = Arc::clone(&self.stream);
        let instance = &stream.instance;
        let rows = instance
            .store
            .leases(&stream_key(&instance.app, &stream.name))
            .await?;
        let listing = stream.kinesis.list_shards().await?;
        self.absences.count(&rows, &listing);
        let plan = lineage::plan(&rows, &listing, &self.absences);
        tracing::debug!(
            stream = stream.label,
            listed = listing.len(),
            rows = rows.len(),
            ?plan,
            "round"
        );

        for shard in &plan.create {
            reader::create_row(&stream, shard).await?;
        }
        for shard_id in &plan.vanished {
            tracing::error!(stream = stream.label, shard = %shard_id, "shard is gone before it was read to its end");
            self.finish_vanished(&rows, shard_id).await?;
        }
        for shard_id in &plan.forget {
            self.forget(&rows, shard_id).await?;
        }

        let wanted: Vec<String> = plan
            .startable
            .into_iter()
            .filter(|shard_id| !self.readers.contains_key(shard_id))
            .collect();
        let looks = wanted
            .into_iter()
            .map(|shard_id| look(Arc::clone(&stream), shard_id))
            .collect();
        let looks = a_few_at_a_time(looks).await;
        let mut takable = Vec::new();
        let mut next = if plan.vanished.is_empty() {
            Next::Later
        } else {
            Next::Soon
        };
        for look in looks {
            let Some(Look {
                row,
                sent,
                answered,
            }) = look?
            else {
                continue;
            };
            // A row with this process's session and no reader is a take or a tenure that was cut off: nobody else reads it.
            let ours = row.session() == Some(&*instance.session);
            match self
                .seen
                .observe(&row, sent, answered, instance.timing.lease_duration)
            {
                Liveness::Free | Liveness::Dead => takable.push(row),
                Liveness::Live if ours => takable.push(row),
                Liveness::Live => next = Next::Watch,
            }
        }
        let takes = takable
            .into_iter()
            .filter(|row| !row.is_finished())
            .map(|row| take(Arc::clone(&stream), row))
            .collect();
        let answers = a_few_at_a_time(takes).await;
        let mut opened = Vec::new();
        for answer in answers {
            match answer {
                Ok(Some(lease)) => opened.push(self.read(lease)),
                Ok(None) => next = Next::Watch,
                Err(error) => {
                    tracing::warn!(stream = stream.label, error = %Chain(&error), "lease not taken");
                    next = Next::Watch;
                }
            }
        }
        Ok((next, opened))
    }

    fn read(&mut self, taken: Taken) -> oneshot::Receiver<()> {
        let shard_id = taken.row.shard_id.clone();
        let (stop, stopped) = oneshot::channel();
        let (opened_in, opened) = oneshot::channel();
        let task = tasks::spawn(reader::run(
            Arc::clone(&self.stream),
            taken,
            stopped,
            opened_in,
        ));
        self.readers.insert(shard_id.clone(), stop);
        self.running
            .push(Box::pin(async move { (shard_id, joined(task).await) }));
        opened
    }

    /// A reader has ended. The answer is how soon to look again.
    async fn left(
        &mut self,
        shard_id: &str,
        ended: Option<Ended>,
    ) -> Result<Duration, StreamFailure> {
        match ended {
            Some(Ended::Finished) => Ok(Duration::ZERO),
            Some(Ended::Released | Ended::Lost(_)) => Ok(self.stream.instance.timing.heartbeat),
            Some(Ended::Vanished(error)) => match self.stream.kinesis.describe().await {
                Err(gone) if gone.class() == Class::NotFound => Err(self.failure(gone)),
                // The stream is there: its shard was trimmed, and two listings will say so.
                _ => {
                    tracing::warn!(stream = self.stream.label, shard = shard_id, %error, "shard is not there any more");
                    Ok(Duration::ZERO)
                }
            },
            Some(Ended::Fatal(error)) => Err(self.failure(error)),
            // It panicked: a bug of ours. The lease dies or is ours to take again, and its records are read again.
            None => {
                tracing::error!(
                    stream = self.stream.label,
                    shard = shard_id,
                    "reader panicked; its shard is read again"
                );
                Ok(self.stream.instance.timing.heartbeat)
            }
        }
    }

    fn failure(&self, source: impl Into<HandlerError>) -> StreamFailure {
        StreamFailure {
            stream: self.stream.label,
            source: source.into(),
        }
    }

    /// Records that are gone cannot be read: the row of their shard is finished, so that its children are not blocked.
    async fn finish_vanished(
        &mut self,
        rows: &[LeaseRow],
        shard_id: &str,
    ) -> Result<(), RoundError> {
        let instance = &self.stream.instance;
        let Some(row) = rows.iter().find(|row| row.shard_id == shard_id) else {
            return Ok(());
        };
        if row.holder.is_some() && row.session() != Some(&*instance.session) {
            return Ok(());
        }
        if self.readers.contains_key(shard_id) {
            return Ok(());
        }
        if let Some(taken) =
            tenure::take(&instance.store, row, instance.holder(), instance.timing).await?
        {
            let writing = tasks::spawn(taken.writer.run());
            taken.handle.end().await;
            drop(writing);
        }
        Ok(())
    }

    async fn forget(&mut self, rows: &[LeaseRow], shard_id: &str) -> Result<(), RoundError> {
        let Some(row) = rows.iter().find(|row| row.shard_id == shard_id) else {
            return Ok(());
        };
        debug_assert_eq!(row.checkpoint, Some(Checkpoint::ShardEnd));
        match self
            .stream
            .instance
            .store
            .write(&LeaseWrite::Delete {
                key: row.key.clone(),
                seen_counter: row.counter,
            })
            .await
        {
            Ok(_) | Err(StoreError::Refused) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    async fn stop_all(&mut self, grace: Duration) {
        for (_, stop) in std::mem::take(&mut self.readers) {
            // A reader that has just ended needs no telling.
            let _ = stop.send(grace);
        }
        // Handlers are bounded by the grace; what comes after them are last writes, bounded by their leases.
        let mut bound = pin!(sleep_until(
            Instant::now() + grace + self.stream.instance.timing.lease_duration
        ));
        loop {
            select! {
                biased;
                ended = self.running.next() => if ended.is_none() { return },
                () = &mut bound => {
                    tracing::error!(stream = self.stream.label, left = self.running.len(), "readers did not stop in time and were dropped");
                    return;
                }
            }
        }
    }
}

struct Look {
    row: LeaseRow,
    sent: Instant,
    answered: Instant,
}

/// The read before a take is of one row, and consistent.
async fn look(stream: Arc<StreamContext>, shard_id: String) -> Result<Option<Look>, StoreError> {
    let key = lease_key(&stream.instance.app, &stream.name, &shard_id);
    let sent = Instant::now();
    let row = stream.instance.store.lease(&key).await?;
    Ok(row.map(|row| Look {
        row,
        sent,
        answered: Instant::now(),
    }))
}

async fn take(stream: Arc<StreamContext>, row: LeaseRow) -> Result<Option<Taken>, StoreError> {
    let instance = &stream.instance;
    tenure::take(&instance.store, &row, instance.holder(), instance.timing).await
}

/// Answers in the order of the questions.
async fn a_few_at_a_time<F: Future>(questions: Vec<F>) -> Vec<F::Output> {
    stream::iter(questions)
        .buffered(TAKES_AT_A_TIME)
        .collect()
        .await
}

fn tell_when_open(opened: Vec<oneshot::Receiver<()>>, ready: oneshot::Sender<()>) {
    // The task is detached on purpose: it ends with its readers.
    tasks::detach(async move {
        for opened in opened {
            // A reader that ended before it had an iterator keeps nobody waiting.
            let _ = opened.await;
        }
        let _ = ready.send(());
    });
}

async fn joined(task: Task<Ended>) -> Option<Ended> {
    task.await.ok()
}

enum RoundError {
    Later(HandlerError),
    Never(HandlerError),
}

impl From<StoreError> for RoundError {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::Fatal(_)) {
            Self::Never(error.into())
        } else {
            Self::Later(error.into())
        }
    }
}

impl From<crate::source::error::ServiceError> for RoundError {
    fn from(error: crate::source::error::ServiceError) -> Self {
        if error.is_retryable() || error.class() == Class::Expired {
            Self::Later(error.into())
        } else {
            Self::Never(error.into())
        }
    }
}
