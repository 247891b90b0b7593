//! The application. Its instances are this binary, run again with `the_instance` as the only test.

use std::time::Duration;

use super::instance::{ROLE, Threads};

pub(super) const STREAM: &str = "LIVE_STREAM";
pub(super) const JOURNAL: &str = "LIVE_JOURNAL";
pub(super) const LEASE: &str = "LIVE_LEASE_MILLIS";
pub(super) const BLOCK: &str = "LIVE_BLOCK_MILLIS";

/// The table has the stream's name, for each test has both to itself.
#[kinesis_app::kinesis_app(
    name = "fleet",
    endpoint(env = "KINESIS_TEST_ENDPOINT"),
    credentials(test),
    leases(
        dynamodb(env = "LIVE_STREAM"),
        endpoint(env = "DYNAMODB_TEST_ENDPOINT"),
        create_if_missing
    ),
    shutdown_timeout = "5s"
)]
mod fleet {
    use kinesis_app::prelude::*;
    use serde::Deserialize;

    use super::{BLOCK, Desk, Duration, JOURNAL, LEASE, block};
    use crate::fleet::journal::{Event, Journal, Moment};

    #[derive(Debug, Deserialize)]
    pub(crate) struct Number {
        id: u64,
        blocks: bool,
    }

    #[stream(
        name(env = "LIVE_STREAM"),
        start(trim_horizon),
        poll_interval = "250ms"
    )]
    #[derive(Debug)]
    pub(crate) struct Numbers;

    #[configure]
    fn lease(
        config: &mut AppConfig,
        setup: &Setup,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let millis = setup.env_opt(LEASE)?.unwrap_or_default();
        Ok(config.set_lease_duration(Duration::from_millis(millis))?)
    }

    #[on_start]
    async fn open(setup: Setup) -> Result<Desk, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Desk {
            journal: Journal::open(setup.env(JOURNAL)?.as_ref())?,
            block: Duration::from_millis(setup.env_opt(BLOCK)?.unwrap_or_default()),
        })
    }

    #[on_record(Numbers, concurrency = 4)]
    async fn note(
        number: Number,
        key: PartitionKey,
        at: Position,
        State(desk): State<Desk>,
    ) -> Outcome {
        let event = Event {
            moment: Moment::Begin,
            at: 0,
            pid: std::process::id(),
            key: key.to_string(),
            shard: at.shard_id().unwrap_or_default().to_owned(),
            sequence: at.sequence_number().unwrap_or_default().to_owned(),
            id: number.id,
        };
        desk.journal.note(&event);
        if number.blocks && !desk.block.is_zero() {
            block(desk.block);
        } else {
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        desk.journal.note(&Event {
            moment: Moment::End,
            ..event
        });
        Outcome::Done
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Desk {
    journal: super::journal::Journal,
    /// How long a record that blocks does so in this instance.
    block: Duration,
}

#[expect(
    clippy::disallowed_methods,
    reason = "a handler that blocks its thread is what is tested"
)]
fn block(duration: Duration) {
    std::thread::sleep(duration);
}

#[test]
#[ignore = "it is the application that the tests run"]
#[expect(clippy::disallowed_methods, reason = "a process is told its role")]
fn the_instance() {
    let role = std::env::var(ROLE).expect("only as a child of a test");
    let runtime = match role.parse().expect("a number of threads") {
        Threads::One => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build(),
        Threads::Two => tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build(),
    };
    let runtime = runtime.expect("a runtime");
    runtime
        .block_on(kinesis_app::run(fleet::App))
        .expect("a clean stop");
}
