//! Seeks: from a handler, a hook, the program around and another instance; stream-wide and to one record.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use kinesis_app::{AppState, LeaseStore, Running, StoredStart, StreamWrite, prelude::*};
use kinesis_app_emulator::{Fault, FaultKind, Operation};
use tokio::time::{Instant, sleep, timeout};

use crate::{
    tricks::Tricks,
    world::{Deed, Entry, FIRST, Ledger, SECOND, STREAM, World, secs},
};

/// Where a handler seeks to at which record, once, and what it was told.
#[derive(Debug, Clone, Default)]
struct Plans(Arc<Mutex<Planned>>);

#[derive(Debug, Default)]
struct Planned {
    at: BTreeMap<String, Position>,
    told: Vec<Result<(), String>>,
}

impl Plans {
    fn at(&self, text: &str, position: Position) {
        self.planned().at.insert(text.into(), position);
    }

    fn told(&self) -> Vec<Result<(), String>> {
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
mod seeking {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(super) struct Orders;

    /// Only written.
    #[stream(name = "receipts", codec(Raw), create_if_missing(shards = 1))]
    pub(super) struct Receipts;

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

use seeking::{Orders, Receipts};

impl World {
    async fn start_seeking(&self, plans: &Plans, seed: u64) -> Running {
        let desk = Desk {
            ledger: self.ledger.clone(),
            plans: plans.clone(),
        };
        let launch = self.launch(seeking::App).state(desk).seed(seed);
        launch.start().await.expect("a start")
    }

    fn put_numbers(&self, numbers: std::ops::Range<u32>) {
        for number in numbers {
            self.put(&format!("key {}", number % 50), &number.to_string());
        }
    }
}

fn numbers(texts: &[String]) -> Vec<u32> {
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_seeks_to_the_tip_behind_any_backlog_leaves_the_rest_of_it_out() {
    let (world, plans) = (World::new(1), Plans::default());
    for number in 0..5000 {
        world.put("one key", &number.to_string());
    }
    plans.at("700", Position::latest());
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(20)).await;
    assert_eq!(plans.told(), [Ok(())]);
    assert_eq!(
        numbers(&world.ledger.begun()),
        (0..=700).collect::<Vec<_>>()
    );
    world.put("one key", "new");
    sleep(secs(3)).await;
    assert_eq!(world.ledger.ended().last().map(String::as_str), Some("new"));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_waits_for_no_handler_and_no_lane() {
    let (world, plans) = (World::new(2), Plans::default());
    world.ledger.always(Deed::Take(secs(3600)));
    world.put_numbers(0..500);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(5)).await;
    let before = world.ledger.begun().len();
    let asked = Instant::now();
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::latest()).await.expect("sought");
    assert!(asked.elapsed() < secs(1), "{:?}", asked.elapsed());
    sleep(secs(30)).await;
    assert_eq!(world.ledger.begun().len(), before, "nothing old begins");
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn when_a_seek_returns_nothing_that_was_read_before_begins_any_more() {
    let (world, plans) = (World::new(2), Plans::default());
    world.put_numbers(0..2000);
    world.ledger.always(Deed::Take(Duration::from_millis(100)));
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(6)).await;
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::latest()).await.expect("sought");
    let begun = world.ledger.begun().len();
    assert!(begun < 1000, "there is a backlog: {begun}");
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun().len(), begun);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn the_tip_is_behind_the_newest_record_on_shards_that_are_read_here() {
    let (world, plans) = (World::new(1), Plans::default());
    let running = world.start_seeking(&plans, 1).await;
    world.ledger.plan("1", [Deed::Take(secs(4))]);
    world.put_all("ada", ["1", "2", "3"]);
    sleep(secs(2)).await;
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::latest()).await.expect("sought");
    world.put("ada", "4");
    sleep(secs(10)).await;
    let begun = world.ledger.begun();
    assert_eq!(begun, ["1", "4"], "none of the seconds before comes");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn the_program_around_seeks_to_the_horizon_and_to_a_time() {
    let (world, plans) = (World::new(2), Plans::default());
    world.put_all("ada", ["1", "2"]);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(60)).await;
    let then = world.kinesis.now();
    sleep(secs(60)).await;
    world.put("ada", "3");
    sleep(secs(5)).await;
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    sleep(secs(3)).await;
    assert_eq!(world.ledger.ended(), ["1", "2", "3", "1", "2", "3"]);
    seeker
        .seek(Position::timestamp(then))
        .await
        .expect("sought");
    sleep(secs(3)).await;
    assert_eq!(world.ledger.ended()[6..], ["3"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_hook_seeks_when_the_application_is_ready() {
    let (world, plans) = (World::new(1), Plans::default());
    world.put_all("ada", ["1", "2"]);
    world.ledger.plan("1", [Deed::Hang]);
    plans.at("ready", Position::latest());
    let running = world.start_seeking(&plans, 1).await;
    world.put("bob", "3");
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended(), ["3"]);
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn other_instances_follow_a_seek_within_moments() {
    let (world, plans) = (World::new(2), Plans::default());
    world.put_numbers(0..20);
    let one = world.start_seeking(&plans, 1).await;
    let two = world.start_seeking(&plans, 2).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended().len(), 20);
    let seeker = two.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended().len(), 40);
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_crash_right_after_a_seek_takes_nothing_of_it_away() {
    let (world, plans) = (World::new(2), Plans::default());
    world.put_numbers(0..20);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(10)).await;
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    drop(running);
    let running = world.start_seeking(&plans, 2).await;
    sleep(secs(30)).await;
    let ended = numbers(&world.ledger.ended());
    assert!((0..20).all(|number| ended.iter().filter(|other| **other == number).count() >= 2));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_at_a_shards_end_returns_and_parents_come_before_their_children_again() {
    let (world, plans) = (World::new(1), Plans::default());
    world.put_all("ada", ["a1", "a2"]);
    plans.at("a2", Position::horizon());
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(30)).await;
    assert_eq!(plans.told(), [Ok(())]);
    assert_eq!(world.ledger.ended(), ["a1", "a2", "a1", "a2", "left"]);
    // And from below: the children are read, and everything begins at the top again.
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    sleep(secs(30)).await;
    assert_eq!(world.ledger.ended()[5..], ["a1", "a2", "left"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn shards_that_are_found_later_begin_where_the_seek_says() {
    let (world, plans) = (World::new(1), Plans::default());
    world.put("ada", "old");
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(60)).await;
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::latest()).await.expect("sought");
    sleep(secs(10)).await;
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    sleep(secs(30)).await;
    let mut ended = world.ledger.ended();
    ended.sort();
    assert_eq!(ended, ["left", "old", "right"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn two_that_seek_at_once_both_do_and_the_later_one_counts() {
    let (world, plans) = (World::new(2), Plans::default());
    world.put_numbers(0..20);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(10)).await;
    let seeker = running.seeker::<Orders>();
    let (one, two) = tokio::join!(
        seeker.seek(Position::horizon()),
        seeker.seek(Position::horizon())
    );
    assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
    sleep(secs(5)).await;
    let row = world
        .leases
        .stream("billing:orders")
        .await
        .expect("a memory");
    let generation = row.expect("met").generation;
    assert!((1..=2).contains(&generation), "{generation}");
    let ended = numbers(&world.ledger.ended());
    assert!((0..20).all(|number| ended.iter().filter(|other| **other == number).count() >= 2));
    running.shutdown().await.expect("a clean stop");
}

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
async fn a_seek_that_the_service_refuses_changes_nothing() {
    let (world, plans) = (World::new(2), Plans::default());
    let (config, tricks) = Tricks::new(&world.kinesis);
    world.ledger.always(Deed::Take(Duration::from_millis(100)));
    world.put_numbers(0..500);
    let desk = Desk {
        ledger: world.ledger.clone(),
        plans: plans.clone(),
    };
    let launch = world.launch(seeking::App).aws(config).state(desk);
    let running = launch.start().await.expect("a start");
    sleep(secs(3)).await;
    let refused = r#"{"__type":"InvalidArgumentException","message":"no"}"#;
    tricks.answer("GetShardIterator", 400, refused, 1);
    let seeker = running.seeker::<Orders>();
    let error = seeker.seek(Position::latest()).await.expect_err("refused");
    assert!(!error.is_retryable() && !error.is_unknown(), "{error}");
    assert!(error.to_string().contains("InvalidArgumentException"));
    let error = seeker
        .seek(Position::sequence(FIRST, "no number"))
        .await
        .expect_err("no sequence number");
    assert!(matches!(error, SeekError::Service { .. }), "{error}");
    sleep(secs(60)).await;
    let mut ended = numbers(&world.ledger.ended());
    ended.sort_unstable();
    assert_eq!(ended, (0..500).collect::<Vec<_>>(), "each once");
    let row = world
        .leases
        .stream("billing:orders")
        .await
        .expect("a memory");
    assert_eq!(row.expect("met").generation, 0);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_outlasts_throttles() {
    let (world, plans) = (World::new(1), Plans::default());
    let (config, tricks) = Tricks::new(&world.kinesis);
    world.put_all("ada", ["1", "2"]);
    let desk = Desk {
        ledger: world.ledger.clone(),
        plans: plans.clone(),
    };
    let launch = world.launch(seeking::App).aws(config).state(desk);
    let running = launch.start().await.expect("a start");
    sleep(secs(3)).await;
    let throttled = r#"{"__type":"LimitExceededException","message":"slow down"}"#;
    tricks.answer("DescribeStreamSummary", 400, throttled, 2);
    let slow = r#"{"__type":"ProvisionedThroughputExceededException","message":"slow down"}"#;
    tricks.answer("GetShardIterator", 400, slow, 2);
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended(), ["1", "2", "1", "2"]);
    running.shutdown().await.expect("a clean stop");
}

#[cfg(feature = "dynamodb")]
#[tokio::test(start_paused = true)]
async fn a_seek_whose_answer_is_lost_is_done_once_and_one_that_is_never_answered_is_unknown() {
    use kinesis_app_emulator::dynamodb::{Fault, FaultKind, Operation};

    let (world, plans) = (World::new(1), Plans::default());
    let leases = || kinesis_app::DynamoLeases::new(&world.kinesis.sdk_config(), "leases");
    world.put_all("ada", ["1", "2"]);
    let desk = Desk {
        ledger: world.ledger.clone(),
        plans: plans.clone(),
    };
    let launch = world.launch(seeking::App).state(desk);
    let launch = launch.leases(leases().create_if_missing());
    let running = launch.start().await.expect("a start");
    sleep(Duration::from_millis(3500)).await;
    let seeker = running.seeker::<Orders>();
    let fault = |kind| Fault::new(Operation::UpdateItem, kind).key("billing:orders");
    world.kinesis.dynamodb().fault(fault(FaultKind::AnswerLost));
    seeker.seek(Position::horizon()).await.expect("sought");
    let generation = async || {
        let row = leases().stream("billing:orders").await.expect("an answer");
        row.expect("met").generation
    };
    assert_eq!(generation().await, 1);
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended(), ["1", "2", "1", "2"]);
    world
        .kinesis
        .dynamodb()
        .fault(fault(FaultKind::Reset).times(20));
    let error = seeker
        .seek(Position::horizon())
        .await
        .expect_err("no answer");
    assert!(error.is_unknown() && error.is_retryable(), "{error}");
    assert_eq!(generation().await, 1);
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn a_position_ahead_of_the_services_clock_is_refused_and_says_by_how_much() {
    let (world, plans) = (World::new(1), Plans::default());
    let running = world.start_seeking(&plans, 1).await;
    let seeker = running.seeker::<Orders>();
    let ahead = world.kinesis.now() + secs(3600);
    let error = seeker.seek(Position::timestamp(ahead)).await;
    let error = error.expect_err("in the future");
    assert!(
        matches!(error, SeekError::InTheFuture { ahead_seconds, .. } if ahead_seconds.abs_diff(3600) <= 1)
    );
    assert!(!error.is_retryable());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_without_a_handler_has_nothing_to_seek() {
    let (world, plans) = (World::new(1), Plans::default());
    let running = world.start_seeking(&plans, 1).await;
    let error = running.seeker::<Receipts>().seek(Position::latest()).await;
    let error = error.expect_err("no handler");
    assert!(matches!(
        error,
        SeekError::NotConsumed { stream: "Receipts" }
    ));
    assert_eq!(
        error.to_string(),
        "`Receipts` has no handler in this application\nhelp: seek in the application whose `#[on_record(Receipts)]` reads it"
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn after_a_shutdown_and_after_a_crash_a_seek_is_an_error_that_changes_nothing() {
    let (world, plans) = (World::new(1), Plans::default());
    world.put_all("ada", ["1", "2"]);
    let running = world.start_seeking(&plans, 1).await;
    let stopped = running.seeker::<Orders>();
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    let running = world.start_seeking(&plans, 2).await;
    let crashed = running.seeker::<Orders>();
    drop(running);
    for seeker in [stopped, crashed] {
        let error = seeker.seek(Position::horizon()).await.expect_err("over");
        assert!(matches!(error, SeekError::NotRunning { stream: "Orders" }));
        assert!(!error.is_retryable());
    }
    let running = world.start_seeking(&plans, 3).await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["1", "2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_seeks_while_its_application_stops_holds_no_stop_up() {
    let (world, plans) = (World::new(1), Plans::default());
    let last = world.put("ada", "1");
    world.put("ada", "2");
    plans.at("2", Position::sequence(FIRST, &last));
    world.ledger.plan("1", [Deed::Take(secs(3))]);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(1)).await;
    let stop = timeout(secs(15), running.shutdown()).await;
    stop.expect("in its bound").expect("a clean stop");
    assert_eq!(world.ledger.ended(), ["1"]);
    let running = world.start_seeking(&plans, 2).await;
    sleep(secs(5)).await;
    assert_eq!(plans.told(), [Ok(())]);
    assert_eq!(world.ledger.ended(), ["1", "2", "1", "2"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_in_the_middle_of_a_hand_over_waits_for_it_no_more_than_it_holds_it_up() {
    let (world, plans) = (World::new(2), Plans::default());
    let one = world.start_seeking(&plans, 1).await;
    world.ledger.always(Deed::Take(secs(8)));
    world.put_numbers(0..6);
    sleep(secs(2)).await;
    assert!(world.ledger.running() > 0, "what is handed over is busy");
    let two = world.start_seeking(&plans, 2).await;
    sleep(secs(2)).await;
    world.ledger.always(Deed::Take(Duration::ZERO));
    let asked = Instant::now();
    let seeker = one.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    assert!(asked.elapsed() < secs(1), "{:?}", asked.elapsed());
    sleep(secs(60)).await;
    let counts = [&one, &two].map(|running| running.health().shards.len());
    assert_eq!(counts, [1, 1]);
    let ended = numbers(&world.ledger.ended());
    assert!((0..6).all(|number| ended.iter().filter(|other| **other == number).count() >= 2));
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_handler_whose_seek_is_never_answered_holds_a_stop_up_for_its_timeout_and_no_longer() {
    let (world, plans) = (World::new(1), Plans::default());
    world.put("ada", "1");
    plans.at("1", Position::horizon());
    let running = world.start_seeking(&plans, 1).await;
    let hangs = Fault::new(Operation::DescribeStreamSummary, FaultKind::Hang);
    world.kinesis.fault(hangs.always());
    sleep(secs(2)).await;
    let asked = Instant::now();
    running.shutdown().await.expect("a clean stop");
    assert!(asked.elapsed() <= secs(11), "{:?}", asked.elapsed());
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
