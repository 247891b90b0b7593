//! One stream: what it looks like, who reads which shard of it, and when.

mod adoption;
mod balance;
mod creation;
mod endings;
mod first_round;
mod give_back;
mod identity;
mod listing;
mod namesake;
mod panics;
mod requests;
mod takes;

use std::{
    collections::{BTreeMap, BTreeSet},
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use futures_util::{StreamExt, future::join, stream::FuturesUnordered};
use kinesis_app_rules::defaults;
use tokio::{
    select,
    sync::oneshot,
    time::{Instant, sleep_until},
};

use self::{
    balance::Listed, endings::Again, first_round::FirstRound, identity::Identity, listing::Listing,
    namesake::Namesake, requests::Requests, takes::Candidate,
};
use crate::{
    cause::HandlerError,
    leases::{
        doubts::Doubts, foreign::ForeignRows, given_up::GivenUp, liveness::Observations,
        row::LeaseRow, store::StoreError, stream_row::stream_key, write::LeaseWrite,
    },
    reader::{Ended, StreamContext},
    refused::Refused,
    service_error::{Class, ServiceError},
    shards::lineage::{self, Absences},
    stop::{Stop, Stopping, stop},
    tasks::{self, Task},
};

/// Discovers the shards of one stream and has them read, until it is told to stop or can read no more.
#[derive(Debug)]
pub(crate) struct Coordinator {
    stream: Arc<StreamContext>,
    seen: Observations,
    absences: Absences,
    foreign: ForeignRows,
    /// How rows stood that were deleted under this instance.
    deleted: BTreeMap<String, LeaseRow>,
    doubts: Doubts,
    namesake: Namesake,
    readers: BTreeSet<String>,
    /// Since when there is a reader at all.
    reads_since: Option<Instant>,
    /// Since when leases are seen to be nobody's.
    idle: BTreeMap<String, Instant>,
    /// Since when others are seen to ask for leases of this instance.
    asking: BTreeMap<String, Instant>,
    requests: Requests,
    /// There is something to ask for, once `#[on_ready]` is through.
    asks_when_ready: bool,
    listing: Option<Listing>,
    /// The generation that refusals and the listing were judged in.
    judged: u64,
    /// Since when readers may be in an older one.
    behind: Option<Instant>,
    refused: Refused,
    given_up: GivenUp,
    running: FuturesUnordered<Reading>,
    stopping: Stopping,
    /// When it was seen last that the stream is the one whose row is known.
    checked: Instant,
    first_round: FirstRound,
    /// Ends with the coordinator.
    _listening: Task<()>,
}

/// The shard, and how its tenure ended.
type Reading = Pin<Box<dyn Future<Output = (String, Ended)> + Send + Sync>>;

/// Why a stream is not read any more.
#[derive(Debug, thiserror::Error)]
#[error("stream `{stream}`: {source}")]
pub(crate) struct StreamFailure {
    pub(crate) stream: &'static str,
    pub(crate) source: HandlerError,
}

/// What a round leaves to the next one; what is due sooner is more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    /// Everything is as it should be.
    Later,
    /// Others hold leases, which may die.
    Watch,
    /// Somebody asked for leases, and others may be about to.
    Shortly,
    /// There are more leases to be taken, unless others are at it.
    More,
    /// What was judged is to be judged again.
    Soon,
}

impl Next {
    /// Of two the one that is due first.
    fn sooner(self, other: Self) -> Self {
        self.max(other)
    }
}

impl Coordinator {
    /// `ready` is told when every shard of the first round has its iterator.
    pub(crate) fn new(stream: Arc<StreamContext>, ready: oneshot::Sender<()>) -> Self {
        let refused = Refused::new(&stream);
        let judged = stream.known.generation();
        let heard = Arc::clone(&stream);
        let listening = tasks::spawn(async move { heard.bell.listen(&heard.instance.store).await });
        Self {
            _listening: listening,
            checked: Instant::now(),
            stream,
            seen: Observations::default(),
            absences: Absences::default(),
            foreign: ForeignRows::default(),
            deleted: BTreeMap::new(),
            doubts: Doubts::default(),
            namesake: Namesake::default(),
            readers: BTreeSet::new(),
            reads_since: None,
            idle: BTreeMap::new(),
            asking: BTreeMap::new(),
            requests: Requests::default(),
            asks_when_ready: false,
            listing: None,
            judged,
            behind: None,
            refused,
            given_up: GivenUp::default(),
            running: FuturesUnordered::new(),
            stopping: stop().0,
            first_round: FirstRound::new(ready),
        }
    }

