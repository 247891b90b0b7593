//! The billing service: it books orders and files receipts, pays refunds back, counts page views, and reviews what was given up on.

use std::time::Duration;

use kinesis_app::{dead_letter, prelude::*};
use serde::{Deserialize, Serialize};

use super::services::{BillingError, CardError, Cards, Ledger};

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

/// Money that goes back to a card.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Refund {
    /// Its number.
    pub id: u64,
    /// The card's number.
    pub card: String,
    /// How much goes back.
    pub amount_cents: u64,
}

/// A page that somebody looked at.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct PageView {
    /// Its path.
    #[prost(string, tag = "1")]
    pub path: String,
}

/// Books every order once and files its receipt.
#[kinesis_app(
    name = "billing",
    region(env = "AWS_REGION", default = "eu-west-1"),
    endpoint(env = "KINESIS_ENDPOINT", optional),
    leases(memory),
    shutdown_timeout = "30s"
)]
pub mod billing {
    use super::*;

    /// Orders placed in the shop.
    #[stream(
        name = "orders",
        start(trim_horizon),
        batch_size = 500,
        poll_interval = "500ms"
    )]
    pub struct Orders;

    /// Card refunds. The name differs per environment, so it is read at startup.
    #[stream(name(env = "REFUNDS_STREAM", default = "refunds"), start(latest))]
    pub struct Refunds;

    /// Page views as protobuf, re-read from New Year on every start.
    #[stream(
        arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/views",
        codec(Prost),
        start(timestamp = "2026-01-01T00:00:00Z", ignore_checkpoint)
    )]
    pub struct Views;

    /// Receipts. Only written.
    #[stream(name = "receipts")]
    pub struct Receipts;

    /// Records that were given up on, as the bytes they arrived in.
    #[stream(name = "billing-rejected", codec(Raw), start(trim_horizon))]
    pub struct Rejected;

    /// What the handlers share.
    #[derive(Clone, AppState)]
    pub struct Clients {
        /// The books.
        pub ledger: Ledger,
        /// The way to the customers' cards.
        pub cards: Cards,
    }

    /// Opens the clients. Runs before the first lease is taken.
    #[on_start]
    async fn connect(setup: Setup) -> Result<Clients, BillingError> {
        let ledger = Ledger::connect(&setup.env("LEDGER_URL")?).await?;
        let cards = Cards::new(&ledger);
        Ok(Clients { ledger, cards })
    }

    /// Books one order. Eight keys at a time per shard, one record at a time per key.
    #[on_record(
        Orders,
        concurrency = 8,
        retry(attempts = 5, backoff = "200ms", max_backoff = "30s"),
        exhausted(dead_letter(Rejected)),
        undecodable(dead_letter(Rejected)),
        publish(Receipts)
    )]
    async fn book(
        order: Order,
        at: Position,
        State(ledger): State<Ledger>,
    ) -> Result<Keyed<Receipt>, BillingError> {
        ledger.book(&order, &at).await?;
        Ok(Receipt { order: order.id }.keyed(order.customer))
    }

    /// Pays refunds back. Says itself what becomes of each record.
    #[on_record(Refunds, ordered(shard))]
    async fn refund(
        refund: Refund,
        attempt: Attempt,
        headers: Headers,
        State(cards): State<Cards>,
    ) -> Outcome {
        match cards.pay_back(&refund, headers.get("trace-id")).await {
            Ok(()) => Outcome::Done,
            Err(CardError::Busy) if attempt.get() < 3 => {
                Outcome::RetryAfter(Duration::from_millis(500))
            }
            Err(CardError::Closed) => Outcome::Skip,
            Err(error) => Outcome::halt(error),
        }
    }

    /// Counts views, up to a thousand per call. More than an hour behind, it leaves the rest out.
    #[on_batch(Views, max_records = 1_000, max_wait = "2s", undecodable(skip))]
    async fn count(
        views: Batch<PageView>,
        lag: Lag,
        seeker: Seeker<Views>,
        State(ledger): State<Ledger>,
    ) -> BatchOutcome {
        if lag.behind() > Duration::from_hours(1)
            && let Err(error) = seeker.seek(Position::latest()).await
        {
            tracing::warn!(%error, "stays where it is");
        }
        ledger.count(views.values()).await;
        views.done()
    }

    /// Logs what was given up on. Raw bytes: this stream's codec is `Raw`.
    #[on_record(Rejected)]
    async fn review(
        bytes: Bytes,
        key: PartitionKey,
        shard: ShardId,
        headers: Headers,
        State(ledger): State<Ledger>,
    ) -> Outcome {
        let cause = headers.get(dead_letter::CAUSE_HEADER).unwrap_or_default();
        tracing::error!(%key, %shard, cause, len = bytes.len(), "record needs a person");
        ledger.set_aside(&key, cause).await;
        Outcome::Done
    }

    /// The last word on any setting, from wherever the service keeps its configuration.
    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), ConfigError> {
        if let Some(size) = setup.env_opt("ORDERS_BATCH")? {
            config.stream::<Orders>().set_batch_size(size)?;
        }
        Ok(())
    }

    /// Runs after the last handler returned and the last checkpoint was written.
    #[on_shutdown]
    async fn flush(State(ledger): State<Ledger>) -> Result<(), BillingError> {
        ledger.flush().await
    }

    impl Clients {
        /// Clients that talk to nobody, for tests.
        pub fn fake() -> Self {
            let ledger = Ledger::in_memory();
            let cards = Cards::new(&ledger);
            Self { ledger, cards }
        }
    }
}
