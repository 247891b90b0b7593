//! Starts, stops, crashes, and instances beside each other.

use std::time::Duration;

use kinesis_app::testing::TestApp;

use crate::billing::{Ledger, Then, and, app, order};

const HEARTBEAT: Duration = Duration::from_secs(4);

#[tokio::test(start_paused = true)]
async fn a_restart_goes_on_behind_the_checkpoint_and_keeps_the_replaced_state() {
    let ledger = Ledger::default();
    let app = TestApp::with_state(app::App, ledger.clone()).await;
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
    app.restart().await;
    app.put::<app::Orders>("ada", &order(2)).await;
    app.settled().await;
    app.handler::<app::Orders>().assert_done(2);
    let expected = ["order 1", "receipt 1", "closed", "order 2", "receipt 2"];
    assert_eq!(ledger.lines(), expected);
}

#[tokio::test(start_paused = true)]
async fn after_a_crash_what_was_not_checkpointed_is_handled_again_and_waited_for() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
    app.advance(HEARTBEAT).await;
    app.put::<app::Orders>("ada", &order(2)).await;
    app.settled().await;
    app.crash().await;
    app.settled().await;
    app.handler::<app::Orders>().assert_done(3);
    app.published::<app::Receipts>()
        .assert_keys(["ada", "ada", "ada"]);
}

#[tokio::test(start_paused = true)]
async fn a_record_in_flight_when_it_crashes_is_handled_again() {
    let ledger = Ledger::default();
    let app = TestApp::with_state(app::App, ledger.clone()).await;
    let take = Then::Take(Duration::from_secs(3));
    app.put::<app::Orders>("ada", &and(1, take)).await;
    app.advance(Duration::from_secs(2)).await;
    app.crash().await;
    assert!(ledger.lines().is_empty());
    app.settled().await;
    app.handler::<app::Orders>().assert_done(1);
}

#[tokio::test(start_paused = true)]
async fn a_held_record_comes_again_after_a_restart() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &and(1, Then::Hold)).await;
    app.put::<app::Orders>("ada", &order(2)).await;
    app.at_rest().await;
    app.handler::<app::Orders>().assert_held(1).assert_done(1);
    app.restart().await;
    app.at_rest().await;
    app.handler::<app::Orders>().assert_held(2).assert_done(2);
}

#[tokio::test(start_paused = true)]
async fn a_second_instance_takes_over_when_the_first_stops() {
    let app = TestApp::start(app::App).await;
    let second = app.second_instance().await;
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
    app.stop().await;
    app.put::<app::Orders>("ada", &order(2)).await;
    app.settled().await;
    app.handler::<app::Orders>().assert_done(2);
    assert!(
        second
            .health()
            .shards
            .keys()
            .any(|shard| shard.stream == "Orders")
    );
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_second_instance_that_crashes_leaves_its_shards_to_the_first() {
    let builder = TestApp::builder(app::App).shards::<app::Orders>(4);
    let app = builder.start().await;
    let second = app.second_instance().await;
    app.advance(Duration::from_secs(40)).await;
    for id in 0..40 {
        app.put::<app::Orders>(&id.to_string(), &order(id)).await;
    }
    app.settled().await;
    second.crash().await;
    for id in 40..80 {
        app.put::<app::Orders>(&id.to_string(), &order(id)).await;
    }
    app.settled().await;
    assert!(app.handler::<app::Orders>().done() >= 80);
    let shards = app.health().shards.into_keys();
    assert_eq!(shards.filter(|shard| shard.stream == "Orders").count(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_clean_move_between_instances_handles_nothing_twice() {
    let builder = TestApp::builder(app::App).shards::<app::Orders>(4);
    let app = builder.start().await;
    for id in 0..40 {
        app.put::<app::Orders>(&id.to_string(), &order(id)).await;
    }
    app.settled().await;
    let second = app.second_instance().await;
    app.advance(Duration::from_secs(40)).await;
    second.stop().await;
    app.settled().await;
    app.handler::<app::Orders>().assert_done(40);
}

#[tokio::test(start_paused = true)]
async fn what_was_published_can_be_looked_at_after_the_stop() {
    let ledger = Ledger::default();
    let app = TestApp::with_state(app::App, ledger.clone()).await;
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
    app.stop().await;
    assert_eq!(ledger.lines().last().map(String::as_str), Some("closed"));
    app.published::<app::Receipts>().assert_keys(["ada"]);
}
