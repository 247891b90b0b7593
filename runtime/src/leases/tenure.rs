//! One instance's time with one lease: how it begins, and the deadline that its lanes obey.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use kinesis_app_rules::defaults;
use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};

use super::{
    clock::{Clock, Moment, nanos, timer},
    petition::Petition,
    readings::Readings,
    row::{Holder, LeaseRow},
    store::{LeaseStore, StoreError},
    write::{Answer, Held, LeaseWrite},
    writer::{Lost, RowHandle, RowWriter},
};
use crate::{
    planted::{Bug, planted},
    pulse::Pulse,
};

/// What a reader and its row's writer share.
#[derive(Debug)]
pub(crate) struct Tenure {
    clock: Clock,
    /// The counter at the take, or at the first beat that took the lease up.
    token: u64,
    began: Instant,
    /// By the monotonic clock, since the beginning.
    deadline: AtomicU64,
    /// By the wall clock, since the Unix epoch.
    wall_deadline: AtomicU64,
    readings: Readings,
    pulse: Pulse,
    petition: Petition,
}

impl Tenure {
    /// `confirmed` is when the write that the store answered was sent.
    fn new(
        clock: Clock,
        confirmed: Moment,
        lease_duration: Duration,
        row: &LeaseRow,
        generation: u64,
    ) -> Arc<Self> {
        let tenure = Self {
            clock,
            token: row.counter,
            began: confirmed.instant,
            deadline: AtomicU64::new(0),
            wall_deadline: AtomicU64::new(0),
            readings: Readings::begin(generation, row.generation),
            pulse: Pulse::new(),
            petition: Petition::default(),
        };
        tenure.extend(confirmed, lease_duration);
        Arc::new(tenure)
    }

    /// The same for the whole tenure, and larger in every later one of the shard.
    pub(crate) fn token(&self) -> u64 {
        self.token
    }

    /// What becomes of a request for the lease.
    pub(crate) fn petition(&self) -> &Petition {
        &self.petition
    }

    /// What the reader reports: without it, its lease is renewed no more.
    pub(crate) fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    pub(crate) fn readings(&self) -> &Readings {
        &self.readings
    }

    /// Past it nothing begins, and what runs is dropped. A timer may wait for it; whether it has passed, [`is_over`](Self::is_over) says.
    pub(crate) fn deadline(&self) -> Instant {
        timer(self.began + Duration::from_nanos(self.deadline.load(Ordering::Acquire)))
    }

    /// Whether the deadline has passed, by the clock that says so first.
    pub(crate) fn is_over(&self) -> bool {
        let now = self.clock.now();
        let slept = now.wall >= self.wall_deadline.load(Ordering::Acquire);
        timer(now.instant) >= self.deadline() || slept && !planted(Bug::MonotonicClockOnly)
    }

    /// When a timer goes off so long after the beginning.
    pub(super) fn after(&self, time: Duration) -> Instant {
        timer(self.began + time)
    }

    pub(super) fn now(&self) -> Moment {
        self.clock.now()
    }

    pub(super) fn extend(&self, sent: Moment, lease_duration: Duration) {
        let more = lease_duration * defaults::DEADLINE_PERCENT / 100;
        let deadline = sent.instant.saturating_duration_since(self.began) + more;
        self.deadline.store(nanos(deadline), Ordering::Release);
        self.wall_deadline
            .store(sent.wall.saturating_add(nanos(more)), Ordering::Release);
    }

    /// Nothing begins any more: the last write of the tenure is on its way.
    pub(super) fn close(&self) {
        self.deadline.store(0, Ordering::Release);
    }
}

/// How long things take with leases.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timing {
    pub(crate) lease_duration: Duration,
    pub(crate) heartbeat: Duration,
}

impl Timing {
    /// Heartbeats of a short lease come sooner, so that more than one fits.
    pub(crate) fn of(lease_duration: Duration) -> Self {
        let share = lease_duration * defaults::HEARTBEAT_PERCENT / 100;
        Self {
            lease_duration,
            heartbeat: defaults::HEARTBEAT.min(share),
        }
    }

    /// How long a blocked thread may keep heartbeats from being sent.
    pub(crate) fn nudge(&self) -> Duration {
        self.lease_duration * defaults::NUDGE_PERCENT / 100
    }
}

/// What the holder of a freshly taken lease works with.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) row: LeaseRow,
    pub(crate) tenure: Arc<Tenure>,
    pub(crate) handle: RowHandle,
    pub(crate) writer: RowWriter,
    pub(crate) lost: oneshot::Receiver<Lost>,
}

/// Takes a lease whose row was seen like this, to read it in this generation; `None` if somebody else was faster.
///
/// A row that carries this process's session already, for a take or a tenure of his was cut off or it was granted to him, is taken up by
/// a first beat: who asked for the lease meanwhile still asks.
///
/// # Errors
///
/// The store's, when it is not known whether the lease was taken: then nothing is read, and the next round finds out.
pub(crate) async fn take(
    store: &Arc<dyn LeaseStore>,
    clock: &Clock,
    seen: &LeaseRow,
    holder: Holder,
    timing: Timing,
    generation: u64,
) -> Result<Option<Taken>, StoreError> {
    let is_ours = seen.session() == Some(&*holder.session);
    let write = if is_ours {
        first_beat(seen, &holder)
    } else {
        LeaseWrite::Take {
            key: seen.key.clone(),
            seen_session: seen.session().map(Into::into),
            seen_counter: seen.counter,
            holder: holder.clone(),
        }
    };
    let mut sent = clock.now();
    let answer = if is_ours && planted(Bug::NoFirstBeat) {
        Ok(Some(seen.clone()))
    } else {
        store.write(&write).await
    };
    let row = match answer {
        Ok(Some(row)) => row,
        Ok(None) => return Ok(None),
        Err(StoreError::Fatal(error)) => return Err(StoreError::Fatal(error)),
        Err(error) => {
            let row = store.lease(&seen.key).await?;
            let Some(row) = row.filter(|row| write.stands_in(Some(row))) else {
                return match error {
                    StoreError::Refused => Ok(None),
                    // It may still be on its way.
                    error => Err(error),
                };
            };
            // A re-read proves that the lease is ours, not when it became so. Only an answered write sets a deadline.
            sent = clock.now();
            match store.write(&first_beat(&row, &holder)).await? {
                Some(row) => row,
                None => return Ok(None),
            }
        }
    };
    let tenure = Tenure::new(clock.clone(), sent, timing.lease_duration, &row, generation);
    let (orders_in, orders) = mpsc::channel(1);
    let (lost_in, lost) = oneshot::channel();
    let writer = RowWriter {
        store: Arc::clone(store),
        tenure: Arc::clone(&tenure),
        timing,
        session: holder.session,
        row: row.clone(),
        orders,
        lost: lost_in,
        requested: Arc::default(),
        watch: None,
    };
    Ok(Some(Taken {
        row,
        tenure,
        handle: RowHandle(orders_in),
        writer,
        lost,
    }))
}

fn first_beat(row: &LeaseRow, holder: &Holder) -> LeaseWrite {
    LeaseWrite::Beat {
        held: Held {
            key: row.key.clone(),
            session: holder.session.clone(),
            counter: row.counter,
        },
        lease_duration: holder.lease_duration,
        progress: None,
        answer: Answer::Open,
    }
}
