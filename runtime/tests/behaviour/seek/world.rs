//! An application that seeks where it is told to.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use kinesis_app::{AppState, Launch, Running, prelude::*};

use crate::world::{Entry, Ledger, World};

/// Where a handler seeks to at which record, once, and what it was told.
#[derive(Debug, Clone, Default)]
pub(super) struct Plans(Arc<Mutex<Planned>>);

#[derive(Debug, Default)]
struct Planned {
    at: BTreeMap<String, Position>,
    told: Vec<Result<(), String>>,
}

impl Plans {
    pub(super) fn at(&self, text: &str, position: Position) {
        self.planned().at.insert(text.into(), position);
    }

    pub(super) fn told(&self) -> Vec<Result<(), String>> {
        self.planned().told.clone()
    }

    fn planned(&self) -> std::sync::MutexGuard<'_, Planned> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Clone, AppState)]
struct Desk {
    ledger: Ledger,
    plans: Plans,
}

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
pub(super) mod seeking {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(in crate::seek) struct Orders;

    /// Only written.
    #[stream(name = "receipts", codec(Raw), create_if_missing(shards = 1))]
    pub(in crate::seek) struct Receipts;

    #[on_start]
    async fn open() -> Result<Desk, String> {
        Err("it is given".into())
    }

    #[on_ready]
    async fn jump(State(plans): State<Plans>, seeker: Seeker<Orders>) -> Result<(), SeekError> {
        let position = plans.planned().at.remove("ready");
        match position {
            Some(position) => seeker.seek(position).await,
            None => Ok(()),
        }
    }

    #[on_record(Orders, concurrency = 8)]
    async fn book(
        _: Bytes,
        entry: Entry,
        seeker: Seeker<Orders>,
        State(ledger): State<Ledger>,
        State(plans): State<Plans>,
    ) -> Result<Outcome, String> {
        let position = plans.planned().at.remove(&entry.text);
        if let Some(position) = position {
            let told = seeker.seek(position).await;
            let told = told.map_err(|error| error.to_string());
            plans.planned().told.push(told);
        }
        ledger.handle(entry).await
    }
}

impl World {
    pub(super) fn launch_seeking(&self, plans: &Plans) -> Launch<seeking::App> {
        self.launch(seeking::App).state(Desk {
            ledger: self.ledger.clone(),
            plans: plans.clone(),
        })
    }

    pub(super) async fn start_seeking(&self, plans: &Plans, seed: u64) -> Running {
        let launch = self.launch_seeking(plans).seed(seed);
        launch.start().await.expect("a start")
    }

    pub(super) fn put_numbers(&self, numbers: std::ops::Range<u32>) {
        for number in numbers {
            self.put(&format!("key {}", number % 50), &number.to_string());
        }
    }
}

pub(super) fn numbers(texts: &[String]) -> Vec<u32> {
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}
