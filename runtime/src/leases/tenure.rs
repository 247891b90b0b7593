//! One instance's time with one lease: how it begins, and the deadline that its lanes obey.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
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
    row::{Checkpoint, Held, Holder, LeaseRow, LeaseWrite},
    store::{LeaseStore, StoreError},
    writer::{Lost, RowHandle, RowWriter},
};
use crate::{pulse::Pulse, record::text::SharedText};

/// What a reader and its row's writer share.
#[derive(Debug)]
pub(crate) struct Tenure {
    pub(super) began: Instant,
    deadline_nanos: AtomicU64,
    pending: Mutex<Option<SharedText>>,
    pulse: Pulse,
}

impl Tenure {
    /// `confirmed` is when the write that the store answered was sent.
    fn new(confirmed: Instant, lease_duration: Duration) -> Arc<Self> {
        let tenure = Self {
            began: confirmed,
            deadline_nanos: AtomicU64::new(0),
            pending: Mutex::new(None),
            pulse: Pulse::new(),
        };
        tenure.extend(confirmed, lease_duration);
        Arc::new(tenure)
    }

    /// What the reader reports: without it, its lease is renewed no more.
    pub(crate) fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// Past it nothing begins, and what runs is dropped.
    pub(crate) fn deadline(&self) -> Instant {
        self.began + Duration::from_nanos(self.deadline_nanos.load(Ordering::Acquire))
    }

    /// Hands the writer a checkpoint, which rides on its next write. Nothing is allocated: it happens at every pause of the lanes.
    pub(crate) fn publish(&self, sequence: SharedText) {
        *self.pending.lock().unwrap_or_else(PoisonError::into_inner) = Some(sequence);
    }

    pub(super) fn take_pending(&self) -> Option<Checkpoint> {
        let sequence = self
            .pending
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        sequence.map(|sequence| Checkpoint::After(sequence.to_string()))
    }

    pub(super) fn extend(&self, sent: Instant, lease_duration: Duration) {
        let deadline = sent.saturating_duration_since(self.began)
            + lease_duration * defaults::DEADLINE_PERCENT / 100;
        let nanos = u64::try_from(deadline.as_nanos()).unwrap_or(u64::MAX);
        self.deadline_nanos.store(nanos, Ordering::Release);
    }

    /// Nothing begins any more: the last write of the tenure is on its way.
    pub(super) fn close(&self) {
        self.deadline_nanos.store(0, Ordering::Release);
    }
}

/// How long things take with leases.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timing {
    pub(crate) lease_duration: Duration,
    pub(crate) heartbeat: Duration,
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

/// Takes a lease whose row was seen like this; `None` if somebody else was faster.
///
/// # Errors
///
/// The store's, when it is not known whether the lease was taken: then nothing is read, and the next round finds out.
pub(crate) async fn take(
    store: &Arc<dyn LeaseStore>,
    seen: &LeaseRow,
    holder: Holder,
    timing: Timing,
) -> Result<Option<Taken>, StoreError> {
    let write = LeaseWrite::Take {
        key: seen.key.clone(),
        seen_session: seen.session().map(Into::into),
        seen_counter: seen.counter,
        holder: holder.clone(),
    };
    let mut sent = Instant::now();
    let row = match store.write(&write).await {
        Ok(Some(row)) => row,
        Ok(None) => return Ok(None),
        Err(StoreError::Fatal(error)) => return Err(StoreError::Fatal(error)),
        Err(StoreError::Refused | StoreError::Unavailable(_)) => {
            let row = store.lease(&seen.key).await?;
            let Some(row) = row.filter(|row| write.stands_in(Some(row))) else {
                return Ok(None);
            };
            // A re-read proves that the lease is ours, not when it became so. Only an answered write sets a deadline.
            let beat = LeaseWrite::Beat {
                held: held(&row, &holder),
                checkpoint: None,
            };
            sent = Instant::now();
            match store.write(&beat).await? {
                Some(row) => row,
                None => return Ok(None),
            }
        }
    };
    let tenure = Tenure::new(sent, timing.lease_duration);
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
    };
    Ok(Some(Taken {
        row,
        tenure,
        handle: RowHandle(orders_in),
        writer,
        lost,
    }))
}

fn held(row: &LeaseRow, holder: &Holder) -> Held {
    Held {
        key: row.key.clone(),
        session: holder.session.clone(),
        counter: row.counter,
    }
}
