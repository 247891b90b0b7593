//! What the handlers share, and what they do.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kinesis_app::{Attempt, Outcome, PartitionKey, Position, Setup, SetupError};

use super::{
    app::variables,
    journal::{Handling, Journal},
    plant::Plant,
    shop::{Order, Payment, Record, Topic},
};

/// Why the desk could not do what a record asks for. The runtime tries such a record again.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DeskError {
    /// A setting is missing or not as it should be.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The journal cannot be written.
    #[error("the journal cannot be written: {0}")]
    Journal(#[from] std::io::Error),
    /// The card terminal did not answer.
    #[error("the card terminal is busy")]
    Busy,
}

/// What the handlers share: the customers' balances, and the journal of everything that was done.
#[derive(Debug, Clone)]
pub(crate) struct Desk(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    journal: Journal,
    balances: Mutex<BTreeMap<String, i64>>,
    plant: Option<Plant>,
    /// Orders that [`Plant::Reorder`] holds back, by customer.
    held: Mutex<HashMap<String, Handling>>,
}

impl Desk {
    pub(crate) fn open(setup: &Setup) -> Result<Self, DeskError> {
        Ok(Self(Arc::new(Inner {
            journal: Journal::open(Path::new(&setup.env(variables::JOURNAL)?))?,
            balances: Mutex::default(),
            plant: setup.env_opt(variables::PLANT)?,
            held: Mutex::default(),
        })))
    }

    /// Asks the card terminal, which takes its time: the orders of a shard do not end in the order in which they began.
    /// Now and then it is busy, and the order is tried again.
    pub(crate) async fn authorise(&self, order: &Order, attempt: Attempt) -> Result<(), DeskError> {
        tokio::time::sleep(Duration::from_millis(order.id % 4)).await;
        if order.id % 500 == 499 && attempt.get() == 1 {
            return Err(DeskError::Busy);
        }
        Ok(())
    }

    pub(crate) fn book(
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
        self.0.journal.write(&handling)?;
        self.change(customer, order.amount_cents, |balance, cents| {
            balance - cents
        });
        if let Some(held) = lock(&self.0.held).remove(customer.as_str()) {
            self.0.journal.write(&held)?;
        }
        Ok(Outcome::Done)
    }

    pub(crate) fn settle(
        &self,
        payment: &Payment,
        customer: &PartitionKey,
        at: &Position,
        attempt: Attempt,
    ) -> Result<(), DeskError> {
        let handling = handling(Topic::Payments, payment.id, customer, at, attempt);
        self.0.journal.write(&handling)?;
        self.change(customer, payment.amount_cents, |balance, cents| {
            balance + cents
        });
        Ok(())
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
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
