//! The marker job: an application replays the backlog of its stream, and at a marker in the middle of it jumps to the tip.
//!
//! On the Kinesis inside the process. When all is done, a plain SDK reader reads the stream again, and [`judge`] compares it with the
//! journal of the handler.

pub mod app;
mod reader;
mod verdict;

use std::{ops::Range, time::Duration};

use aws_sdk_kinesis::{Client, error::SdkError};
use kinesis_app_emulator::Kinesis;
use tokio::time::{Instant, sleep};

use app::{Handled, Job, Journal, MARKER, jobs};
pub use reader::Stored;
pub use verdict::{Verdict, judge};

/// Jobs that are there before the application starts.
pub const BACKLOG: u32 = 10_000;
const FOLLOWING: u32 = 500;
const STREAM: &str = "jobs";
const SHARDS: u32 = 2;
const TENANTS: u32 = 100;
/// Both the replay and what follows take a second or two.
const PATIENCE: Duration = Duration::from_mins(1);
const LOOK: Duration = Duration::from_millis(50);

/// Why the run came to no verdict.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// The application did not start, or failed.
    #[error(transparent)]
    App(#[from] kinesis_app::Error),
    /// The stream cannot be written or read.
    #[error("{operation} failed")]
    Service {
        /// The call.
        operation: &'static str,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A record is no job.
    #[error("a record is no job")]
    Record(#[from] serde_json::Error),
    /// Something did not happen in time.
    #[error("{what} did not happen within {PATIENCE:?}")]
    Late {
        /// What was waited for.
        what: &'static str,
    },
}

impl JobError {
    fn service<E, R>(operation: &'static str) -> impl Fn(SdkError<E, R>) -> Self
    where
        E: std::error::Error + Send + Sync + 'static,
        R: std::fmt::Debug + Send + Sync + 'static,
    {
        move |source| Self::Service {
            operation,
            source: source.into(),
        }
    }
}

/// Puts the backlog, runs the application on it, puts more when it has jumped, and judges. `say` is told what happens.
///
/// # Errors
///
/// [`JobError`], if there is nothing to judge.
pub async fn run(kinesis: &Kinesis, mut say: impl FnMut(String)) -> Result<Verdict, JobError> {
    kinesis
        .create_stream(STREAM, SHARDS)
        .map_err(|error| JobError::Service {
            operation: "CreateStream",
            source: error.into(),
        })?;
    let backlog = put(kinesis, 0..BACKLOG)?;
    let marker = &backlog[MARKER as usize];
    say(format!(
        "{BACKLOG} jobs lie in {SHARDS} shards; job {MARKER} is the marker"
    ));

    let journal = Journal::default();
    let aws = kinesis.sdk_config();
    let launch = kinesis_app::launch(jobs::App).aws(aws.clone());
    let running = launch.state(journal.clone()).start().await?;
    say("the application replays them from the horizon".into());
    wait(|| journal.handled().contains(marker), "the marker").await?;
    let replayed = journal.handled().len();
    say(format!(
        "the marker was handled after {replayed} jobs: the rest is left out"
    ));

    put(kinesis, BACKLOG..BACKLOG + FOLLOWING)?;
    say(format!("{FOLLOWING} more jobs are put at the tip"));
    let followed = || journal.handled().len() >= replayed + FOLLOWING as usize;
    wait(followed, "the jobs behind the jump").await?;
    running.shutdown().await?;
    say("the application has stopped; an independent reader goes through the stream".into());
    let stored = reader::read_all(&Client::new(&aws), STREAM).await?;
    Ok(judge(&stored, &journal.handled(), BACKLOG))
}

/// Where each of the jobs lies.
fn put(kinesis: &Kinesis, ids: Range<u32>) -> Result<Vec<Handled>, JobError> {
    ids.map(|id| {
        let data = serde_json::to_vec(&Job { id })?;
        let key = format!("tenant {}", id % TENANTS);
        let put = kinesis
            .put(STREAM, &key, data)
            .map_err(|error| JobError::Service {
                operation: "PutRecord",
                source: error.into(),
            })?;
        Ok(Handled {
            shard: put.shard_id,
            sequence: put.sequence_number,
        })
    })
    .collect()
}

async fn wait(is_so: impl Fn() -> bool, what: &'static str) -> Result<(), JobError> {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        if Instant::now() >= until {
            return Err(JobError::Late { what });
        }
        sleep(LOOK).await;
    }
    Ok(())
}