    pub(crate) async fn run(mut self, mut asked: Stop) -> Result<(), StreamFailure> {
        let mut due = Instant::now();
        let mut failures = 0;
        let mut ready = self.stream.instance.ready.subscribe();
        loop {
            select! {
                biased;
                grace = asked.asked() => {
                    self.stop_all(grace).await;
                    return Ok(());
                }
                Some((shard_id, ended)) = self.running.next(), if !self.running.is_empty() => {
                    self.readers.remove(&shard_id);
                    if self.readers.is_empty() {
                        self.reads_since = None;
                    }
                    // It may ask the service and the store, and a stop waits for neither.
                    let ended = select! {
                        biased;
                        grace = asked.asked() => {
                            self.stop_all(grace).await;
                            return Ok(());
                        }
                        ended = self.ended(&shard_id, ended) => ended,
                    };
                    match ended {
                        Ok(Again::Within(wait)) => due = due.min(Instant::now() + wait),
                        Ok(Again::After(wait)) => due = Instant::now() + wait,
                        Err(source) => return Err(self.fail(source).await),
                    }
                    // Unless it was the failure of the stream, an end is as good as an iterator: nobody waits for it.
                    self.first_round.opened(&shard_id);
                }
                Some(shard_id) = self.first_round.opened.recv() => self.first_round.opened(&shard_id),
                _ = ready.changed(), if self.asks_when_ready => {
                    self.asks_when_ready = false;
                    due = Instant::now();
                }
                // A round that failed waits for its back-off, whoever calls.
                () = self.stream.bell.called(), if failures == 0 => due = Instant::now(),
                () = sleep_until(due) => {
                    // A round only looks and asks; it can be dropped in the middle, and leases are taken by readers.
                    let round = select! {
                        biased;
                        grace = asked.asked() => {
                            self.stop_all(grace).await;
                            return Ok(());
                        }
                        round = self.round() => round,
                    };
                    match round {
                        Ok(next) => {
                            failures = 0;
                            self.refused.answered();
                            due = Instant::now() + self.pause(next);
                        }
                        Err(RoundError::Later(error)) => {
                            failures += 1;
                            let wait = self.stream.instance.backoff.wait(failures);
                            tracing::warn!(stream = self.stream.label, failures, ?wait, %error, "round failed");
                            self.let_others_read();
                            self.refused.failed(&error);
                            if failures >= defaults::FAILED_ROUNDS_BEFORE_STALE {
                                self.stream.instance.shares.forget(&self.stream.name);
                            }
                            due = Instant::now() + wait;
                        }
                        Err(RoundError::Never(source)) => match self.refused.stream(source) {
                            Ok(wait) => {
                                self.let_others_read();
                                self.stream.instance.shares.forget(&self.stream.name);
                                // Nobody waits for a stream that cannot be read.
                                self.first_round.begun(&self.readers);
                                due = Instant::now() + wait;
                            }
                            Err(source) => return Err(self.fail(source).await),
                        },
                    }
                }
            }
        }
    }

    fn pause(&self, next: Next) -> Duration {
        match next {
            Next::Later => defaults::LIST_SHARDS,
            Next::Watch => self
                .stream
                .instance
                .timing
                .lease_duration
                .min(defaults::TABLE_SCAN),
            Next::Shortly => defaults::BELL,
            Next::More => defaults::LEASE_RETRY,
            Next::Soon => defaults::JUDGED_AGAIN,
        }
    }

    /// Table first, then the listing: a shard whose row is missing was not finished and forgotten in between.
    async fn round(&mut self) -> Result<Next, RoundError> {
        let stream = Arc::clone(&self.stream);
        let instance = &stream.instance;
        let key = stream_key(&instance.app, &stream.name);
        let sent = Instant::now();
        let rows = instance.store.leases(&key).await?;
        let answered = Instant::now();
        // Behind the rows: a row of a later generation than is known then would mean nothing.
        self.look_at_stream(&key, &rows).await?;
        let generation = stream.known.generation();
        let listing = self.listing(&rows).await?;
        let plan = lineage::plan(&rows, &listing, &self.absences, generation);
        self.refused.keep(&plan);
        self.given_up.forget(Instant::now());
        tracing::debug!(
            stream = stream.label,
            listed = listing.len(),
            rows = rows.len(),
            generation,
            ?plan,
            "round"
        );

        if self.check_identity(&listing).await? == Identity::New {
            return Ok(Next::Soon);
        }
        self.have_adopted(&plan, generation);
        let mut next = self.create(&plan.create, generation).await?;
        for row in rows
            .iter()
            .filter(|row| plan.forget.contains(&row.shard_id))
        {
            self.forget(row).await?;
        }

        let listed = Listed::new(&rows, sent, answered);
        let (mut wanted, then) = self.balance(&listed, &plan).await?;
        next = next.sooner(then);
        let vanished = plan
            .vanished
            .into_iter()
            .filter(|shard_id| !self.readers.contains(shard_id) && !self.refused.rests(shard_id));
        wanted.extend(vanished.map(Candidate::to_bury));
        next = next.sooner(self.take(wanted, generation).await?);
        if !matches!(next, Next::More) {
            self.first_round.begun(&self.readers);
        }
        Ok(next)
    }

    async fn fail(&mut self, source: HandlerError) -> StreamFailure {
        self.stop_all(defaults::HANDOVER).await;
        StreamFailure {
            stream: self.stream.label,
            source,
        }
    }

    async fn forget(&mut self, row: &LeaseRow) -> Result<(), RoundError> {
        let write = LeaseWrite::Delete {
            key: row.key.clone(),
            seen_counter: row.counter,
        };
        match self.stream.instance.store.write(&write).await {
            Ok(_) | Err(StoreError::Refused) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    async fn stop_all(&mut self, grace: Duration) {
        self.stopping.ask(grace);
        let stream = Arc::clone(&self.stream);
        let requests = std::mem::take(&mut self.requests).but_for(&self.readers);
        join(requests.withdraw(&stream), self.readers_end(grace)).await;
        requests.give_back(&stream).await;
    }

    async fn readers_end(&mut self, grace: Duration) {
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

pub(crate) enum RoundError {
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

impl From<ServiceError> for RoundError {
    fn from(error: ServiceError) -> Self {
        if error.is_retryable() || error.class() == Class::Expired {
            Self::Later(error.into())
        } else {
            Self::Never(error.into())
        }
    }
}
