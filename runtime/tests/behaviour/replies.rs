//! Rule 8: what a handler with `publish(..)` returns is stored before its record is done.

use kinesis_app::{Activity, Application, Running, prelude::*};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use md5::{Digest, Md5};
use serde::Deserialize;
use tokio::time::{Instant, sleep};

use crate::world::{Deed, Entry, FIRST, Ledger, SECOND, World, secs};

/// What is to be done with an order.
#[derive(Debug, Deserialize)]
pub(crate) struct Order {
    id: u64,
    /// Keys and texts.
    #[serde(default)]
    replies: Vec<(String, String)>,
    /// One `x` so often in place of the texts.
    #[serde(default)]
    size: usize,
}

impl Order {
    async fn handle(
        &self,
        key: &str,
        attempt: Attempt,
        ledger: &Ledger,
    ) -> Result<Outcome, String> {
        let entry = Entry {
            key: key.into(),
            text: self.id.to_string(),
            shard_id: String::new(),
            attempt: attempt.get(),
        };
        ledger.handle(entry).await
    }

    fn replies(self) -> Vec<Keyed<Bytes>> {
        let size = self.size;
        let payload = |text: String| match size {
            0 => Bytes::from(text),
            size => vec![b'x'; size].into(),
        };
        let replies = self.replies.into_iter();
        replies
            .map(|(key, text)| payload(text).keyed(key))
            .collect()
    }
}

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod several {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    struct Orders;

    #[stream(name = "receipts", codec(Raw))]
    struct Receipts;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders, concurrency = 4, publish(Receipts))]
    async fn book(
        order: Order,
        key: PartitionKey,
        attempt: Attempt,
        State(ledger): State<Ledger>,
    ) -> Result<Vec<Keyed<Bytes>>, String> {
        order.handle(&key, attempt, &ledger).await?;
        Ok(order.replies())
    }
}

/// Replies to every other order.
#[kinesis_app(name = "billing", leases(memory))]
mod perhaps {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    struct Orders;

    #[stream(name = "receipts", codec(Raw))]
    struct Receipts;

    #[on_record(Orders, publish(Receipts))]
    async fn book(order: Order, headers: Headers) -> Option<Keyed<String>> {
        assert_eq!(
            headers.get("trace-id"),
            Some("1"),
            "of the record, and not of its reply"
        );
        let reply = order.id.to_string().keyed("ada").header("made-by", "book");
        order.id.is_multiple_of(2).then_some(reply)
    }
}

#[kinesis_app(name = "billing", leases(memory))]
mod either {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    struct Orders;

    #[stream(name = "receipts", codec(Raw))]
    struct Receipts;

    #[on_record(Orders, publish(Receipts))]
    async fn book(order: Order) -> Reply<String> {
        match order.id {
            1 => Reply::Outcome(Outcome::Skip),
            2 => Reply::Outcome(Outcome::halt("the ledger is closed")),
            id => Reply::Send(id.to_string().keyed("ada")),
        }
    }
}

/// A handler whose replies go to a stream of another module.
#[kinesis_app(name = "billing", leases(memory))]
mod elsewhere {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    struct Orders;

    #[on_record(Orders, publish(crate::replies::Shared))]
    async fn book(order: Order) -> Keyed<String> {
        order.id.to_string().keyed("ada")
    }
}

#[kinesis_app::stream(name = "receipts", codec(Raw))]
struct Shared;

fn world() -> World {
    let world = World::new(1);
    world.kinesis.create_stream("receipts", 2).unwrap();
    world
}

async fn start_stateless(world: &World, app: impl Application) -> Running {
    let launch = kinesis_app::launch(app)
        .setup(kinesis_app::Setup::empty())
        .aws(world.kinesis.sdk_config())
        .leases(world.leases.clone())
        .seed(world.seed);
    launch.start().await.expect("a start")
}

