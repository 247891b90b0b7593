//! A record that is given up on, as it is stored in another stream.

use std::time::SystemTime;

use bytes::Bytes;
use kinesis_app_rules::{defaults, header::header_name, timestamp::rfc3339};

use super::{desk::Job, policy::Cause};
use crate::{
    app::directory::{Directory, Entry},
    cause::Chain,
    publish::{Parts, Producer, PublishError},
    record::{Headers, RecordRef},
    service_error::Class,
    spec::StreamRef,
};

/// Why the record was given up on: the error with its causes, what a panic said, or the handler's reason.
pub const CAUSE_HEADER: &str = "dead-letter-cause";

/// The handler that gave it up: its key `label`, or the function's name.
pub const HANDLER_HEADER: &str = "dead-letter-handler";

/// The name of the stream that it was read from.
pub const STREAM_HEADER: &str = "dead-letter-stream";

/// The shard that it was read from.
pub const SHARD_ID_HEADER: &str = "dead-letter-shard-id";

/// Its sequence number there.
pub const SEQUENCE_NUMBER_HEADER: &str = "dead-letter-sequence-number";

/// When it arrived there, as RFC 3339.
pub const ARRIVAL_HEADER: &str = "dead-letter-arrival";

/// Which attempt was its last; counting starts again when another instance takes the shard over, after a seek, and when its shard begins
/// again at a held record.
pub const ATTEMPTS_HEADER: &str = "dead-letter-attempts";

/// A record's way out: where it goes, and why.
#[derive(Debug)]
pub(super) struct Letter {
    pub(super) to: StreamRef,
    pub(super) cause: String,
    /// How often it was not stored.
    pub(super) failures: u32,
}

/// Why a letter is not stored.
#[derive(Debug)]
pub(super) enum NotStored {
    /// Another try may do.
    Yet {
        error: String,
        /// Nobody but a person can change it.
        fatal: bool,
    },
    /// Not even the payload with a short cause fits.
    TooLarge(String),
}

impl Letter {
    pub(super) fn new(to: StreamRef, cause: &Cause) -> Self {
        Self {
            to,
            cause: clipped(&cause.to_string(), defaults::DEAD_LETTER_CAUSE).into(),
            failures: 0,
        }
    }

    /// Everything that is known of the record.
    fn headers(&self, from: Origin<'_>, record: RecordRef<'_>, attempts: u32) -> Headers {
        let mut headers = if is_readable(record) {
            record.headers()
        } else {
            Headers::new()
        };
        headers.insert(CAUSE_HEADER, &self.cause);
        headers.insert(HANDLER_HEADER, from.handler);
        headers.insert(STREAM_HEADER, from.stream);
        headers.insert(SHARD_ID_HEADER, record.shard_id());
        headers.insert(SEQUENCE_NUMBER_HEADER, record.sequence_number());
        headers.insert(ARRIVAL_HEADER, arrival(record.arrival()));
        headers.insert(ATTEMPTS_HEADER, attempts.to_string());
        headers
    }

    /// What is left when that is too large.
    fn short(&self) -> Headers {
        let cause = clipped(&self.cause, defaults::DEAD_LETTER_SHORT_CAUSE);
        [(CAUSE_HEADER, cause)].into_iter().collect()
    }
}

/// Where letters of a worker come from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin<'a> {
    pub(super) handler: &'a str,
    pub(super) stream: &'a str,
    pub(super) shard_id: &'a str,
}

/// Stores a job's letter, once.
pub(super) async fn store(
    directory: &Directory,
    from: Origin<'_>,
    job: &Job,
    letter: &Letter,
) -> Result<(), NotStored> {
    let producer = match directory.written(letter.to.stream) {
        Entry::Open(producer) => producer,
        Entry::Closed => {
            return Err(NotStored::Yet {
                error: "the application does not run any more".into(),
                fatal: false,
            });
        }
        Entry::Unknown => {
            return Err(NotStored::Yet {
                error: format!("the application does not declare `{}`", letter.to.label),
                fatal: true,
            });
        }
    };
    let record = RecordRef::new(&job.page, job.index, from.shard_id);
    let payload = if is_readable(record) {
        record.bytes()
    } else {
        job.page.bytes(job.index)
    };
    let full = letter.headers(from, record, job.attempt.get());
    match publish(&producer, record, full, payload.clone()).await {
        Err(error) if is_too_large(&error) => {
            tracing::warn!(
                stream = letter.to.label, sequence = record.sequence_number(), %error,
                "dead letter is cut to its payload and a short cause"
            );
            publish(&producer, record, letter.short(), payload)
                .await
                .map_err(|error| match error {
                    PublishError::TooLarge { .. } => NotStored::TooLarge(format!(
                        "{}; its dead letter does not fit: {error}",
                        letter.cause
                    )),
                    error => not_yet(&error),
                })
        }
        stored => stored.map_err(|error| not_yet(&error)),
    }
}

async fn publish(
    producer: &Producer,
    record: RecordRef<'_>,
    headers: Headers,
    payload: Bytes,
) -> Result<(), PublishError> {
    let message = Parts {
        payload,
        key: record.partition_key().map(Into::into),
        headers,
    };
    producer.publish(&message).await.map(drop)
}

/// A record whose headers may not be written again is passed on whole, envelope and all.
fn is_readable(record: RecordRef<'_>) -> bool {
    let headers = record.headers();
    headers.iter().all(|(name, _)| header_name(name).is_ok())
}

/// The service knows a limit that it may not have told.
fn is_too_large(error: &PublishError) -> bool {
    match error {
        PublishError::TooLarge { .. } => true,
        PublishError::Service { source, .. } => source.class() == Class::Invalid,
        _ => false,
    }
}

fn not_yet(error: &PublishError) -> NotStored {
    NotStored::Yet {
        error: Chain(error).to_string(),
        fatal: !error.is_retryable() && !matches!(error, PublishError::NotRunning { .. }),
    }
}

fn arrival(at: SystemTime) -> String {
    let millis = at
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_millis());
    let millis = i64::try_from(millis).unwrap_or(i64::MAX);
    rfc3339(millis).unwrap_or_else(|| millis.to_string())
}

/// At most so many bytes, without half a character.
fn clipped(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_cause_is_cut_between_characters() {
        assert_eq!(clipped("größer", 3), "gr");
        assert_eq!(clipped("größer", 4), "grö");
        assert_eq!(clipped("short", 100), "short");
    }

    #[test]
    fn an_arrival_is_told_to_the_millisecond() {
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_767_225_600_123);
        assert_eq!(arrival(at), "2026-01-01T00:00:00.123Z");
    }
}
