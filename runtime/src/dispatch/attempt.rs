//! One attempt at a record: the handler is called, and may panic or be out of time.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use tokio::time::timeout;

use super::{
    desk::{Ended, EndedRecord, Job, Place},
    extract::RecordContext,
    gate::Gate,
    handler::RecordHandler,
    outcome::{Settled, Undecodable, Verdict},
    share::Permit,
    shutdown::Shutdown,
};
use crate::{
    app::{directory::Directory, wire::Wire},
    planted::{self, Bug},
    record::{RecordRef, aggregation, text::SharedText},
    telemetry::watch::Stopwatch,
};

/// What every attempt of a worker shares.
pub(super) struct Bench<'a, S> {
    pub(super) state: &'a S,
    pub(super) directory: &'a Arc<Directory>,
    pub(super) shard_id: &'a SharedText,
    pub(super) gate: &'a Gate,
    pub(super) shutdown: Shutdown,
    pub(super) timeout: Option<Duration>,
    pub(super) stopwatch: Stopwatch,
}

impl<S> Bench<'_, S> {
    /// Calls the handler, and hears also of its panic or that it is out of time.
    pub(super) async fn hear<T>(&self, call: impl Future<Output = T>) -> Result<T, Verdict> {
        planted::note(Bug::HeartbeatBehindHandler, self.shard_id);
        // A handler that is out of time is dropped in here as well: it may panic then.
        let call = async {
            match self.timeout {
                None => Ok(call.await),
                Some(limit) => timeout(limit, call)
                    .await
                    .map_err(|_| Verdict::TimedOut(limit)),
            }
        };
        let begun = self.stopwatch.begin();
        let ended = AssertUnwindSafe(call).catch_unwind().await;
        self.stopwatch.end(begun);
        planted::forget(self.shard_id);
        match ended {
            Ok(ended) => ended,
            Err(panic) => Err(Settled::panicked(&*panic).0),
        }
    }
}

/// One attempt. Its future lies in a slot, so the record is borrowed from it and nothing is allocated.
pub(super) async fn attempt<W: Wire, H: RecordHandler<W>>(
    bench: &Bench<'_, W::State>,
    place: Place,
    job: Job,
    _permit: Permit,
) -> Ended {
    let settled = if let Err(why) = bench.gate.lets_begin(job.reading) {
        Err(why)
    } else if aggregation::is_aggregate(job.page.data(job.index)) {
        Ok(Settled::undecodable(&Undecodable::KplAggregate))
    } else {
        let cx = RecordContext {
            record: RecordRef::new(&job.page, job.index, bench.shard_id),
            shard_id: bench.shard_id,
            attempt: job.attempt,
            token: bench.gate.token(),
            behind: job.page.behind(),
            shutdown: &bench.shutdown,
            state: bench.state,
            directory: bench.directory,
        };
        // What the error says is a part of the attempt: it may panic when it is shown.
        let call = async {
            let attempted = H::call(&cx).await;
            attempted.unwrap_or_else(|error| Settled::undecodable(&error))
        };
        Ok(bench.hear(call).await.unwrap_or_else(Settled))
    };
    Ended::Record(EndedRecord {
        place,
        job,
        settled,
    })
}
