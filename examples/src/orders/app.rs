//! The application: one annotated module, and the state that its handlers share.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    str::FromStr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use kinesis_app::{Attempt, Outcome, PartitionKey, Position, Setup, prelude::kinesis_app};

use super::{
    journal::{Handling, Journal},
    shop::{Order, Payment, Record, Topic},
};

/// The variables that the application is configured by; everything else about it is in [`desk`].
pub(crate) mod variables {
    pub(crate) const ORDERS_STREAM: &str = "ORDERS_STREAM";
    pub(crate) const PAYMENTS_STREAM: &str = "PAYMENTS_STREAM";
    pub(crate) const JOURNAL: &str = "ORDERS_JOURNAL";
    pub(crate) const PLANT: &str = "ORDERS_PLANT";
}

/// The shop's back office: it books orders and payments.
#[kinesis_app(name = "order-desk", leases(memory), shutdown_timeout = "10s")]
pub mod desk {
    use kinesis_app::prelude::*;

    use super::{Desk, DeskError};
    use crate::orders::shop::{Order, Payment};

    /// Orders, some thousand a second.
    #[stream(
        name(env = "ORDERS_STREAM", default = "orders"),
        start(trim_horizon),
        poll_interval = "250ms"
    )]
    #[derive(Debug)]
    pub struct Orders;

    /// Payments, fewer.
    #[stream(
        name(env = "PAYMENTS_STREAM", default = "payments"),
        start(trim_horizon),
        poll_interval = "250ms"
    )]
    #[derive(Debug)]
    pub struct Payments;

    /// Opens the journal. Runs before the first lease is taken, at every start.
    #[on_start]
    async fn open(setup: Setup) -> Result<Desk, DeskError> {
        Desk::open(&setup)
    }

    /// Books an order: eight customers at a time per shard, one order at a time per customer.
    #[on_record(Orders, concurrency = 8)]
    async fn book(
        order: Order,
        customer: PartitionKey,
        at: Position,
        attempt: Attempt,
        State(desk): State<Desk>,
    ) -> Result<Outcome, DeskError> {
        desk.authorise(&order, attempt).await?;
        desk.book(&order, &customer, &at, attempt)
    }

    /// Settles a payment. One at a time per shard: the bank wants them in the order of their arrival.
    #[on_record(Payments, ordered(shard))]
    async fn settle(
        payment: Payment,
        customer: PartitionKey,
        at: Position,
        attempt: Attempt,
        State(desk): State<Desk>,
    ) -> Result<(), DeskError> {
        desk.settle(&payment, &customer, &at, attempt)
    }
}

/// A fault in the application, planted to show that the verdict finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plant {
    /// Some orders are called done and not booked.
    Drop,
    /// Some orders are booked after the next one of their customer.
    Reorder,
    /// Some orders are skipped.
    Skip,
}

impl Plant {
    /// The name, as in `--plant`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Reorder => "reorder",
            Self::Skip => "skip",
        }
    }
}

impl FromStr for Plant {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Drop, Self::Reorder, Self::Skip]
            .into_iter()
            .find(|plant| plant.as_str() == text)
            .ok_or("the plants are `drop`, `reorder` and `skip`")
    }
}

/// Why the desk could not do what a record asks for. The runtime tries such a record again.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// A setting is missing or not as it should be.
    #[error(transparent)]
    Setup(#[from] kinesis_app::SetupError),
    /// The journal cannot be written.
    #[error("the journal cannot be written: {0}")]
    Journal(#[from] std::io::Error),
    /// The card terminal did not answer.
    #[error("the card terminal is busy")]
    Busy,
}

/// What the handlers share: the customers' balances, and the journal of everything that was done.
#[derive(Debug, Clone)]
pub struct Desk(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    journal: Journal,
    balances: Mutex<BTreeMap<String, i64>>,
    plant: Option<Plant>,
    /// Orders that [`Plant::Reorder`] holds back, by customer.
    held: Mutex<HashMap<String, Handling>>,
}

impl Desk {
    fn open(setup: &Setup) -> Result<Self, DeskError> {
        Ok(Self(Arc::new(Inner {
            journal: Journal::open(Path::new(&setup.env(variables::JOURNAL)?))?,
            balances: Mutex::default(),
            plant: setup.env_opt(variables::PLANT)?,
            held: Mutex::default(),
        })))
    }

    /// Asks the card terminal, which takes its time: the orders of a shard do not end in the order in which they began.
    /// Now and then it is busy, and the order is tried again.
    async fn authorise(&self, order: &Order, attempt: Attempt) -> Result<(), DeskError> {
        tokio::time::sleep(Duration::from_millis(order.id % 4)).await;
        if order.id % 500 == 499 && attempt.get() == 1 {
            return Err(DeskError::Busy);
        }
        Ok(())
    }

    fn book(
        &self,
        order: &Order,
        customer: &PartitionKey,
        at: &Position,
        attempt: Attempt,
    ) -> Result<Outcome, DeskError> {
        let handling = handling(Topic::Orders, order.id, customer, at, attempt);
        match self.0.plant.filter(|_| order.id % 100 == 42) {
            Some(Plant::Drop) => return Ok(Outcome::Done),
            Some(Plant::Skip) => return Ok(Outcome::Skip),
            Some(Plant::Reorder) => {
                lock(&self.0.held).insert(customer.to_string(), handling);
                return Ok(Outcome::Done);
            }
            None => {}
        }
        self.change(customer, order.amount_cents, |balance, cents| {
            balance - cents
        });
        self.0.journal.write(&handling)?;
        if let Some(held) = lock(&self.0.held).remove(customer.as_str()) {
            self.0.journal.write(&held)?;
        }
        Ok(Outcome::Done)
    }

    fn settle(
        &self,
        payment: &Payment,
        customer: &PartitionKey,
        at: &Position,
        attempt: Attempt,
    ) -> Result<(), DeskError> {
        self.change(customer, payment.amount_cents, |balance, cents| {
            balance + cents
        });
        let handling = handling(Topic::Payments, payment.id, customer, at, attempt);
        Ok(self.0.journal.write(&handling)?)
    }

    fn change(&self, customer: &PartitionKey, cents: u64, change: impl FnOnce(i64, i64) -> i64) {
        let mut balances = lock(&self.0.balances);
        let balance = balances.entry(customer.to_string()).or_default();
        *balance = change(*balance, i64::try_from(cents).unwrap_or(i64::MAX));
    }
}

fn handling(
    topic: Topic,
    id: u64,
    customer: &PartitionKey,
    at: &Position,
    attempt: Attempt,
) -> Handling {
    Handling {
        record: Record {
            topic,
            key: customer.to_string(),
            shard: at.shard_id().unwrap_or_default().into(),
            sequence: at.sequence_number().unwrap_or_default().into(),
            id,
        },
        attempt: attempt.get(),
    }
}

/// A handler that panicked is tried again by the runtime; the balances stay in use.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
