//! `leases(file = ..)`: one machine, restarts survived.

use std::{fs, path::PathBuf};

use kinesis_app::{Running, Setup, prelude::*};
use tokio::time::sleep;

use crate::world::{Entry, Ledger, World, secs};

#[kinesis_app(name(env = "NAME", default = "billing"), leases(file(env = "LEASES")))]
mod filed {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

fn fresh(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("behaviour");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{name}.json"));
    let _ = fs::remove_file(&path);
    path.display().to_string()
}

async fn start(world: &World, app: &str, path: &str, ledger: &Ledger) -> Running {
    let setup = Setup::empty()
        .with_env("LEASES", path)
        .with_env("NAME", app);
    let launch = kinesis_app::launch(filed::App)
        .setup(setup)
        .aws(world.kinesis.sdk_config())
        .state(ledger.clone());
    launch.start().await.expect("a start")
}

#[tokio::test(start_paused = true)]
async fn an_application_goes_on_behind_the_checkpoints_in_its_file() {
    let (world, path) = (World::new(2), fresh("restart"));
    world.put_all("a", ["a1", "a2", "a3"]);
    let running = start(&world, "billing", &path, &world.ledger).await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.ledger.ended().len(), 3);
    world.put_all("a", ["a4", "a5"]);
    let running = start(&world, "billing", &path, &world.ledger).await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.ledger.ended(), ["a1", "a2", "a3", "a4", "a5"]);
}

#[tokio::test(start_paused = true)]
async fn two_applications_and_two_instances_share_a_file() {
    let (world, path) = (World::new(4), fresh("shared"));
    let audit = Ledger::default();
    let one = start(&world, "billing", &path, &world.ledger).await;
    let two = start(&world, "billing", &path, &world.ledger).await;
    let other = start(&world, "audit", &path, &audit).await;
    sleep(secs(60)).await;
    for number in 0..40 {
        world.put(&format!("key{number}"), &number.to_string());
    }
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended().len(), 40, "each once");
    assert_eq!(audit.ended().len(), 40, "each once");
    for running in [one, two, other] {
        running.shutdown().await.expect("a clean stop");
    }
}
