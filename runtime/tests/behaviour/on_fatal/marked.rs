//! What is refused is marked, tried again at a slow pace, and read on when it may.

use std::time::Duration;

use kinesis_app::{Position, Setup};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::{sleep, timeout};

use super::world::{
    goes_on, marked, put_refund, refuse, refused_shard, refused_stream, start_to_stop, world,
};
use crate::{
    log::Errors,
    phantom::Phantom,
    tricks::Tricks,
    world::{FIRST, STREAM, secs},
};

#[tokio::test(start_paused = true)]
async fn a_shard_that_may_not_be_read_is_marked_and_read_on_when_it_may() {
    let world = world();
    world.put("ada", "1");
    let mut running = world.start_app(marked::App).await;
    sleep(secs(5)).await;
    assert!(running.health().is_good(), "{:?}", running.health());
    refuse(&world, Operation::GetRecords);
    goes_on(&mut running, secs(600)).await;
    world.put("ada", "2");
    put_refund(&world, "3");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1", "3"], "the other stream goes on");

    let health = running.health();
    assert!(!health.is_good());
    let words = refused_shard(&health).expect("marked");
    assert!(
        words.starts_with("GetRecords was refused: AccessDeniedException"),
        "{words}"
    );
    assert_eq!(refused_stream(&health), None, "its shards can be listed");
    assert!(world.leases.rows()[0].holder.is_none(), "others may try");

    world.kinesis.clear_faults();
    sleep(secs(301)).await;
    assert_eq!(world.ledger.begun(), ["1", "3", "2"]);
    assert!(running.health().is_good(), "{:?}", running.health());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_is_tried_at_a_slow_pace() {
    let world = world();
    let mut running = world.start_app(marked::App).await;
    refuse(&world, Operation::GetShardIterator);
    refuse(&world, Operation::GetRecords);
    sleep(secs(300)).await;
    let before = world
        .kinesis
        .calls_for(Operation::GetShardIterator, STREAM, FIRST);
    goes_on(&mut running, secs(3600)).await;
    let tries = world
        .kinesis
        .calls_for(Operation::GetShardIterator, STREAM, FIRST)
        - before;
    // At least one in five minutes, and full jitter halves the wait on average.
    assert!((12..=60).contains(&tries), "{tries}");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_whose_shards_may_not_be_listed_is_marked_and_its_readers_read_on() {
    let world = world();
    let mut running = world.start_app(marked::App).await;
    refuse(&world, Operation::ListShards);
    goes_on(&mut running, secs(600)).await;
    world.put("ada", "1");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1"]);
    let health = running.health();
    assert!(!health.is_good());
    assert_eq!(refused_shard(&health), None);
    let words = refused_stream(&health).expect("marked");
    assert!(
        words.starts_with("ListShards was refused: AccessDeniedException"),
        "{words}"
    );
    world.kinesis.clear_faults();
    sleep(secs(301)).await;
    assert!(running.health().is_good(), "{:?}", running.health());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_wakes_a_shard_that_rests_after_a_refusal() {
    let world = world();
    world.put("ada", "1");
    let running = world.start_app(marked::App).await;
    sleep(secs(5)).await;
    refuse(&world, Operation::GetRecords);
    sleep(secs(600)).await;
    assert!(refused_shard(&running.health()).is_some());
    world.kinesis.clear_faults();
    let seeker = running.seeker::<marked::Orders>();
    seeker.seek(Position::horizon()).await.expect("stored");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1", "1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn who_may_not_list_shards_after_a_seek_leaves_them_to_others() {
    let world = world();
    world.put("ada", "1");
    let launch = |link: &str, seed| {
        let link = world.kinesis.link(link);
        let launch = world.launch(marked::App).aws(link.sdk_config());
        launch.seed(seed).start()
    };
    let one = launch("one", 1).await.expect("a start");
    sleep(secs(5)).await;
    let other = launch("other", 2).await.expect("a start");
    sleep(secs(60)).await;
    assert_eq!(one.health().shards.len() + other.health().shards.len(), 2);
    let (holder, link) = if one
        .health()
        .shards
        .keys()
        .any(|shard| shard.stream == "Orders")
    {
        (&one, "one")
    } else {
        (&other, "other")
    };
    let seeker = if link == "one" { &other } else { &one }.seeker::<marked::Orders>();
    let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
    world
        .kinesis
        .fault(Fault::new(Operation::ListShards, kind).link(link).always());
    sleep(secs(60)).await;
    seeker.seek(Position::horizon()).await.expect("stored");
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["1", "1"]);
    assert!(!holder.health().is_good());
    for running in [one, other] {
        running.shutdown().await.expect("a clean stop");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_does_not_wait_for_what_is_asked_about_a_refusal() {
    let world = world();
    let running = start_to_stop(&world).await.expect("a start");
    let hangs = Fault::new(Operation::DescribeStreamSummary, FaultKind::Hang);
    world.kinesis.fault(hangs.always());
    refuse(&world, Operation::GetRecords);
    sleep(secs(2)).await;
    let stopped = timeout(secs(2), running.shutdown()).await;
    assert!(stopped.is_ok(), "it does not wait");
}

/// It is refused to one instance alone, and another reads it to its end meanwhile.
#[tokio::test(start_paused = true)]
async fn a_shard_that_others_finish_while_it_is_refused_here_is_refused_no_more() {
    let world = world();
    let (config, tricks) = Tricks::new(&world.kinesis);
    let running = world.launch(marked::App).aws(config).start();
    let running = running.await.expect("a start");
    sleep(secs(5)).await;
    let body = r#"{"__type":"KMSAccessDeniedException","message":"the key is not yours"}"#;
    // One for each stream.
    tricks.answer("GetRecords", 400, body, 2);
    sleep(Duration::from_millis(1100)).await;
    assert!(refused_shard(&running.health()).is_some());
    Phantom::take(&world, FIRST).await.end().await;
    sleep(secs(120)).await;
    assert_eq!(refused_shard(&running.health()), None);
    assert!(running.health().is_good(), "{:?}", running.health());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_setter_has_the_last_word_on_refusals() {
    let world = world();
    let setup = Setup::empty().with_env("ON_FATAL", "stop");
    let running = world.launch(marked::App).setup(setup).start();
    let mut running = running.await.expect("a start");
    refuse(&world, Operation::GetRecords);
    timeout(secs(60), running.ended()).await.expect("an end");
    assert!(refused_shard(&running.health()).is_some(), "also in health");
    let error = running.shutdown().await.expect_err("not readable");
    assert!(
        error.to_string().contains("AccessDeniedException"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_logged_as_an_error_once_and_once_more_when_it_comes_back() {
    let (errors, _logged) = Errors::capture();
    let world = world();
    let running = world.start_app(marked::App).await;
    for times in 1..=2 {
        refuse(&world, Operation::GetRecords);
        sleep(secs(600)).await;
        assert_eq!(errors.all().len(), times);
        world.kinesis.clear_faults();
        sleep(secs(301)).await;
    }
    running.shutdown().await.expect("a clean stop");
}
