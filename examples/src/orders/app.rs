//! The application: one annotated module.

use kinesis_app::prelude::kinesis_app;

/// The variables that the application is configured by; everything else about it is in [`order_desk`].
pub(crate) mod variables {
    pub(crate) const ORDERS_STREAM: &str = "ORDERS_STREAM";
    pub(crate) const PAYMENTS_STREAM: &str = "PAYMENTS_STREAM";
    pub(crate) const JOURNAL: &str = "ORDERS_JOURNAL";
    pub(crate) const PLANT: &str = "ORDERS_PLANT";
}

/// The shop's back office: it books orders and payments.
#[kinesis_app(name = "order-desk", leases(memory), shutdown_timeout = "10s")]
pub mod order_desk {
    use kinesis_app::prelude::*;

    use crate::orders::{
        desk::{Desk, DeskError},
        shop::{Order, Payment},
    };

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
