//! The whole language in one application, [`app`], on the Kinesis inside the process: replies, retries, dead letters, batches, hooks.
//!
//! A shop is open for a day; when the application has stopped, a look into its streams and its books, and not the application, says
//! whether all is as it should be.

#[allow(
    clippy::wildcard_imports,
    missing_debug_implementations,
    reason = "a module as people write it"
)]
pub mod app;
mod books;
pub mod services;
mod shop;
mod verdict;

use std::{io, time::Duration};

use kinesis_app::{Checkpoint, MemoryLeases, Setup};
use kinesis_app_emulator::{Kinesis, KinesisBuilder, ServiceError};
use tokio::time::{Instant, sleep};

use app::billing;
use books::Books;
pub use verdict::{Found, Put, Verdict, judge};

/// A day takes a few seconds.
const PATIENCE: Duration = Duration::from_mins(1);
const LOOK: Duration = Duration::from_millis(50);

/// What is read, by the names that the application reads it under.
const CONSUMED: [&str; 4] = ["orders", "refunds", "views", "billing-rejected"];

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
    /// A record is not published.
    #[error(transparent)]
    Publish(#[from] kinesis_app::PublishError),
    /// A record is not what it should be.
    #[error("a record is not what it should be")]
    Record(#[from] serde_json::Error),
    /// The books cannot be read.
    #[error("the books cannot be read")]
    Books(#[from] io::Error),
    /// The application did not come to the end of its streams.
    #[error("the streams were not read to their end within {PATIENCE:?}")]
    Late,
}

/// The account and the region that the views lie in.
pub fn kinesis() -> KinesisBuilder {
    Kinesis::builder()
        .account("123456789012")
        .region("eu-west-1")
}

/// Opens the shop, runs the application on what it puts, and judges.
///
/// # Errors
///
/// [`JobError`], if there is nothing to judge.
pub async fn run(kinesis: &Kinesis) -> Result<Verdict, JobError> {
    for stream in CONSUMED.into_iter().chain(["receipts"]) {
        kinesis.create_stream(stream, if stream == "refunds" { 1 } else { 2 })?;
    }
    let mut put = Put::default();
    shop::orders(kinesis, &mut put)?;
    shop::views(kinesis, &mut put)?;

    let (leases, books) = (MemoryLeases::new(), Books::new());
    let running = kinesis_app::launch(billing::App)
        .setup(Setup::empty().with_env("LEDGER_URL", &books.url()))
        .aws(kinesis.sdk_config())
        .leases(leases.clone())
        .start()
        .await?;
    // Refunds are read from the first start on: `start(latest)`.
    shop::refunds(&running, &mut put).await?;
    read_to_the_end(kinesis, &leases).await?;
    running.shutdown().await?;

    let found = Found {
        receipts: shop::records(kinesis, "receipts")
            .map(|(key, receipt)| Ok((key, serde_json::from_slice(&receipt)?)))
            .collect::<Result<_, serde_json::Error>>()?,
        letters: shop::records(kinesis, "billing-rejected")
            .map(|(key, letter)| (key, String::from_utf8_lossy(&letter).into_owned()))
            .collect(),
        entries: books.entries()?,
    };
    Ok(judge(&put, &found))
}

/// Waits until no shard holds a record that its checkpoint has not passed.
async fn read_to_the_end(kinesis: &Kinesis, leases: &MemoryLeases) -> Result<(), JobError> {
    let until = Instant::now() + PATIENCE;
    while !is_read(kinesis, leases)? {
        if Instant::now() >= until {
            return Err(JobError::Late);
        }
        sleep(LOOK).await;
    }
    Ok(())
}

fn is_read(kinesis: &Kinesis, leases: &MemoryLeases) -> Result<bool, JobError> {
    let rows = leases.rows();
    for stream in CONSUMED {
        for shard in kinesis.shards(stream)? {
            let records = kinesis.records(stream, &shard.shard_id);
            let last = records.last().map(|record| &record.sequence_number);
            let passed = |last: &String| {
                let checkpoint = Some(Checkpoint::After(last.clone()));
                rows.iter().any(|row| row.checkpoint == checkpoint)
            };
            if !last.is_none_or(passed) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
