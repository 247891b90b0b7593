//! What the writer of a row is asked for, and what is heard of it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::{mpsc, oneshot};

use crate::leases::{
    row::{LeaseRow, Wanted},
    store::StoreError,
};

/// The last write of a tenure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::leases) enum Last {
    Release,
    /// Of this reading.
    End(u64),
    Grant(Wanted),
}

/// What the writer is asked for, beside heartbeats, and who waits for its confirmation.
#[derive(Debug)]
pub(in crate::leases) enum Order {
    Last(Last, oneshot::Sender<Said>),
    Rewind(Rewind, oneshot::Sender<Rewound>),
}

/// What became of a last write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    Confirmed,
    Unconfirmed,
    /// It was not sent: the end was that of a reading which does not count any more.
    Withdrawn,
}

/// The shard is to be read from a record on.
#[derive(Debug)]
pub(in crate::leases) struct Rewind {
    /// In which the place means something.
    pub(super) generation: u64,
    pub(super) sequence: String,
    pub(super) iterator: String,
    /// Whether a write of it may have been sent: should the reader end first, nobody knows what became of it.
    pub(super) is_begun: Arc<AtomicBool>,
}

/// What became of a rewind.
#[derive(Debug)]
pub(crate) enum Rewound {
    /// The row stands there, and the reader is told.
    Confirmed,
    /// Nothing was written: the lease is on its way out, or in another generation.
    Refused,
    /// Nobody knows; the lease is lost.
    Unconfirmed(StoreError),
}

/// The reader's side: it asks for the last write and waits for its confirmation.
#[derive(Debug)]
pub(crate) struct RowHandle(pub(in crate::leases) mpsc::Sender<Order>);

/// The way to the writer for others than the reader. It keeps no lease: that ends with the reader.
#[derive(Debug, Clone)]
pub(crate) struct RowLine(mpsc::WeakSender<Order>);

impl RowLine {
    /// Moves the row to a record, and the reader with it.
    pub(crate) async fn rewind(
        &self,
        generation: u64,
        sequence: &str,
        iterator: String,
    ) -> Rewound {
        let is_begun = Arc::<AtomicBool>::default();
        let rewind = Rewind {
            generation,
            sequence: sequence.into(),
            iterator,
            is_begun: Arc::clone(&is_begun),
        };
        let (done, confirmed) = oneshot::channel();
        let Some(orders) = self.0.upgrade() else {
            return Rewound::Refused;
        };
        if orders.send(Order::Rewind(rewind, done)).await.is_err() {
            return Rewound::Refused;
        }
        drop(orders);
        match confirmed.await {
            Ok(rewound) => rewound,
            Err(_) if is_begun.load(Ordering::Acquire) => Rewound::Unconfirmed(
                StoreError::Unavailable("it did not answer before the reader ended".into()),
            ),
            // A writer that ends with the order unread has written nothing of it.
            Err(_) => Rewound::Refused,
        }
    }
}

/// Why a lease is not held any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The row shows another owner.
    Taken { by: Option<String> },
    /// The row is gone. It is created again from how it stood.
    Deleted { last: Box<LeaseRow> },
    /// The store did not confirm a write in time.
    Deadline,
    /// The reader reported nothing for a lease duration: its lease was given back over its head.
    Silent,
}

impl Lost {
    /// For people.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            Self::Taken { .. } => "another instance took it",
            Self::Deleted { .. } => "its row was deleted",
            Self::Deadline => "the lease store did not confirm it in time",
            Self::Silent => "its reader reported nothing",
        }
    }
}

impl RowHandle {
    /// For others who have a word for the writer.
    pub(crate) fn line(&self) -> RowLine {
        RowLine(self.0.downgrade())
    }

    /// Gives the lease back with the last checkpoint. Whether it was confirmed.
    pub(crate) async fn release(&self) -> bool {
        self.order(Last::Release).await == Said::Confirmed
    }

    /// Marks the shard as finished, if it is still in that reading.
    pub(crate) async fn end(&self, reading: u64) -> Said {
        self.order(Last::End(reading)).await
    }

    /// Hands the lease to another with the last checkpoint. Whether it was confirmed.
    pub(crate) async fn grant(&self, to: Wanted) -> bool {
        self.order(Last::Grant(to)).await == Said::Confirmed
    }

    async fn order(&self, last: Last) -> Said {
        let (done, confirmed) = oneshot::channel();
        if self.0.send(Order::Last(last, done)).await.is_err() {
            return Said::Unconfirmed;
        }
        confirmed.await.unwrap_or(Said::Unconfirmed)
    }
}