/// An order with replies to these keys.
fn order(id: u64, replies: &[(&str, &str)]) -> String {
    let replies: Vec<_> = replies
        .iter()
        .map(|(key, text)| format!(r#"["{key}","{text}"]"#))
        .collect();
    format!(r#"{{"id":{id},"replies":[{}]}}"#, replies.join(","))
}

/// A key of a record in this shard of `receipts`.
fn key_in(shard_id: &str) -> &'static str {
    let keys = ["ada", "eve", "bob", "kim", "lea", "max"];
    let is_in = |key: &&str| (Md5::digest(key)[0] < 0x80) == (shard_id == FIRST);
    keys.into_iter().find(is_in).expect("one of them is there")
}

fn receipts(world: &World, shard_id: &str) -> Vec<String> {
    let records = world.kinesis.records("receipts", shard_id);
    let text = |data: &[u8]| String::from_utf8_lossy(data).into_owned();
    records.iter().map(|record| text(&record.data)).collect()
}

fn throttle(world: &World, shard_id: &str) {
    let fault = Fault::new(Operation::PutRecords, FaultKind::Throttle);
    world
        .kinesis
        .fault(fault.stream("receipts").shard(shard_id).always());
}

fn shard(running: &Running) -> kinesis_app::ShardHealth {
    let health = running.health();
    health.shards.into_values().next().expect("one shard")
}

#[tokio::test(start_paused = true)]
async fn a_reply_is_stored_before_the_checkpoint_passes_its_record() {
    let world = world();
    let last = world.put("a", &order(1, &[("ada", "one")]));
    let slow = Fault::new(Operation::PutRecords, FaultKind::Delay(secs(20)));
    world.kinesis.fault(slow.stream("receipts"));
    let running = world.start_app(several::App).await;
    sleep(secs(9)).await;
    assert_eq!(world.ledger.ended(), ["1"]);
    assert_eq!(world.checkpoint(FIRST), None, "its answer is not there yet");
    sleep(secs(30)).await;
    assert_eq!(world.checkpoint(FIRST), Some(last));
    assert_eq!(world.ledger.begun(), ["1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_is_handled_again_after_a_crash_between_its_reply_and_its_checkpoint() {
    let world = world();
    world.put("a", &order(1, &[(key_in(FIRST), "one")]));
    let running = world.start_app(several::App).await;
    while receipts(&world, FIRST).is_empty() {
        sleep(secs(1) / 10).await;
    }
    drop(running);
    assert_eq!(world.checkpoint(FIRST), None);
    let running = world.start_app(several::App).await;
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["1", "1"]);
    assert_eq!(receipts(&world, FIRST), ["one", "one"]);
    assert!(world.checkpoint(FIRST).is_some());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_not_taken_waits_in_sight_and_its_handler_is_not_called_again() {
    let world = world();
    let (first, second) = (key_in(FIRST), key_in(SECOND));
    throttle(&world, FIRST);
    world.put("a", &order(1, &[(first, "one")]));
    world.put("a", &order(2, &[]));
    world.put("b", &order(3, &[(second, "three")]));
    let running = world.start_app(several::App).await;
    sleep(secs(600)).await;
    assert_eq!(
        world.ledger.begun(),
        ["1", "3"],
        "its key waits, and others go on"
    );
    assert_eq!(receipts(&world, SECOND), ["three"]);
    assert_eq!(world.checkpoint(FIRST), None);
    let unstored = shard(&running).unstored.expect("in sight");
    assert_eq!(unstored.records, 1);
    assert!(
        unstored
            .error
            .contains("ProvisionedThroughputExceededException"),
        "{unstored:?}"
    );
    assert!(!running.health().is_good());

    world.kinesis.clear_faults();
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["1", "3", "2"]);
    assert_eq!(receipts(&world, FIRST), ["one"]);
    assert_eq!(shard(&running).unstored, None);
    assert!(running.health().is_good());
    assert_eq!(shard(&running).settled, 3);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn many_replies_that_wait_keep_no_handler_from_running() {
    let world = world();
    throttle(&world, FIRST);
    for id in 1..=40 {
        world.put(&id.to_string(), &order(id, &[(key_in(FIRST), "late")]));
    }
    let running = world.start_app(several::App).await;
    sleep(secs(3_600)).await;
    world.put("x", &order(99, &[(key_in(SECOND), "now")]));
    let began = Instant::now();
    while receipts(&world, SECOND).is_empty() && began.elapsed() < secs(60) {
        sleep(secs(1)).await;
    }
    assert!(began.elapsed() < secs(5), "{:?}", began.elapsed());
    world.kinesis.clear_faults();
    sleep(secs(120)).await;
    assert_eq!(receipts(&world, FIRST).len(), 40);
    assert_eq!(world.ledger.begun().len(), 41, "each once");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn what_is_missing_of_several_replies_is_sent_again_in_the_order_of_its_key() {
    let world = world();
    let (first, second) = (key_in(FIRST), key_in(SECOND));
    throttle(&world, FIRST);
    let replies = [
        (first, "1"),
        (second, "2"),
        (first, "3"),
        (second, "4"),
        (first, "5"),
    ];
    world.put("a", &order(1, &replies));
    let running = world.start_app(several::App).await;
    sleep(secs(90)).await;
    assert_eq!(receipts(&world, SECOND), ["2", "4"]);
    assert!(receipts(&world, FIRST).is_empty());
    world.kinesis.clear_faults();
    sleep(secs(60)).await;
    assert_eq!(receipts(&world, FIRST), ["1", "3", "5"]);
    assert_eq!(receipts(&world, SECOND), ["2", "4"], "once");
    assert_eq!(world.ledger.begun(), ["1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_too_large_for_its_stream_halts_the_shard_at_once_and_says_both_sizes() {
    let world = world();
    world.put(
        "a",
        r#"{"id":1,"replies":[["ada","small"],["ada","x"]],"size":1048576}"#,
    );
    let running = world.start_app(several::App).await;
    sleep(secs(5)).await;
    let Activity::Halted { reason, .. } = shard(&running).activity else {
        panic!("{:?}", shard(&running));
    };
    let sizes =
        "record of 1048579 bytes is larger than stream `Receipts` takes; the most is 1048576 bytes";
    assert!(reason.contains(sizes), "{reason}");
    assert_eq!(world.ledger.begun(), ["1"], "no other attempt heals it");
    assert_eq!(world.checkpoint(FIRST), None);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn no_reply_of_several_is_sent_if_one_can_never_be() {
    let world = world();
    world.put("a", &order(1, &[("ada", "good"), ("", "without a key")]));
    let running = world.start_app(several::App).await;
    sleep(secs(5)).await;
    let Activity::Halted { reason, .. } = shard(&running).activity else {
        panic!("{:?}", shard(&running));
    };
    assert!(reason.contains("partition key is empty"), "{reason}");
    assert!(receipts(&world, FIRST).is_empty() && receipts(&world, SECOND).is_empty());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_refuses_replies_keeps_them_until_a_person_mended_it() {
    let world = world();
    let refused = FaultKind::Refuse(ErrorCode::AccessDenied);
    let fault = Fault::new(Operation::PutRecords, refused);
    world.kinesis.fault(fault.stream("receipts").always());
    world.put("a", &order(1, &[(key_in(FIRST), "one")]));
    let running = world.start_app(several::App).await;
    sleep(secs(300)).await;
    let unstored = shard(&running).unstored.expect("in sight");
    assert!(unstored.error.contains("AccessDenied"), "{unstored:?}");
    world.kinesis.clear_faults();
    sleep(secs(60)).await;
    assert_eq!(receipts(&world, FIRST), ["one"]);
    assert_eq!(world.ledger.begun(), ["1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_err_publishes_nothing_and_is_tried_again() {
    let world = world();
    world.ledger.plan("1", [Deed::Fail, Deed::Panic]);
    world.put("a", &order(1, &[(key_in(FIRST), "one")]));
    let running = world.start_app(several::App).await;
    sleep(secs(30)).await;
    assert_eq!(world.ledger.begun(), ["1", "1", "1"]);
    assert_eq!(receipts(&world, FIRST), ["one"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_in_its_time_with_replies_under_way_and_leaves_their_records_to_the_next() {
    let world = world();
    throttle(&world, FIRST);
    world.put("a", &order(1, &[(key_in(FIRST), "one")]));
    let running = world.start_app(several::App).await;
    sleep(secs(100)).await;
    let began = Instant::now();
    running.shutdown().await.expect("a clean stop");
    // Handlers have their 10 s, and then what was published has.
    assert!(began.elapsed() <= secs(21), "{:?}", began.elapsed());
    assert_eq!(world.checkpoint(FIRST), None);
    world.kinesis.clear_faults();
    let running = world.start_app(several::App).await;
    sleep(secs(30)).await;
    assert_eq!(receipts(&world, FIRST), ["one"]);
    assert!(world.checkpoint(FIRST).is_some());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn none_publishes_nothing_and_a_reply_bears_its_own_headers_alone() {
    let world = world();
    let mut last = String::new();
    for id in 1..=4 {
        let order = format!("RSK1\0\0\0\x0btrace-id: 1{{\"id\":{id}}}");
        last = world.put("a", &order);
    }
    let running = start_stateless(&world, perhaps::App).await;
    sleep(secs(10)).await;
    let texts = [receipts(&world, FIRST), receipts(&world, SECOND)].concat();
    assert_eq!(texts.len(), 2);
    for (text, id) in texts.iter().zip(["2", "4"]) {
        assert!(text.contains("made-by") && text.ends_with(id), "{text:?}");
        assert!(!text.contains("trace-id"), "{text:?}");
    }
    assert_eq!(world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_may_reply_may_return_an_outcome_instead() {
    let world = world();
    for id in [0, 1, 2, 3] {
        world.put("a", &order(id, &[]));
    }
    let running = start_stateless(&world, either::App).await;
    sleep(secs(10)).await;
    assert_eq!(
        [receipts(&world, FIRST), receipts(&world, SECOND)].concat(),
        ["0"]
    );
    assert_eq!(shard(&running).skipped, 1);
    assert!(
        matches!(shard(&running).activity, Activity::Halted { reason, .. } if reason == "the ledger is closed")
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn replies_may_go_to_a_stream_that_is_declared_elsewhere() {
    let world = world();
    world.put("a", &order(7, &[]));
    let running = start_stateless(&world, elsewhere::App).await;
    sleep(secs(5)).await;
    assert_eq!(
        [receipts(&world, FIRST), receipts(&world, SECOND)].concat(),
        ["7"]
    );
    running.shutdown().await.expect("a clean stop");
}
