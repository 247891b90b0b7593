//! A lease store of the application's own, made by `#[leases]`.

use std::{collections::BTreeMap, sync::Mutex};

use kinesis_app::{LeaseWrite, MemoryLeases, Setup, prelude::*};
use tokio::time::sleep;

use crate::{
    store::Recording,
    world::{World, secs},
};

/// Where each test finds the store that its application made.
static STORES: Mutex<BTreeMap<String, Recording>> = Mutex::new(BTreeMap::new());

#[kinesis_app(name = "billing", shutdown_timeout = "10s")]
mod own {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(crate) struct Orders;

    #[leases]
    async fn store(setup: Setup) -> Result<impl LeaseStore, kinesis_app::SetupError> {
        let name = setup.env("STORE")?;
        let store = Recording::default();
        let mut stores = STORES.lock().expect("no test panics with it");
        stores.insert(name, store.clone());
        Ok(store)
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) {
        if setup.env("CONFIGURED").is_ok() {
            config.set_leases(MemoryLeases::new());
        }
        if let Ok(path) = setup.env("FILE") {
            // What it cannot be used for is an error of the start.
            let _ = config.set_lease_file(&path);
        }
    }

    #[on_record(Orders)]
    async fn book(_: Bytes) -> Outcome {
        Outcome::Done
    }
}

async fn run(setup: Setup) -> Result<(), kinesis_app::Error> {
    let world = World::new(1);
    world.put("ada", "a1");
    let launch = kinesis_app::launch(own::App)
        .setup(setup)
        .aws(world.kinesis.sdk_config());
    let running = launch.start().await?;
    sleep(secs(10)).await;
    running.shutdown().await
}

fn store(name: &str) -> Option<Recording> {
    let stores = STORES.lock().expect("no test panics with it");
    stores.get(name).cloned()
}

#[tokio::test(start_paused = true)]
async fn leases_and_checkpoints_are_kept_in_the_store_that_the_application_made() {
    let setup = Setup::empty().with_env("STORE", "own");
    run(setup).await.expect("a clean run");
    let store = store("own").expect("it was made");
    let row = store.table.rows().remove(0);
    assert!(row.checkpoint.is_some(), "{row:?}");
    let mut writes = store.writes().into_iter();
    assert!(writes.any(|write| matches!(write, LeaseWrite::Release { .. })));
}

#[tokio::test(start_paused = true)]
async fn a_store_that_cannot_be_made_fails_the_start() {
    let error = run(Setup::empty()).await.expect_err("no variable");
    let text = error.to_string();
    assert!(text.contains("STORE"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn configure_has_the_last_word_on_the_store() {
    let setup = Setup::empty()
        .with_env("STORE", "unused")
        .with_env("CONFIGURED", "yes");
    run(setup).await.expect("a clean run");
    assert!(store("unused").is_none(), "it is not even made");
}

#[tokio::test(start_paused = true)]
async fn configure_has_the_last_word_on_the_file_as_well() {
    let folder = std::env::temp_dir().join("kinesis-app-no-such-folder");
    let file = folder.join("leases.json");
    let setup = Setup::empty()
        .with_env("STORE", "no file")
        .with_env("FILE", file.to_str().expect("UTF-8"));
    let error = run(setup).await.expect_err("the folder does not exist");
    assert!(error.to_string().contains("leases.json"), "{error}");
    assert!(store("no file").is_none(), "it is not even made");
}
