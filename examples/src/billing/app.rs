//! The application: it books orders and files their receipts, and reviews what was given up on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kinesis_app::prelude::{AppState, kinesis_app};
use serde::{Deserialize, Serialize};

/// What the shop puts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Order {
    /// Its number.
    pub id: u64,
    /// Who ordered.
    pub customer: String,
    /// What it costs. An order that costs nothing cannot be booked.
    pub amount_cents: u64,
}

/// What is filed for an order that was booked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Receipt {
    /// The order's number.
    pub order: u64,
}

/// Why an order is not booked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookingError {
    /// Another attempt may do.
    #[error("the ledger is busy")]
    Busy,
    /// No attempt will.
    #[error("order {0} costs nothing")]
    Free(u64),
}

/// The books. Each seventh order finds them busy once.
#[derive(Debug, Clone, Default)]
pub struct Ledger(Arc<Mutex<Books>>);

#[derive(Debug, Default)]
struct Books {
    busy_with: Vec<u64>,
    reviewed: usize,
}

impl Ledger {
    /// How many records were given up on and came to the reviewer.
    pub fn reviewed(&self) -> usize {
        self.books().reviewed
    }

    fn book(&self, order: &Order) -> Result<(), BookingError> {
        if order.amount_cents == 0 {
            return Err(BookingError::Free(order.id));
        }
        let mut books = self.books();
        if order.id.is_multiple_of(7) && !books.busy_with.contains(&order.id) {
            books.busy_with.push(order.id);
            return Err(BookingError::Busy);
        }
        Ok(())
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the handlers share.
#[derive(Debug, Default, AppState)]
pub struct Clients {
    /// The books.
    pub ledger: Ledger,
}

/// Books every order and files its receipt.
#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "5s")]
pub mod billing {
    use kinesis_app::prelude::*;

    use super::{BookingError, Clients, Ledger, Order, Receipt};

    /// Orders placed in the shop.
    #[stream(name = "orders", start(trim_horizon), poll_interval = "500ms")]
    #[derive(Debug)]
    pub struct Orders;

    /// Receipts. Only written.
    #[stream(name = "receipts")]
    #[derive(Debug)]
    pub struct Receipts;

    /// Records that were given up on, as the bytes they arrived in.
    #[stream(
        name = "billing-rejected",
        start(trim_horizon),
        codec(Raw),
        poll_interval = "500ms"
    )]
    #[derive(Debug)]
    pub struct Rejected;

    /// Opens the books.
    #[on_start]
    async fn open() -> Result<Clients, String> {
        Ok(Clients::default())
    }

    /// Books one order. Eight customers at a time per shard, one order at a time per customer.
    #[on_record(
        Orders,
        concurrency = 8,
        retry(attempts = 3, backoff = "50ms"),
        exhausted(dead_letter(Rejected)),
        undecodable(dead_letter(Rejected)),
        publish(Receipts)
    )]
    async fn book(
        order: Order,
        State(ledger): State<Ledger>,
    ) -> Result<Keyed<Receipt>, BookingError> {
        ledger.book(&order)?;
        Ok(Receipt { order: order.id }.keyed(order.customer))
    }

    /// Counts what was given up on.
    #[on_record(Rejected)]
    async fn review(_bytes: Bytes, State(ledger): State<Ledger>) -> Outcome {
        ledger.books().reviewed += 1;
        Outcome::Done
    }
}
