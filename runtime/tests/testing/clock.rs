//! Virtual time, and real time for handlers with real I/O.

use std::time::Duration;

use kinesis_app::testing::TestApp;
use tokio::time::Instant;

use crate::billing::{Then, and, app, order};

#[tokio::test]
#[should_panic(expected = "help: `#[tokio::test(start_paused = true)]`")]
async fn a_clock_that_runs_is_refused_with_the_fix() {
    TestApp::start(app::App).await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "help: `#[tokio::test]` without `start_paused`")]
async fn real_time_on_a_paused_clock_is_refused_with_the_fix() {
    TestApp::builder(app::App).real_time().start().await;
}

#[tokio::test]
async fn in_real_time_records_settle_as_well() {
    let app = TestApp::builder(app::App).real_time().start().await;
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
    app.handler::<app::Orders>().assert_done(1);
}

#[tokio::test]
#[should_panic(expected = "real time cannot be advanced")]
async fn real_time_cannot_be_advanced() {
    let app = TestApp::builder(app::App).real_time().start().await;
    app.advance(Duration::from_secs(1)).await;
}

#[tokio::test(start_paused = true)]
async fn time_that_is_advanced_runs_what_is_due_and_costs_no_lease() {
    let app = TestApp::start(app::App).await;
    let begin = Instant::now();
    app.put::<app::Orders>("ada", &and(1, Then::Take(Duration::from_mins(30))))
        .await;
    app.advance(Duration::from_hours(1)).await;
    assert_eq!(begin.elapsed(), Duration::from_hours(1));
    app.handler::<app::Orders>().assert_done(1);
    assert!(app.health().is_good());
}
