//! An application that may ignore its checkpoints, and the stream's row.

use kinesis_app::{
    LeaseStore, Running, Setup, SetupError, StoredStart, StreamRow, StreamWrite, prelude::*,
    spec::Checkpoints,
};

use crate::world::{Entry, Ledger, World};

/// Reads from the horizon, and from there again if the environment says so.
#[kinesis_app(name = "billing", leases(memory))]
pub(super) mod again {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), SetupError> {
        if setup.env_opt::<bool>("IGNORE")? == Some(true) {
            config
                .stream::<Orders>()
                .set_checkpoints(Checkpoints::Ignore);
        }
        Ok(())
    }

    #[on_record(Orders, concurrency = 8)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

pub(super) const STREAM_KEY: &str = "billing:orders";

impl World {
    /// Starts as a process with random numbers of its own, which ignores checkpoints.
    pub(super) async fn start_again(&self, seed: u64) -> Running {
        self.launch(again::App)
            .setup(Setup::empty().with_env("IGNORE", "true"))
            .seed(seed)
            .start()
            .await
            .expect("a start")
    }

    pub(super) async fn stream_row(&self) -> StreamRow {
        let row = self.leases.stream(STREAM_KEY).await.expect("a memory");
        row.expect("met")
    }

    /// As an instance with a seek does.
    pub(crate) async fn seek(&self, position: StoredStart) -> StreamRow {
        let seek = StreamWrite::Seek {
            key: STREAM_KEY.into(),
            seen_generation: self.stream_row().await.generation,
            position,
        };
        self.leases.write_stream(&seek).await.expect("as seen")
    }
}

pub(super) fn count(texts: &[String], text: &str) -> usize {
    texts.iter().filter(|other| *other == text).count()
}
