//! `settled` is exact, and says what is pending and why.

use std::time::Duration;

use kinesis_app::testing::{FaultKind, Operation, TestApp, emulator};
use tokio::time::Instant;

use crate::billing::{Then, and, app, order};

#[tokio::test(start_paused = true)]
async fn it_returns_as_soon_as_the_last_record_is_done() {
    let app = TestApp::start(app::App).await;
    let begin = Instant::now();
    for id in 0..5 {
        let take = Then::Take(Duration::from_secs(7));
        app.put::<app::Orders>(&id.to_string(), &and(id, take))
            .await;
    }
    app.settled().await;
    app.handler::<app::Orders>().assert_done(5);
    app.published::<app::Receipts>().assert_len(5);
    // Two rounds of four at a time, a poll of each stream, nothing more.
    assert!(
        begin.elapsed() < Duration::from_secs(17),
        "{:?}",
        begin.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn with_nothing_put_it_returns_at_once() {
    let app = TestApp::start(app::App).await;
    let begin = Instant::now();
    app.settled().await;
    assert_eq!(begin.elapsed(), Duration::from_millis(1));
}

#[tokio::test(start_paused = true)]
#[should_panic(
    expected = "`billing` has not settled after 60s: 1 of 2 records are pending:\n  Orders/shardId-000000000000, `ada`: `{\"id\":1,\"then\":{\"Fail\":100}}`: attempt "
)]
async fn a_record_that_keeps_failing_is_named_after_a_minute() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &and(1, Then::Fail(100)))
        .await;
    app.put::<app::Orders>("bob", &and(2, Then::Skip)).await;
    app.settled().await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = " failed: the sink is down\n    at 49")]
async fn its_last_error_and_its_place_are_named() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &and(1, Then::Fail(100)))
        .await;
    app.settled().await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = " failed: the handler panicked: planned")]
async fn a_panic_is_the_reason_as_well() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &and(1, Then::Panic)).await;
    app.settled().await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "runtime/tests/testing/settled.rs:")]
async fn the_line_of_the_test_is_named() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &and(1, Then::Hang)).await;
    app.settled().await;
}

#[tokio::test(start_paused = true)]
#[should_panic(
    expected = "has not settled after 5s: 2 of 2 records are pending:\n  Orders/shardId-000000000000, `ada`: `{\"id\":1,\"then\":\"Hang\"}`: attempt 1 has not ended"
)]
async fn a_handler_that_hangs_is_told_from_one_that_failed() {
    let builder = TestApp::builder(app::App).patience(Duration::from_secs(5));
    let app = builder.start().await;
    app.put::<app::Orders>("ada", &and(1, Then::Hang)).await;
    app.put::<app::Orders>("ada", &order(2)).await;
    app.settled().await;
}

#[tokio::test(start_paused = true)]
async fn what_cannot_settle_fails_at_once() {
    for (then, reason) in [
        (Then::Hold, "held by its handler"),
        (
            Then::Halt,
            "its shard halted before it: the card was closed",
        ),
    ] {
        let app = TestApp::start(app::App).await;
        app.put::<app::Orders>("ada", &and(1, then)).await;
        let begin = Instant::now();
        let failed = catch(app.settled()).await;
        let text = failed.expect_err("it cannot settle");
        assert!(
            text.contains("`billing` cannot settle: 1 of 1 records are pending:"),
            "{text}"
        );
        assert!(text.contains(reason), "{text}");
        assert!(
            text.contains("help: `at_rest()` takes held records"),
            "{text}"
        );
        assert!(
            begin.elapsed() < Duration::from_secs(2),
            "{:?}",
            begin.elapsed()
        );
        app.at_rest().await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_stands_behind_a_halted_record_is_said_to() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &and(1, Then::Halt)).await;
    app.at_rest().await;
    app.put::<app::Orders>("bob", &order(2)).await;
    app.split::<app::Orders>("shardId-000000000000");
    app.put::<app::Orders>("bob", &order(3)).await;
    app.at_rest().await;
    let text = catch(app.settled()).await.expect_err("it cannot settle");
    assert!(
        text.contains("`{\"id\":2,\"then\":\"Done\"}`: not begun: its shard is halted"),
        "{text}"
    );
    let child = "`{\"id\":3,\"then\":\"Done\"}`: not begun: its shard waits for its parent `Orders/shardId-000000000000`";
    assert!(text.contains(child), "{text}");
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "not begun: its shard cannot be read: ")]
async fn reads_that_fail_are_the_reason() {
    let app = TestApp::start(app::App).await;
    // A read that is under way would still be answered.
    app.advance(Duration::from_secs(1)).await;
    let fault = emulator::Fault::new(Operation::GetRecords, FaultKind::InternalFailure);
    app.kinesis().fault(fault.always());
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
}

#[tokio::test(start_paused = true)]
async fn one_failed_read_is_survived() {
    let app = TestApp::start(app::App).await;
    app.advance(Duration::from_secs(1)).await;
    app.fail_next::<app::Orders>(Operation::GetRecords, FaultKind::Throttle);
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
    let calls = app.kinesis().call_log();
    let throttled = emulator::ErrorCode::ProvisionedThroughputExceeded;
    let refused = |call: &&emulator::Call| call.outcome == emulator::Outcome::Refused(throttled);
    assert_eq!(calls.iter().filter(refused).count(), 1);
    app.handler::<app::Orders>().assert_done(1);
}

#[tokio::test(start_paused = true)]
#[should_panic(
    expected = "`billing` does not run any more: billing: stream `Orders` is not read any more: "
)]
async fn a_stream_that_cannot_be_read_fails_at_once_and_says_why() {
    let app = TestApp::start(app::App).await;
    app.advance(Duration::from_secs(1)).await;
    let denied = FaultKind::Refuse(emulator::ErrorCode::AccessDenied);
    let fault = emulator::Fault::new(Operation::GetRecords, denied).stream("orders");
    app.kinesis().fault(fault.always());
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "`billing` was stopped: 1 of 1 records are pending:")]
async fn an_application_that_was_stopped_settles_nothing() {
    let app = TestApp::start(app::App).await;
    app.stop().await;
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "\n  and 15 more")]
async fn a_long_list_is_cut() {
    let app = TestApp::start(app::App).await;
    for id in 0..25 {
        app.put::<app::Orders>("ada", &and(id, Then::Hang)).await;
    }
    app.settled().await;
}

/// The text of a panic.
async fn catch(wait: impl Future<Output = ()>) -> Result<(), String> {
    use futures_util::FutureExt;
    let caught = std::panic::AssertUnwindSafe(wait).catch_unwind().await;
    caught.map_err(|panic| panic.downcast_ref::<String>().expect("a text").clone())
}
