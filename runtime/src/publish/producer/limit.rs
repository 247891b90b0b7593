use kinesis_app_rules::{defaults, limits};
use tokio::{sync::Mutex, time::Instant};

use crate::source::kinesis::Kinesis;

/// The largest record that a stream takes, as it said last.
#[derive(Debug, Default)]
pub(super) struct RecordLimit(Mutex<Option<Told>>);

#[derive(Debug, Clone, Copy)]
struct Told {
    bytes: usize,
    at: Instant,
}

impl RecordLimit {
    /// The limit, which is asked for the first time, and when a record of this size is too large by an answer that is old.
    ///
    /// Callers wait in order, so that records stay in theirs. Without an answer, a permission may be missing, it is the most that any
    /// stream takes, and the service decides.
    pub(super) async fn for_size(&self, kinesis: &Kinesis, size: usize) -> usize {
        let mut told = self.0.lock().await;
        let good = told
            .filter(|told| size <= told.bytes || told.at.elapsed() < defaults::RECORD_LIMIT_AGE);
        if let Some(told) = good {
            return told.bytes;
        }
        let bytes = match kinesis.describe().await {
            Ok(description) => description.record_bytes,
            Err(error) => {
                tracing::debug!(%error, "the largest record is not known");
                None
            }
        };
        let bytes = bytes.unwrap_or(limits::RECORD_BYTES_MOST);
        *told = Some(Told {
            bytes,
            at: Instant::now(),
        });
        bytes
    }
}
