//! An application with replies and dead letters, on the Kinesis inside the process: orders are booked, their receipts filed, and what
//! cannot be booked ends in a stream of its own. A look into the streams, and not the application, says whether that is so.

pub mod app;

use std::{collections::BTreeMap, fmt, time::Duration};

use kinesis_app::Setup;
use kinesis_app_emulator::{Kinesis, ServiceError};
use tokio::time::{Instant, sleep};

use app::{Clients, Order, Receipt, billing};

const ORDERS: u64 = 600;
const CUSTOMERS: u64 = 40;
const PATIENCE: Duration = Duration::from_secs(30);

/// Why the run came to no verdict.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// The application did not start, or failed.
    #[error(transparent)]
    App(#[from] kinesis_app::Error),
    /// A stream cannot be written or read.
    #[error(transparent)]
    Kinesis(#[from] ServiceError),
    /// A record is no JSON.
    #[error("a record is not what it should be")]
    Record(#[from] serde_json::Error),
}

/// What the streams hold in the end.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Orders that were put and can be booked.
    pub good: usize,
    /// Records that cannot.
    pub bad: usize,
    /// Receipts that are missing, filed twice, or out of their customer's order.
    pub wrong: usize,
    /// Dead letters that bear their cause.
    pub rejected: usize,
    /// Those that the reviewer saw.
    pub reviewed: usize,
}

impl Verdict {
    /// Whether each order has its receipt, and each bad record its dead letter.
    pub fn holds(&self) -> bool {
        self.wrong == 0 && self.rejected == self.bad && self.reviewed == self.bad
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            good,
            bad,
            wrong,
            rejected,
            reviewed,
        } = self;
        write!(
            f,
            "{good} orders to book: {wrong} receipts missing, twice or out of order\n{bad} records that cannot be booked: {rejected} dead letters with their cause, {reviewed} reviewed"
        )
    }
}

/// Puts orders, runs the application on them, and looks into its streams.
///
/// # Errors
///
/// [`JobError`], if there is nothing to look at.
pub async fn run(kinesis: &Kinesis) -> Result<Verdict, JobError> {
    for (stream, shards) in [("orders", 2), ("receipts", 2), ("billing-rejected", 1)] {
        kinesis.create_stream(stream, shards)?;
    }
    let mut verdict = Verdict::default();
    let mut expected: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for id in 1..=ORDERS {
        let customer = format!("customer-{}", id % CUSTOMERS);
        let is_free = id.is_multiple_of(50);
        let order = Order {
            id,
            customer: customer.clone(),
            amount_cents: if is_free { 0 } else { 100 * id },
        };
        kinesis.put("orders", &customer, serde_json::to_vec(&order)?)?;
        if is_free {
            verdict.bad += 1;
        } else {
            verdict.good += 1;
            expected.entry(customer).or_default().push(id);
        }
    }
    kinesis.put("orders", "customer-0", "no JSON")?;
    verdict.bad += 1;

    let clients = Clients::default();
    let ledger = clients.ledger.clone();
    let launch = kinesis_app::launch(billing::App).setup(Setup::empty());
    let running = launch
        .aws(kinesis.sdk_config())
        .state(clients)
        .start()
        .await?;
    let began = Instant::now();
    while began.elapsed() < PATIENCE
        && (records(kinesis, "receipts").len() < verdict.good || ledger.reviewed() < verdict.bad)
    {
        sleep(Duration::from_millis(50)).await;
    }
    running.shutdown().await?;

    let mut filed: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (customer, receipt) in records(kinesis, "receipts") {
        let receipt: Receipt = serde_json::from_slice(&receipt)?;
        filed.entry(customer).or_default().push(receipt.order);
    }
    let wrong = expected
        .iter()
        .filter(|(customer, orders)| filed.get(*customer) != Some(*orders));
    verdict.wrong = wrong.map(|(_, orders)| orders.len()).sum();
    let rejected = records(kinesis, "billing-rejected").into_iter();
    let causes = ["costs nothing", "does not decode"];
    let told = rejected.filter(|(_, letter)| {
        let text = String::from_utf8_lossy(letter);
        causes.iter().any(|cause| text.contains(cause))
    });
    verdict.rejected = told.count();
    verdict.reviewed = ledger.reviewed();
    Ok(verdict)
}

/// The keys and payloads of a stream, each shard in its order.
fn records(kinesis: &Kinesis, stream: &str) -> Vec<(String, Vec<u8>)> {
    let shards = kinesis.shards(stream).unwrap_or_default();
    let records = shards
        .iter()
        .flat_map(|shard| kinesis.records(stream, &shard.shard_id));
    records
        .map(|record| {
            let key = record.partition_key.as_deref().unwrap_or_default();
            (key.to_owned(), record.data.to_vec())
        })
        .collect()
}
