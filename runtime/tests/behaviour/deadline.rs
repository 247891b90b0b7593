//! Rule 4: past the deadline nothing begins, and what runs is dropped.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use kinesis_app::prelude::*;
use tokio::time::{Instant, sleep};

use crate::{
    store::Recording,
    wall::Wall,
    world::{Deed, World, ledger, secs},
};

#[derive(Debug, Clone, Default)]
pub(crate) struct Begins(Arc<Mutex<Vec<(String, Instant)>>>);

/// Its handler may stand in the way of everything else: a blocking call, or a frozen process.
#[kinesis_app(name = "billing", leases(memory))]
mod blocking {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Begins, String> {
        Ok(Begins::default())
    }

    #[on_record(Orders, concurrency = 8)]
    async fn book(bytes: Bytes, State(begins): State<Begins>) -> Outcome {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        begins
            .0
            .lock()
            .expect("alone")
            .push((text.clone(), Instant::now()));
        let first = begins.0.lock().expect("alone").len() == 1;
        if text == "blocks" && first {
            // Moves the clock within one poll: no timer, heartbeat or other handler has its turn meanwhile.
            tokio::time::advance(secs(9)).await;
        }
        Outcome::Done
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_that_was_chosen_in_time_does_not_begin_past_the_deadline() {
    let world = World::new(1);
    world.put("a", "blocks");
    world.put("b", "late");
    let begins = Begins::default();
    let begun = Instant::now();
    let running = world
        .launch(blocking::App)
        .state(begins.clone())
        .start()
        .await
        .expect("a start");
    sleep(secs(60)).await;
    let begins = begins.0.lock().expect("alone");
    let at = |text: &str| {
        begins
            .iter()
            .find(|(begun, _)| begun == text)
            .map(|(_, at)| (*at - begun).as_secs())
    };
    assert_eq!(at("blocks"), Some(0));
    // The lease was taken at the beginning, and no heartbeat could be sent before nine seconds: its deadline was at eight. The row
    // still carries this instance's session, so a heartbeat later it is taken again, and waits for no lease duration.
    assert_eq!(at("late"), Some(12), "{begins:?}");
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_was_dropped_at_the_deadline_is_given_its_record_again() {
    let world = World::new(1);
    world.ledger.plan("hangs", [Deed::Hang]);
    world.ledger.plan("panics", [Deed::HangAndPanic]);
    let store = Recording::default();
    let launch = world.launch(ledger::App).leases(store.clone());
    let running = launch.start().await.expect("a start");
    world.put("a", "hangs");
    world.put("b", "panics");
    sleep(secs(2)).await;
    store.die();
    sleep(secs(8)).await;
    assert_eq!(world.ledger.running(), 0);
    store.revive();
    sleep(secs(30)).await;
    assert_eq!(world.ledger.ended(), ["hangs", "panics"]);
    assert_eq!(world.ledger.begun().len(), 4);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_lease_store_that_does_not_answer_stops_the_shard_at_its_deadline() {
    let world = World::new(1);
    world.ledger.plan("hangs", [Deed::Hang]);
    let store = Recording::default();
    let running = world
        .launch(ledger::App)
        .leases(store.clone())
        .start()
        .await
        .expect("a start");
    world.put("a", "hangs");
    sleep(secs(2)).await;
    assert_eq!(world.ledger.running(), 1);
    store.die();
    // The last answered write was the take, two seconds ago; the deadline is eight seconds after it was sent.
    sleep(secs(5)).await;
    assert_eq!(world.ledger.running(), 1);
    sleep(secs(2)).await;
    assert_eq!(world.ledger.running(), 0, "the handler is dropped");
    world.put("b", "later");
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun(), ["hangs"], "and nothing begins");
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn a_machine_that_was_suspended_past_its_deadline_begins_nothing_more() {
    let world = World::new(1);
    let (config, wall) = Wall::of(world.kinesis.sdk_config());
    let running = world
        .launch(ledger::App)
        .aws(config)
        .start()
        .await
        .expect("a start");
    world.ledger.plan("runs", [Deed::Take(secs(2)), Deed::Hang]);
    world.put("a", "runs");
    world.put("a", "waits");
    sleep(Duration::from_millis(1500)).await;
    assert_eq!(world.ledger.begun(), ["runs"]);
    let token = world.leases.rows()[0].counter;
    // The monotonic clock, and every timer with it, stood still meanwhile.
    wall.set_ahead(20);
    sleep(secs(1)).await;
    assert_eq!(
        world.ledger.ended(),
        ["runs"],
        "what ran when the machine fell asleep may end"
    );
    assert_eq!(world.ledger.begun(), ["runs"], "nothing begins");
    assert_eq!(world.leases.rows()[0].counter, token, "nor beats");
    // Nobody took the lease: it is taken up again, and its records are read again.
    sleep(secs(10)).await;
    assert_eq!(world.ledger.begun(), ["runs", "runs"]);
    drop(running);
}
