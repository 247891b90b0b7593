use std::{future::Future, pin::Pin, sync::Arc};

use futures_util::{StreamExt, stream::FuturesUnordered};
use kinesis_app_rules::defaults;
use tokio::{
    select,
    sync::mpsc,
    time::{Instant, sleep_until},
};

use super::Waiting;
use crate::{
    dispatch::retry::Backoff,
    publish::{
        error::PublishError,
        publisher::Published,
        queue::{Queue, Queued},
    },
    service_error::{Class, ServiceError},
    source::kinesis::{Entry, Kinesis, Stored},
    stop::Stop,
};

type Record = Queued<Waiting>;

/// A request and its answer: an entry for each record.
type Answered = (Vec<Record>, Result<Vec<Stored>, ServiceError>);

/// The task that sends.
pub(super) struct Writer {
    stream: &'static str,
    kinesis: Kinesis,
    backoff: Backoff,
    records: mpsc::UnboundedReceiver<Record>,
    queue: Queue<Waiting>,
    requests: FuturesUnordered<Pin<Box<dyn Future<Output = Answered> + Send>>>,
    phase: Phase,
}

#[derive(Clone, Copy)]
enum Phase {
    Taking,
    /// What was taken is still sent, until then.
    Closing(Instant),
}

impl Writer {
    pub(super) fn new(
        stream: &'static str,
        kinesis: Kinesis,
        backoff: Backoff,
        records: mpsc::UnboundedReceiver<Record>,
    ) -> Self {
        Self {
            stream,
            kinesis,
            backoff,
            records,
            queue: Queue::new(defaults::PUBLISH_LINGER),
            requests: FuturesUnordered::new(),
            phase: Phase::Taking,
        }
    }

    /// Until it is told to close and everything is answered, or its time is over: what is left then hears that nobody runs any more.
    pub(super) async fn run(mut self, mut stop: Stop) {
        loop {
            self.send();
            let closing = match self.phase {
                Phase::Taking => None,
                Phase::Closing(_) if self.is_done() => return,
                Phase::Closing(until) => Some(until),
            };
            let has_room = self.requests.len() < defaults::PUBLISH_REQUESTS;
            let next = self.queue.next().filter(|_| has_room);
            let next = next.into_iter().chain(closing).min();
            select! {
                biased;
                grace = stop.asked(), if closing.is_none() => {
                    self.phase = Phase::Closing(Instant::now() + grace);
                    self.records.close();
                }
                Some((records, answer)) = self.requests.next(), if !self.requests.is_empty() => {
                    self.answered(records, answer);
                }
                Some(record) = self.records.recv() => self.queue.push(record, Instant::now()),
                () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => {
                    if closing.is_some_and(|until| until <= Instant::now()) {
                        let left = self.queue.drain().count() + self.records.len();
                        let unanswered = self.requests.len();
                        tracing::error!(stream = self.stream, left, unanswered, "stopped before everything was published");
                        return;
                    }
                }
            }
        }
    }

    /// What was taken in before the stop was heard may not be in the queue yet.
    fn is_done(&self) -> bool {
        self.records.is_empty() && self.queue.is_empty() && self.requests.is_empty()
    }

    fn send(&mut self) {
        let hurry = matches!(self.phase, Phase::Closing(_));
        while self.requests.len() < defaults::PUBLISH_REQUESTS
            && let Some(records) = self.queue.request(Instant::now(), hurry)
        {
            let kinesis = self.kinesis.clone();
            let entries = records.iter().map(|record| Entry {
                key: Arc::clone(&record.key),
                data: record.data.clone(),
            });
            let entries = entries.collect();
            self.requests.push(Box::pin(
                async move { (records, kinesis.put(entries).await) },
            ));
        }
    }

    fn answered(&mut self, records: Vec<Record>, answer: Result<Vec<Stored>, ServiceError>) {
        let stream = self.stream;
        match answer {
            Ok(stored) => {
                for (record, stored) in records.into_iter().zip(stored) {
                    match stored {
                        Stored::At(at) => self.settle(record, Ok(at)),
                        Stored::Not { code, message } => self.failed(
                            record,
                            PublishError::Refused {
                                stream,
                                code,
                                message,
                            },
                        ),
                    }
                }
            }
            // Which of them it is about it does not say.
            Err(source) if source.class() == Class::Invalid && records.len() > 1 => {
                tracing::warn!(stream, %source, records = records.len(), "records are sent one by one");
                for mut record in records {
                    record.alone = true;
                    self.queue.again(record, Instant::now());
                }
            }
            Err(source) => {
                for record in records {
                    let source = source.clone();
                    self.failed(record, PublishError::Service { stream, source });
                }
            }
        }
    }

    fn failed(&mut self, mut record: Record, error: PublishError) {
        record.failures += 1;
        let now = Instant::now();
        let at = now + self.backoff.wait(record.failures);
        if !error.is_retryable() {
            return self.settle(record, Err(error));
        }
        if at > record.sent.unwrap_or(now) + defaults::PUBLISH_PATIENCE {
            // What waited behind it for as long would wait for a minute each, one after the other.
            if let Some(before) = now.checked_sub(defaults::PUBLISH_PATIENCE) {
                for stale in self.queue.cut_behind(&record.key, before) {
                    tell(stale, Err(error.clone()));
                }
            }
            return self.settle(record, Err(error));
        }
        if record.failures == defaults::MANY_FAILURES {
            tracing::warn!(stream = self.stream, key = %record.key, failures = record.failures, %error, "record is not published yet");
        }
        self.queue.again(record, at);
    }

    fn settle(&mut self, record: Record, result: Result<Published, PublishError>) {
        self.queue.settled(&record.key, Instant::now());
        tell(record, result);
    }
}

/// Nobody may wait any more.
fn tell(record: Record, result: Result<Published, PublishError>) {
    let _ = record.waiting.answer.send(result);
}
