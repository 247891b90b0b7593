//! Shards that one instance cannot read and others can: they are left to those, and nothing else is.

use std::collections::BTreeMap;

use kinesis_app::{Launch, LeaseWrite, Running, prelude::*};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::sleep;

use crate::{
    store::Recording,
    world::{Entry, Ledger, STREAM, World, secs},
};

#[kinesis_app(name = "billing", leases(memory))]
pub(crate) mod marked {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw), on_fatal(mark))]
    pub(crate) struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

fn launch(world: &World, link: &str, seed: u64) -> Launch<marked::App> {
    let link = world.kinesis.link(link).sdk_config();
    world.launch(marked::App).aws(link).seed(seed)
}

async fn join(world: &World, link: &str, seed: u64) -> Running {
    launch(world, link, seed).start().await.expect("a start")
}

fn refused() -> Fault {
    let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
    Fault::new(Operation::GetRecords, kind)
        .stream(STREAM)
        .link("late")
        .always()
}

/// How often each lease came to another owner.
async fn moves(world: &World, seconds: u64) -> BTreeMap<String, usize> {
    let (mut moves, mut before) = (BTreeMap::new(), world.owners());
    for _ in 0..seconds * 10 {
        sleep(secs(1) / 10).await;
        for (shard_id, owner) in world.owners() {
            if before.insert(shard_id.clone(), owner.clone()) != Some(owner) {
                *moves.entry(shard_id).or_default() += 1;
            }
        }
    }
    moves
}

#[tokio::test(start_paused = true)]
async fn shards_that_one_instance_may_not_read_do_not_keep_it_from_its_share_of_the_others() {
    let world = World::new(9);
    let early = join(&world, "early", 1).await;
    let first = world.owners().into_values().next().expect("all are held");
    let all = world.shards();
    for shard_id in &all[..3] {
        world.kinesis.fault(refused().shard(shard_id));
    }
    let late = join(&world, "late", 2).await;
    let settling = moves(&world, 60).await;
    let held: Vec<_> = world
        .owners()
        .into_iter()
        .filter(|(_, owner)| *owner != first)
        .map(|(shard_id, _)| shard_id)
        .collect();
    assert_eq!(held.len(), 4, "{held:?}");
    assert!(held.iter().all(|shard_id| !all[..3].contains(shard_id)));
    assert!(settling.values().all(|moves| *moves <= 2), "{settling:?}");
    assert_eq!(moves(&world, 600).await, BTreeMap::new(), "and so it stays");
    assert!(early.health().is_good() && late.health().is_good());
    for running in [early, late] {
        running.shutdown().await.expect("a clean stop");
    }
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_may_read_nothing_takes_one_lease_at_a_time_from_those_that_may() {
    let world = World::new(9);
    let early = join(&world, "early", 1).await;
    world.kinesis.fault(refused());
    let store = Recording::over(&world.leases);
    let launch = launch(&world, "late", 2).leases(store.clone());
    let late = launch.start().await.expect("a start");
    let requests = || {
        let writes = store.writes().into_iter();
        writes
            .filter(|write| matches!(write, LeaseWrite::Request { .. }))
            .count()
    };
    sleep(secs(60)).await;
    let share = requests();
    assert_eq!(share, 4, "it cannot know yet");
    sleep(secs(1800)).await;
    let tried = requests() - share;
    assert!((3..=6).contains(&tried), "one each five minutes: {tried}");
    assert_eq!(world.owners().len(), 9);
    world.kinesis.clear_faults();
    sleep(secs(660)).await;
    assert_eq!(late.health().shards.len(), 4, "its share");
    for running in [early, late] {
        running.shutdown().await.expect("a clean stop");
    }
}
