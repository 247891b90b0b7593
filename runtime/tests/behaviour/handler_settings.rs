//! What `#[configure]` may say of a handler, by the rules that its attribute is checked with.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use kinesis_app::{Launch, Permanent, Setup, prelude::*, spec::GiveUp};
use tokio::time::{Instant, sleep};

use crate::world::{FIRST, World, secs};

#[kinesis_app(name = "billing", leases(memory))]
mod shop {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(super) struct Orders;

    #[stream(name = "views", codec(Raw))]
    pub(super) struct Views;

    #[stream(name = "rejected", codec(Raw))]
    pub(super) struct Rejected;

    #[on_record(Orders, ordered(shard))]
    async fn book(order: Bytes) -> Result<(), Permanent> {
        match &*order {
            b"hang" => std::future::pending().await,
            b"bad" => Err(permanent("closed account")),
            _ => Ok(()),
        }
    }

    #[on_batch(Views, max_records = 10)]
    async fn count(views: Batch<Bytes>, State(calls): State<Calls>) -> BatchOutcome {
        let call = (views.len(), Instant::now());
        calls.0.lock().expect("no test panics with it").push(call);
        views.done()
    }

    #[on_start]
    async fn open() -> Result<Calls, String> {
        Ok(Calls::default())
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) {
        (super::settings(&setup.env("CASE").unwrap_or_default()))(config);
    }
}

/// How many records batches had, and when they were handled.
#[derive(Debug, Clone, Default)]
struct Calls(Arc<Mutex<Vec<(usize, Instant)>>>);

/// What a test has to say.
fn settings(case: &str) -> fn(&mut AppConfig) {
    match case {
        "good" => |config| {
            let mut orders = config.handler::<shop::Orders>();
            let set = orders
                .set_timeout(secs(2))
                .and_then(|orders| orders.set_attempts(2))
                .and_then(|orders| orders.set_backoff(secs(1)));
            set.expect("in range")
                .set_exhausted(GiveUp::to::<shop::Rejected>());
            let mut views = config.handler::<shop::Views>();
            let set = views.set_max_records(500);
            set.and_then(|views| views.set_max_wait(secs(1)))
                .expect("in range");
        },
        "numbers" => |config| {
            let mut orders = config.handler::<shop::Orders>();
            let _ = orders.set_concurrency(0);
            let _ = orders.set_total_concurrency(0);
            let _ = orders.set_attempts(0);
            let _ = orders.set_backoff(Duration::ZERO);
            let _ = orders.set_max_backoff(secs(90_000));
            let _ = orders.set_timeout(secs(90_000));
            let _ = orders.set_max_records(5);
            let mut views = config.handler::<shop::Views>();
            let _ = views.set_concurrency(2);
            let _ = views.set_max_records(0);
            let _ = views.set_max_wait(secs(4_000));
            let _ = config.handler::<shop::Rejected>();
        },
        "together" => |config| {
            let mut orders = config.handler::<shop::Orders>();
            let set = orders.set_concurrency(8);
            let set = set.and_then(|orders| orders.set_total_concurrency(4));
            let set = set.and_then(|orders| orders.set_backoff(secs(60)));
            set.expect("each alone is in range")
                .set_exhausted(GiveUp::to::<shop::Views>())
                .set_undecodable(GiveUp::to::<Stranger>());
            config
                .handler::<shop::Views>()
                .set_exhausted(GiveUp::to::<shop::Orders>());
        },
        _ => |_| {},
    }
}

#[kinesis_app::stream(name = "elsewhere", codec(Raw))]
struct Stranger;

fn world() -> World {
    let world = World::new(1);
    for stream in ["views", "rejected"] {
        world
            .kinesis
            .create_stream(stream, 1)
            .expect("a new stream");
    }
    world
}

fn launch(world: &World, case: &str) -> Launch<shop::App> {
    kinesis_app::launch(shop::App)
        .setup(Setup::empty().with_env("CASE", case))
        .aws(world.kinesis.sdk_config())
        .leases(world.leases.clone())
}

async fn start(world: &World, case: &str) -> Result<kinesis_app::Running, kinesis_app::Error> {
    launch(world, case).start().await
}

