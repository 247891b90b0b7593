//! `on_fatal(..)`: what a refusal that no retry heals does to the run, to health, and to the other streams.

use std::time::Duration;

use kinesis_app::{
    Activity, Health, Running, Setup, ShardName, StreamActivity, prelude::*, spec::OnFatal,
};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::{Instant, sleep, timeout};

use crate::{
    log::Errors,
    phantom::Phantom,
    tricks::Tricks,
    world::{Entry, FIRST, Ledger, STREAM, World, ledger, secs},
};

/// Two streams, which may be refused. `ON_FATAL` has another word for it.
#[kinesis_app(name = "billing", leases(memory))]
mod marked {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw), on_fatal(mark))]
    pub(super) struct Orders;

    #[stream(name = "refunds", start(trim_horizon), codec(Raw), on_fatal(mark))]
    struct Refunds;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }

    #[on_record(Refunds)]
    async fn refund(
        _: Bytes,
        entry: Entry,
        State(ledger): State<Ledger>,
    ) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) {
        if setup.env("ON_FATAL").is_ok_and(|word| word == "stop") {
            config.stream::<Orders>().set_on_fatal(OnFatal::Stop);
            config.stream::<Refunds>().set_on_fatal(OnFatal::Stop);
        }
    }
}

fn world() -> World {
    let world = World::new(1);
    world
        .kinesis
        .create_stream("refunds", 1)
        .expect("a new stream");
    world
}

fn refuse(world: &World, operation: Operation) {
    let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
    world
        .kinesis
        .fault(Fault::new(operation, kind).stream(STREAM).always());
}

fn put_refund(world: &World, text: &str) {
    world
        .kinesis
        .put("refunds", "ada", text.to_owned())
        .expect("the stream is there");
}

/// The shard of the stream that may be refused, and its words if it is.
fn refused_shard(health: &Health) -> Option<String> {
    let name = ShardName {
        stream: "Orders",
        shard_id: FIRST.into(),
    };
    let shard = health.shards.get(&name)?;
    (shard.activity == Activity::Refused).then(|| {
        let failing = shard.failing.as_ref().expect("words");
        failing.error.clone()
    })
}

fn refused_stream(health: &Health) -> Option<String> {
    let stream = &health.streams["Orders"];
    (stream.activity == StreamActivity::Refused).then(|| {
        let failing = stream.failing.as_ref().expect("words");
        failing.error.clone()
    })
}

async fn goes_on(running: &mut Running, time: Duration) {
    assert!(
        timeout(time, running.ended()).await.is_err(),
        "the run goes on"
    );
}

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

#[tokio::test(start_paused = true)]
async fn a_start_does_not_wait_for_a_stream_that_is_refused() {
    let world = world();
    refuse(&world, Operation::ListShards);
    let running = world.start_app(marked::App).await;
    put_refund(&world, "1");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), ["1"]);
    assert!(refused_stream(&running.health()).is_some());
    running.shutdown().await.expect("a clean stop");
}

