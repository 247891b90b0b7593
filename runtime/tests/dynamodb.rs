//! Leases in DynamoDB: the embedded one, under the unmodified SDK, in virtual time.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use kinesis_app::{DynamoLeases, Error, Launch, Running, Setup, check_lease_store, prelude::*};
use kinesis_app_emulator::{Kinesis, dynamodb};
use tokio::time::{Instant, sleep};

const STREAM: &str = "orders";
const TABLE: &str = "billing-leases";

#[derive(Debug, Clone, Default)]
pub(crate) struct Handled(Arc<Mutex<Vec<String>>>);

#[kinesis_app(name = "billing", leases(memory))]
mod billing {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Handled, String> {
        Ok(Handled::default())
    }

    #[on_record(Orders, concurrency = 8)]
    async fn book(bytes: Bytes, State(handled): State<Handled>) -> Outcome {
        handled
            .0
            .lock()
            .expect("alone")
            .push(String::from_utf8_lossy(&bytes).into_owned());
        Outcome::Done
    }
}

struct World {
    kinesis: Kinesis,
    handled: Handled,
}

impl World {
    fn new(shards: u32) -> Self {
        let kinesis = Kinesis::builder()
            .seed(1)
            .latency(Duration::from_millis(5))
            .build();
        kinesis.create_stream(STREAM, shards).expect("a new stream");
        Self {
            kinesis,
            handled: Handled::default(),
        }
    }

    fn leases(&self) -> DynamoLeases {
        DynamoLeases::new(&self.kinesis.sdk_config(), TABLE)
    }

    fn launch(&self, leases: DynamoLeases) -> Launch<billing::App> {
        let launch = kinesis_app::launch(billing::App)
            .setup(Setup::empty())
            .aws(self.kinesis.sdk_config());
        launch.leases(leases).state(self.handled.clone())
    }

    async fn start(&self) -> Running {
        self.launch(self.leases().create_if_missing())
            .start()
            .await
            .expect("a start")
    }

    fn put(&self, texts: std::ops::Range<u32>) {
        for text in texts {
            self.kinesis
                .put(STREAM, &format!("k{}", text % 7), text.to_string())
                .expect("the stream is there");
        }
    }

    fn handled(&self) -> Vec<u32> {
        let mut texts: Vec<_> = self
            .handled
            .0
            .lock()
            .expect("alone")
            .iter()
            .map(|text| text.parse().expect("a number"))
            .collect();
        texts.sort_unstable();
        texts
    }
}

fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

#[tokio::test(start_paused = true)]
async fn the_dynamodb_store_keeps_the_promises_of_the_lease_table() {
    let world = World::new(1);
    check_lease_store(&world.leases().create_if_missing(), "conformance").await;
}

#[tokio::test(start_paused = true)]
async fn a_table_that_does_not_exist_fails_the_start_with_its_name_and_what_to_do() {
    let world = World::new(1);
    let error = world
        .launch(world.leases())
        .start()
        .await
        .expect_err("no table");
    assert!(matches!(error, Error::Leases { .. }));
    assert_eq!(
        error.to_string(),
        "billing: the lease store cannot be used: the lease store refused the call: the lease table `billing-leases` does not exist\n\
         help: create it with the string hash key `lease_key`, or say `create_if_missing`"
    );
}

#[tokio::test(start_paused = true)]
async fn checkpoints_outlive_the_process_and_a_successor_goes_on_behind_them() {
    let world = World::new(2);
    world.put(0..100);
    let running = world.start().await;
    sleep(secs(10)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.handled(), (0..100).collect::<Vec<_>>());
    world
        .kinesis
        .split(STREAM, "shardId-000000000000")
        .expect("a split");
    world.put(100..200);
    let asked = Instant::now();
    let running = world.start().await;
    assert!(
        asked.elapsed() < secs(2),
        "released leases are free at once: {:?}",
        asked.elapsed()
    );
    sleep(secs(20)).await;
    assert_eq!(world.handled(), (0..200).collect::<Vec<_>>(), "each once");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_crashed_instance_is_replaced_and_nothing_is_lost() {
    let world = World::new(4);
    let one = world.start().await;
    let two = world.start().await;
    world.put(0..50);
    sleep(secs(5)).await;
    drop(one);
    world.put(50..100);
    sleep(secs(40)).await;
    let mut handled = world.handled();
    handled.dedup();
    assert_eq!(handled, (0..100).collect::<Vec<_>>());
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn answers_that_are_lost_and_throttles_lose_no_lease_and_no_record() {
    let world = World::new(2);
    let running = world.start().await;
    let tables = world.kinesis.dynamodb();
    for kind in [
        dynamodb::FaultKind::AnswerLost,
        dynamodb::FaultKind::Throttle,
        dynamodb::FaultKind::InternalFailure,
        dynamodb::FaultKind::Reset,
    ] {
        tables.fault(dynamodb::Fault::new(dynamodb::Operation::UpdateItem, kind).times(3));
        world.put(0..1);
        sleep(secs(20)).await;
        world.handled.0.lock().expect("alone").clear();
    }
    world.put(0..50);
    sleep(secs(10)).await;
    assert_eq!(world.handled(), (0..50).collect::<Vec<_>>());
    assert!(running.health().is_good());
    running.shutdown().await.expect("a clean stop");
}

/// Lost owners and refused conditions are answered with HTTP 400; one that is cut on its way is no verdict on the request.
#[tokio::test(start_paused = true)]
async fn a_refusal_that_is_cut_on_its_way_ends_no_run() {
    let world = World::new(1);
    let mut running = world.start().await;
    let tables = world.kinesis.dynamodb();
    // The rows of the children exist already when the second creation of each is answered, and cut.
    for operation in [
        dynamodb::Operation::PutItem,
        dynamodb::Operation::UpdateItem,
    ] {
        tables.fault(dynamodb::Fault::new(
            operation,
            dynamodb::FaultKind::AnswerLost,
        ));
        tables.fault(dynamodb::Fault::new(operation, dynamodb::FaultKind::TruncatedBody).times(3));
    }
    world
        .kinesis
        .split(STREAM, "shardId-000000000000")
        .expect("a split");
    world.put(0..20);
    let ended = tokio::time::timeout(secs(120), running.ended()).await;
    assert!(ended.is_err(), "{:?}", running.shutdown().await);
    assert_eq!(world.handled(), (0..20).collect::<Vec<_>>());
}
