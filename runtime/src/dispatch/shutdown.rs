//! A word to those who take long: the shard is about to be left.

use super::{
    extract::{FromRecord, RecordContext},
    outcome::Undecodable,
};
use crate::stop::Stop;

/// Tells a handler or a shard hook that its shard is about to be left, so that it can finish early.
///
/// It is asked for when the application stops, when the shard is handed over to another instance, and when its lease is lost. From then
/// on a handler may go on for `shutdown_timeout`, or 10 s at a hand-over; then it is dropped, and its record is handled again elsewhere.
/// After a lost lease it is dropped at once: only what it has spawned hears of that.
///
/// Clones hear the same, also when the handler has ended: it is of the shard's lease.
///
/// ```
/// use kinesis_app::prelude::*;
///
/// #[kinesis_app(name = "reports", leases(memory))]
/// pub mod reports {
///     use super::*;
///
///     #[stream(name = "reports", codec(Raw))]
///     pub struct Reports;
///
///     /// Writes part after part, and leaves the rest to the next owner of the shard.
///     #[on_record(Reports)]
///     async fn write(report: Bytes, shutdown: Shutdown) -> Outcome {
///         for part in report.chunks(1024) {
///             if shutdown.requested() {
///                 return Outcome::Retry;
///             }
///             store(part).await;
///         }
///         Outcome::Done
///     }
///
///     async fn store(_part: &[u8]) {}
/// }
/// # fn main() {}
/// ```
#[derive(Debug, Clone)]
pub struct Shutdown(Stop);

impl Shutdown {
    pub(crate) fn new(leaving: Stop) -> Self {
        Self(leaving)
    }

    /// Whether the shard is about to be left.
    pub fn requested(&self) -> bool {
        self.0.is_asked()
    }

    /// Waits until it is.
    pub async fn wait(&self) {
        self.0.clone().asked().await;
    }
}

impl<S> FromRecord<S> for Shutdown {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(cx.shutdown.clone())
    }
}
