//! An application as users write them.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use kinesis_app::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) id: u64,
    /// What the handler does with it.
    pub(crate) then: Then,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Then {
    Done,
    /// Fails so many times.
    Fail(u32),
    Panic,
    Skip,
    Hold,
    Halt,
    Hang,
    Take(Duration),
    SeekToTip,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) order: u64,
}

pub(crate) fn order(id: u64) -> Order {
    and(id, Then::Done)
}

pub(crate) fn and(id: u64, then: Then) -> Order {
    Order { id, then }
}

/// What handlers did, shared with the test.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger(Arc<Mutex<Vec<String>>>);

impl Ledger {
    pub(crate) fn note(&self, line: impl Into<String>) {
        self.lines_mut().push(line.into());
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines_mut().clone()
    }

    fn lines_mut(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[kinesis_app(name = "billing", region = "eu-west-1", leases(memory))]
pub(crate) mod app {
    use super::*;

    #[stream(name(env = "ORDERS_STREAM", default = "orders"))]
    pub(crate) struct Orders;

    #[stream(name = "receipts")]
    pub(crate) struct Receipts;

    #[stream(name = "unread")]
    pub(crate) struct Unread;

    #[on_start]
    async fn open(setup: Setup) -> Result<Ledger, String> {
        match setup.args() {
            [] => Ok(Ledger::default()),
            _ => Err("no arguments".into()),
        }
    }

    #[on_record(Orders, concurrency = 4)]
    async fn book(
        order: Order,
        attempt: Attempt,
        key: Option<PartitionKey>,
        headers: Headers,
        State(ledger): State<Ledger>,
        receipts: Publisher<Receipts>,
        seeker: Seeker<Orders>,
    ) -> Result<Outcome, String> {
        match order.then {
            Then::Fail(times) if attempt.get() <= times => return Err("the sink is down".into()),
            Then::Done | Then::Fail(_) => {}
            Then::Panic => panic!("planned"),
            Then::Skip => return Ok(Outcome::Skip),
            Then::Hold => return Ok(Outcome::Hold),
            Then::Halt => return Ok(Outcome::halt("the card was closed")),
            Then::Hang => std::future::pending().await,
            Then::Take(time) => tokio::time::sleep(time).await,
            Then::SeekToTip => {
                let sought = seeker.seek(Position::latest()).await;
                sought.map_err(|error| error.to_string())?;
            }
        }
        ledger.note(format!("order {}", order.id));
        let trace = headers.get("trace-id").unwrap_or_default();
        let receipt = Receipt { order: order.id };
        let key = key.map_or_else(|| "nobody".to_owned(), |key| key.to_string());
        receipts
            .publish(receipt.keyed(key).header("trace-id", trace))
            .await
            .map_err(|error| error.to_string())?;
        Ok(Outcome::Done)
    }

    /// A chain: what is published is consumed as well.
    #[on_record(Receipts)]
    async fn file(receipt: Receipt, State(ledger): State<Ledger>) -> Outcome {
        ledger.note(format!("receipt {}", receipt.order));
        Outcome::Done
    }

    #[on_shutdown]
    async fn part(State(ledger): State<Ledger>) {
        ledger.note("closed");
    }
}
