//! A seek of one shard to a record.

use kinesis_app::{LeaseStore, Position, Running, SeekError, StoredStart, StreamWrite};
use tokio::time::{Instant, sleep};

use super::world::{Plans, seeking::Orders};
use crate::world::{Deed, FIRST, SECOND, World, secs};

#[tokio::test(start_paused = true)]
async fn a_seek_to_a_record_delivers_it_and_what_follows_again_in_its_shard_alone() {
    let (world, plans) = (World::new(2), Plans::default());
    let [_, second, _] = ["a1", "a2", "a3"].map(|text| world.put_to(FIRST, "a", text));
    world.put_to(SECOND, "b", "b1");
    plans.at("a3", Position::sequence(FIRST, &second));
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(20)).await;
    assert_eq!(plans.told(), [Ok(())]);
    let of = |key: &str| -> Vec<String> {
        let entries = world.ledger.entries().into_iter();
        entries
            .filter(|entry| entry.key == key)
            .map(|entry| entry.text)
            .collect()
    };
    assert_eq!(of("a"), ["a1", "a2", "a3", "a2", "a3"]);
    assert_eq!(of("b"), ["b1"]);
    running.shutdown().await.expect("a clean stop");
    assert!(
        world
            .checkpoint(FIRST)
            .is_some_and(|at| !at.starts_with("at"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_crash_before_the_record_of_a_seek_has_settled_delivers_that_very_record() {
    let (world, plans) = (World::new(1), Plans::default());
    let first = world.put("ada", "1");
    world.put_all("ada", ["2", "3"]);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(10)).await;
    world.ledger.plan("1", [Deed::Hang]);
    let seeker = running.seeker::<Orders>();
    let asked = Instant::now();
    seeker
        .seek(Position::sequence(FIRST, &first))
        .await
        .expect("sought");
    assert!(asked.elapsed() < secs(1));
    sleep(secs(10)).await;
    assert_eq!(world.checkpoint(FIRST), Some(format!("at {first}")));
    drop(running);
    let running = world.start_seeking(&plans, 2).await;
    sleep(secs(30)).await;
    assert_eq!(world.ledger.ended(), ["1", "2", "3", "1", "2", "3"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_of_a_shard_that_another_reads_is_refused_by_the_name_of_its_owner() {
    let (world, plans) = (World::new(1), Plans::default());
    let first = world.put("ada", "1");
    let one = world.start_seeking(&plans, 1).await;
    let two = world.start_seeking(&plans, 2).await;
    sleep(secs(5)).await;
    let owner = world.leases.rows()[0]
        .holder
        .clone()
        .expect("held")
        .owner_id;
    let held_here = |running: &Running| !running.health().shards.is_empty();
    let other = if held_here(&one) { &two } else { &one };
    let seeker = other.seeker::<Orders>();
    let error = seeker
        .seek(Position::sequence(FIRST, &first))
        .await
        .expect_err("not read here");
    assert!(!error.is_retryable());
    assert_eq!(
        error.to_string(),
        format!(
            "`Orders`: shard `{FIRST}` is read by `{owner}`\nhelp: seek there, or reposition the whole stream"
        )
    );
    let nowhere = seeker.seek(Position::sequence("shardId-9", &first)).await;
    let nowhere = nowhere.expect_err("no such shard").to_string();
    assert!(
        nowhere.contains("`shardId-9` is read by nobody"),
        "{nowhere}"
    );
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), ["1"], "reading goes on as it was");
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_in_one_shard_is_refused_where_a_seek_of_all_is_not_heard_of_yet() {
    let (world, plans) = (World::new(1), Plans::default());
    let first = world.put("ada", "1");
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(5)).await;
    let seek = StreamWrite::Seek {
        key: "billing:orders".into(),
        seen_generation: 0,
        position: StoredStart::TrimHorizon,
    };
    world.leases.write_stream(&seek).await.expect("as seen");
    let seeker = running.seeker::<Orders>();
    let place = Position::sequence(FIRST, &first);
    let error = seeker
        .seek(place.clone())
        .await
        .expect_err("it would be void");
    assert!(matches!(error, SeekError::Moving { .. }) && error.is_retryable());
    sleep(secs(5)).await;
    seeker.seek(place).await.expect("it is heard of");
    running.shutdown().await.expect("a clean stop");
}
