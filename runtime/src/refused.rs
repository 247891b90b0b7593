//! What becomes of a stream, or of one shard, whose calls are refused in a way that no retry heals.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use crate::{
    cause::{Chain, HandlerError},
    dispatch::retry::Backoff,
    reader::StreamContext,
    shards::lineage::Plan,
    spec::OnFatal,
    telemetry::{
        health::ShardName,
        observer::{Refusal, RefusalKind},
        refusals::Refusals,
    },
};

/// The refusals of one stream. `Err` is the end of the run, `Ok` the wait before the next try.
#[derive(Debug)]
pub(crate) struct Refused {
    stream: Arc<StreamContext>,
    backoff: Backoff,
    /// Shards that are not tried again before.
    resting: BTreeMap<String, Instant>,
    /// When the panics of each shard's reader are forgotten, unless it panics again.
    panicked: BTreeMap<String, Instant>,
    /// Something is gone that was there: the stream of this name may be another one by now.
    doubt: bool,
}

impl Refused {
    pub(crate) fn new(stream: &Arc<StreamContext>) -> Self {
        stream.instance.board.refusals.consumed(stream.label);
        Self {
            stream: Arc::clone(stream),
            backoff: Backoff {
                first: defaults::BACKOFF_REFUSED_FIRST,
                max: defaults::BACKOFF_REFUSED_MAX,
                chance: Arc::clone(&stream.instance.backoff.chance),
            },
            resting: BTreeMap::new(),
            panicked: BTreeMap::new(),
            doubt: false,
        }
    }

    fn board(&self) -> &Refusals {
        &self.stream.instance.board.refusals
    }

    /// An observer may want to know.
    fn tell(&self, shard_id: Option<&str>, kind: RefusalKind, error: &str) {
        let refusal = Refusal {
            stream: self.stream.label,
            shard_id,
            kind,
            error,
        };
        let watch = &self.stream.instance.board.watch;
        watch.tell(|observer| observer.refused(&refusal));
    }

    /// A round is refused.
    pub(crate) fn stream(&mut self, error: HandlerError) -> Result<Duration, HandlerError> {
        self.doubt = true;
        let text = Chain(&*error).to_string();
        self.tell(None, RefusalKind::Fatal, &text);
        let times = self.board().stream_refused(self.stream.label, &text);
        self.answer(None, times, error)
    }

    /// A shard is refused.
    pub(crate) fn shard(
        &mut self,
        shard_id: &str,
        error: HandlerError,
    ) -> Result<Duration, HandlerError> {
        self.doubt = true;
        let text = Chain(&*error).to_string();
        self.tell(Some(shard_id), RefusalKind::Fatal, &text);
        let times = self.board().shard_refused(self.name(shard_id), &text);
        let wait = self.answer(Some(shard_id), times, error)?;
        self.resting.insert(shard_id.into(), Instant::now() + wait);
        Ok(wait)
    }

    /// The reader of a shard panicked. The answer is how many times in a row, and the wait before the next try.
    pub(crate) fn panicked(&mut self, shard_id: &str, words: &str) -> (u32, Duration) {
        self.tell(Some(shard_id), RefusalKind::Panicked, words);
        let times = self.board().shard_panicked(self.name(shard_id), &words);
        let wait = self.backoff.wait(times);
        let until = Instant::now() + wait;
        self.resting.insert(shard_id.into(), until);
        let forgotten = until + defaults::FAILING_TOO_LONG;
        self.panicked.insert(shard_id.into(), forgotten);
        (times, wait)
    }

    fn answer(
        &self,
        shard: Option<&str>,
        times: u32,
        error: HandlerError,
    ) -> Result<Duration, HandlerError> {
        let stream = self.stream.label;
        let cause = Chain(&*error);
        if times == 1 {
            tracing::error!(stream, shard, %cause, answer = ?self.stream.fatal, "refused");
        } else {
            tracing::debug!(stream, shard, times, %cause, "still refused");
        }
        match self.stream.fatal {
            OnFatal::Stop => Err(error),
            OnFatal::Mark => Ok(self.backoff.wait(times)),
        }
    }

    /// A round failed, and will be repeated.
    pub(crate) fn failed(&self, error: &HandlerError) {
        let text = Chain(&**error).to_string();
        self.tell(None, RefusalKind::Passing, &text);
        self.board().stream_failed(self.stream.label, &text);
    }

    /// A round was answered.
    pub(crate) fn answered(&self) {
        if self.board().stream_answered(self.stream.label) {
            tracing::info!(stream = self.stream.label, "stream is not refused any more");
        }
    }

    /// Whether it is too soon to try this shard again.
    pub(crate) fn rests(&self, shard_id: &str) -> bool {
        let until = self.resting.get(shard_id);
        until.is_some_and(|until| Instant::now() < *until)
    }

    /// A shard is finished, or another instance reads it.
    pub(crate) fn shard_is_over(&mut self, shard_id: &str) {
        self.resting.remove(shard_id);
        self.panicked.remove(shard_id);
        self.board().shard_is_over(&self.name(shard_id));
    }

    /// A shard that nobody is to read any more, for others read it to its end or it is forgotten, is refused no more.
    /// So is one whose reader has not panicked for long enough.
    pub(crate) fn keep(&mut self, plan: &Plan) {
        let now = Instant::now();
        let over = self.resting.keys().filter(|shard_id| !plan.keeps(shard_id));
        let calm = self.panicked.iter().filter(|(_, until)| now >= **until);
        let over = over.chain(calm.map(|(shard_id, _)| shard_id));
        for shard_id in over.cloned().collect::<Vec<_>>() {
            self.shard_is_over(&shard_id);
        }
    }

    /// A shard is not there any more.
    pub(crate) fn doubt(&mut self) {
        self.doubt = true;
    }

    /// Whether the stream may be another one than the checkpoints belong to: its successor's shards have the same names.
    pub(crate) fn doubts(&self) -> bool {
        self.doubt
    }

    /// The stream is the one that is known.
    pub(crate) fn trust(&mut self) {
        self.doubt = false;
    }

    /// Every shard begins anew, and what was refused may not be refused again.
    pub(crate) fn begin_anew(&mut self) {
        self.doubt = false;
        let resting: Vec<_> = std::mem::take(&mut self.resting).into_keys().collect();
        for shard_id in resting {
            self.shard_is_over(&shard_id);
        }
    }

    fn name(&self, shard_id: &str) -> ShardName {
        ShardName {
            stream: self.stream.label,
            shard_id: shard_id.into(),
        }
    }
}