fn start_to_stop(world: &World) -> impl Future<Output = Result<Running, kinesis_app::Error>> {
    let setup = Setup::empty().with_env("ON_FATAL", "stop");
    world.launch(marked::App).setup(setup).start()
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_refused_ends_the_start_at_once_though_another_is_slow_to_open() {
    let world = world();
    refuse(&world, Operation::ListShards);
    let slow = Fault::new(Operation::GetShardIterator, FaultKind::Delay(secs(9)));
    world.kinesis.fault(slow.stream("refunds").always());
    let asked = Instant::now();
    let error = start_to_stop(&world).await.expect_err("refused");
    assert!(asked.elapsed() < secs(3), "{:?}", asked.elapsed());
    let error = error.to_string();
    assert!(error.contains("1 stream cannot be read"), "{error}");
    assert!(error.contains("stream `Orders`"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn streams_that_are_refused_one_after_the_other_are_told_of_together() {
    let world = world();
    refuse(&world, Operation::ListShards);
    let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
    let later = Fault::new(Operation::GetShardIterator, kind);
    world.kinesis.fault(later.stream("refunds").always());
    let error = start_to_stop(&world).await.expect_err("refused");
    let error = error.to_string();
    for words in ["2 streams", "ListShards was", "GetShardIterator was"] {
        assert!(error.contains(words), "{error}");
    }
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
async fn a_stream_that_is_deleted_is_marked_and_one_that_takes_its_name_is_not_taken_for_it() {
    let world = world();
    world.put("ada", "1");
    let mut running = world.start_app(marked::App).await;
    sleep(secs(5)).await;
    world
        .kinesis
        .delete_stream(STREAM)
        .expect("the stream is there");
    goes_on(&mut running, secs(600)).await;
    let words = refused_stream(&running.health()).expect("marked");
    assert!(words.contains("ResourceNotFoundException"), "{words}");

    world
        .kinesis
        .create_stream(STREAM, 1)
        .expect("the name is free");
    world.put("ada", "2");
    put_refund(&world, "3");
    goes_on(&mut running, secs(600)).await;
    assert_eq!(world.ledger.begun(), ["1", "3"]);
    let words = refused_stream(&running.health()).expect("marked");
    assert!(
        words.starts_with("it was deleted and created again"),
        "{words}"
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_replaced_under_a_run_ends_it_with_what_happened() {
    let world = World::new(1);
    world.put("ada", "1");
    let mut running = world.start().await;
    sleep(secs(5)).await;
    // Gone and back before anybody lists its shards again.
    world.kinesis.delete_stream(STREAM).expect("it is there");
    sleep(secs(2)).await;
    while world.kinesis.create_stream(STREAM, 1).is_err() {
        sleep(Duration::from_millis(100)).await;
    }
    world.put("ada", "2");
    timeout(secs(300), running.ended()).await.expect("an end");
    let error = running.shutdown().await.expect_err("another stream");
    assert!(
        error
            .to_string()
            .contains("it was deleted and created again"),
        "{error}"
    );
    assert_eq!(world.ledger.begun(), ["1"]);
}

#[tokio::test(start_paused = true)]
async fn a_key_that_may_not_be_used_is_marked_in_the_words_of_the_key_service() {
    let world = world();
    let (config, tricks) = Tricks::new(&world.kinesis);
    let running = world.launch(marked::App).aws(config).start();
    let running = running.await.expect("a start");
    sleep(secs(5)).await;
    let body = r#"{"__type":"KMSAccessDeniedException","message":"the key is not yours"}"#;
    // One for each stream.
    tricks.answer("GetRecords", 400, body, 2);
    sleep(Duration::from_millis(1100)).await;
    let words = refused_shard(&running.health()).expect("marked");
    assert_eq!(
        words,
        "GetRecords was refused: KMSAccessDeniedException: the key is not yours"
    );
    sleep(secs(60)).await;
    assert!(running.health().is_good(), "{:?}", running.health());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_key_that_may_not_be_used_ends_a_run_that_stops() {
    let world = World::new(1);
    let (config, tricks) = Tricks::new(&world.kinesis);
    let running = world.launch(ledger::App).aws(config).start();
    let mut running = running.await.expect("a start");
    sleep(secs(5)).await;
    let body = r#"{"__type":"KMSDisabledException","message":"the key is off"}"#;
    tricks.answer("GetRecords", 400, body, 1);
    timeout(secs(60), running.ended()).await.expect("an end");
    let error = running.shutdown().await.expect_err("not readable");
    assert_eq!(
        error.to_string(),
        "billing: stream `Orders` is not read any more: GetRecords was refused: KMSDisabledException: the key is off"
    );
}

/// Leases die meanwhile, and others' could be taken: nothing is handled without one.
#[cfg(feature = "dynamodb")]
#[tokio::test(start_paused = true)]
async fn a_lease_table_that_may_not_be_used_is_marked_and_used_again_when_it_may() {
    use kinesis_app_emulator::dynamodb::{self, Operation};

    let world = world();
    let leases = kinesis_app::DynamoLeases::new(&world.kinesis.sdk_config(), "leases");
    let launch = world.launch(marked::App);
    let launch = launch.leases(leases.create_if_missing());
    let mut running = launch.start().await.expect("a start");
    for operation in [
        Operation::Scan,
        Operation::GetItem,
        Operation::PutItem,
        Operation::UpdateItem,
    ] {
        let kind = dynamodb::FaultKind::Refuse(dynamodb::ErrorCode::AccessDenied);
        let fault = dynamodb::Fault::new(operation, kind);
        world.kinesis.dynamodb().fault(fault.always());
    }
    sleep(secs(10)).await;
    world.put("ada", "1");
    goes_on(&mut running, secs(600)).await;
    assert!(world.ledger.begun().is_empty());
    let words = refused_stream(&running.health()).expect("marked");
    assert!(
        words.starts_with("the lease store refused the call: ")
            && words.contains("was refused: AccessDeniedException"),
        "{words}"
    );
    world.kinesis.dynamodb().clear_faults();
    sleep(secs(301 + 30)).await;
    assert_eq!(world.ledger.begun(), ["1"]);
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

/// Whether another stream has the name is not known, so neither is whose refusal it is.
#[tokio::test(start_paused = true)]
async fn a_refusal_ends_no_run_while_the_service_does_not_say_which_stream_it_is() {
    let world = world();
    let mut running = start_to_stop(&world).await.expect("a start");
    sleep(secs(5)).await;
    let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
    world
        .kinesis
        .fault(Fault::new(Operation::GetRecords, kind).stream(STREAM));
    let throttle = Fault::new(Operation::DescribeStreamSummary, FaultKind::Throttle);
    world.kinesis.fault(throttle.always());
    world.put("ada", "1");
    goes_on(&mut running, secs(60)).await;
    assert!(world.ledger.begun().is_empty());
    world.kinesis.clear_faults();
    goes_on(&mut running, secs(60)).await;
    assert_eq!(world.ledger.begun(), ["1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_may_not_be_described_when_it_is_doubted_is_refused() {
    for marks in [false, true] {
        let world = world();
        let mut running = if marks {
            world.start_app(marked::App).await
        } else {
            start_to_stop(&world).await.expect("a start")
        };
        sleep(secs(5)).await;
        let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
        world
            .kinesis
            .fault(Fault::new(Operation::GetRecords, kind).stream(STREAM));
        refuse(&world, Operation::DescribeStreamSummary);
        world.put("ada", "1");
        if !marks {
            let end = timeout(secs(60), running.ended()).await;
            end.expect("an end");
            let error = running.shutdown().await.expect_err("refused");
            let words = "DescribeStreamSummary was refused";
            assert!(error.to_string().contains(words), "{error}");
            continue;
        }
        goes_on(&mut running, secs(60)).await;
        let words = refused_stream(&running.health()).expect("marked");
        assert!(words.starts_with("DescribeStreamSummary was"), "{words}");
        world.kinesis.clear_faults();
        goes_on(&mut running, secs(301)).await;
        assert_eq!(world.ledger.begun(), ["1"]);
        assert!(running.health().is_good(), "{:?}", running.health());
        running.shutdown().await.expect("a clean stop");
    }
}