#[tokio::test(start_paused = true)]
async fn a_handler_goes_by_what_configure_says() {
    let world = world();
    world.put("ada", "hang");
    world.put("ada", "bad");
    let last = world.put("ada", "good");
    let calls = Calls::default();
    let launch = launch(&world, "good").state(calls.clone());
    let running = launch.start().await.expect("a start");
    let put_at = Instant::now();
    for view in 0..20 {
        let put = world.kinesis.put("views", "ada", view.to_string());
        put.expect("the stream is there");
    }
    sleep(secs(4)).await;
    let [(records, at)] = *calls.0.lock().expect("no test panics with it").as_slice() else {
        panic!("one batch of all: {calls:?}");
    };
    assert_eq!(records, 20, "the attribute says 10");
    assert!(at - put_at >= secs(1), "they waited for more");
    assert!(world.kinesis.records("rejected", FIRST).is_empty());
    sleep(secs(6)).await;
    assert_eq!(world.kinesis.records("rejected", FIRST).len(), 2);
    assert_eq!(world.checkpoint(FIRST), Some(last));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn values_that_are_out_of_range_are_named_together() {
    let error = start(&world(), "numbers").await.expect_err("bad input");
    assert_eq!(
        error.to_string(),
        "billing: 11 settings are out of range\n  \
         stream `Orders`: concurrency from `#[configure]`: concurrency is 0; 1 handles one record of a shard at a time\n  \
         stream `Orders`: total concurrency from `#[configure]`: total is 0; 1 handles one record of all shards at a time\n  \
         stream `Orders`: attempts from `#[configure]`: attempts is 0; the first delivery is one\n  \
         stream `Orders`: backoff from `#[configure]`: backoff is 0s; a pause takes 1ms at least\n  \
         stream `Orders`: max backoff from `#[configure]`: max backoff is 25h; a stream may keep a record for no longer than 24h\n  \
         stream `Orders`: timeout from `#[configure]`: timeout is 25h; a stream may keep a record for no longer than 24h\n  \
         stream `Orders`: max records from `#[configure]`: max records has no meaning for `book`, which is given its records one by one\n  \
         stream `Views`: concurrency from `#[configure]`: concurrency has no meaning for `count`, which is given one batch of a shard at a time\n  \
         stream `Views`: max records from `#[configure]`: max records is 0; a batch has at least 1\n  \
         stream `Views`: max wait from `#[configure]`: max wait is 4000s; a batch waits for at most 1h\n  \
         stream `Rejected`: handler from `#[configure]`: the application does not handle it"
    );
}

#[tokio::test(start_paused = true)]
async fn values_that_do_not_go_together_are_named_together() {
    let error = start(&world(), "together").await.expect_err("bad input");
    assert_eq!(
        error.to_string(),
        "billing: 5 settings are out of range\n  \
         stream `Orders`: concurrency: the 8 records of one shard are more than the 4 of all shards\n  \
         stream `Orders`: concurrency: `ordered(shard)` handles one record at a time, `concurrency = 8` eight\n  \
         stream `Orders`: retry: the longest backoff, 30s, is shorter than the first, 1m\n  \
         stream `Orders`: exhausted: records go round: `Orders` -> `Views` -> `Orders`\n  \
         stream `Orders`: undecodable: the application does not declare `Stranger`"
    );
}

/// Orders are answered with receipts, and what becomes of a receipt is an order again.
#[kinesis_app(name = "circle", leases(memory))]
mod circle {
    use super::*;

    #[stream(name = "orders")]
    struct Orders;

    #[stream(name = "receipts")]
    pub(super) struct Receipts;

    #[on_record(Orders)]
    async fn book(_order: RawRecord) -> Outcome {
        Outcome::Done
    }

    #[on_record(Receipts, publish(Orders))]
    async fn file(_receipt: RawRecord) -> Keyed<u8> {
        1.keyed("ada")
    }

    #[configure]
    fn settings(config: &mut AppConfig) {
        let mut orders = config.handler::<Orders>();
        orders.set_exhausted(GiveUp::to::<Receipts>());
    }
}

#[test]
fn a_circle_of_dead_letters_and_replies_is_named() {
    let launch = kinesis_app::launch(circle::App).setup(Setup::empty());
    let error = launch.describe().expect_err("records go round");
    assert_eq!(
        error.to_string(),
        "circle: 1 setting is out of range\n  \
         stream `Orders`: exhausted: records go round: `Orders` -> `Receipts` -> `Orders`"
    );
}
