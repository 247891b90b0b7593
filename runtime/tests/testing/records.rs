//! What is put, injected, handled and published.

use kinesis_app::{prelude::*, testing::TestApp};

use crate::billing::{Ledger, Order, Receipt, Then, and, app, order};

/// Is declared by no application.
#[kinesis_app::stream(name = "elsewhere")]
struct Elsewhere;

#[tokio::test(start_paused = true)]
async fn an_order_is_booked_and_its_receipt_filed() {
    let ledger = Ledger::default();
    let app = TestApp::with_state(app::App, ledger.clone()).await;
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
    app.handler::<app::Orders>().assert_done(1);
    let receipts = app.published::<app::Receipts>();
    receipts.assert_keys(["ada"]);
    assert_eq!(receipts.decoded::<Receipt>(), [Receipt { order: 1 }]);
    assert_eq!(
        ledger.lines(),
        ["order 1", "receipt 1"],
        "of the chain as well"
    );
}

#[tokio::test(start_paused = true)]
async fn every_ending_of_a_record_is_counted() {
    let app = TestApp::start(app::App).await;
    for (id, then) in [
        (1, Then::Done),
        (2, Then::Skip),
        (3, Then::Fail(2)),
        (4, Then::Hold),
    ] {
        app.put::<app::Orders>(&id.to_string(), &and(id, then))
            .await;
    }
    app.at_rest().await;
    let handler = app.handler::<app::Orders>();
    handler.assert_done(2).assert_skipped(1).assert_retried(2);
    handler.assert_held(1).assert_halted(0);
    assert_eq!(handler.last_error(), Some("the sink is down"));
    app.put::<app::Orders>("ada", &and(5, Then::Halt)).await;
    app.at_rest().await;
    app.handler::<app::Orders>().assert_halted(1);
}

#[tokio::test(start_paused = true)]
async fn a_record_is_injected_with_its_headers_and_keyless_if_it_has_no_key() {
    let app = TestApp::start(app::App).await;
    let raw = serde_json::to_vec(&order(7)).expect("JSON");
    let record = raw.clone().keyed("ada").header("trace-id", "4bf92f");
    app.inject::<app::Orders>(record).await;
    app.inject::<app::Orders>(raw.unkeyed()).await;
    app.settled().await;
    let receipts = app.published::<app::Receipts>();
    receipts.assert_keys(["ada", "nobody"]);
    assert_eq!(receipts.raw()[0].headers.get("trace-id"), Some("4bf92f"));
    assert_eq!(
        app.published::<app::Orders>().keys(),
        [Some("ada".to_owned()), None]
    );
}

#[tokio::test(start_paused = true)]
async fn bytes_are_injected_as_they_are() {
    let app = TestApp::start(app::App).await;
    app.inject::<app::Orders>("RSK1 is no envelope".keyed("ada"))
        .await;
    app.at_rest().await;
    app.handler::<app::Orders>().assert_halted(1);
    let error = app.handler::<app::Orders>();
    let error = error.last_error().expect("it halted");
    assert!(
        error.starts_with("the `Json` codec does not decode"),
        "{error}"
    );
    assert_eq!(
        app.published::<app::Orders>().raw()[0].data,
        "RSK1 is no envelope"
    );
}

#[tokio::test(start_paused = true)]
async fn what_arrives_in_several_shards_is_shown_in_the_order_of_its_arrival() {
    let app = TestApp::builder(app::App)
        .shards::<app::Orders>(4)
        .start()
        .await;
    for id in 0..20 {
        app.put::<app::Orders>(&format!("key {id}"), &order(id))
            .await;
        app.advance(std::time::Duration::from_millis(10)).await;
    }
    let orders = app.published::<app::Orders>();
    let expected: Vec<_> = (0..20).map(order).collect();
    assert_eq!(orders.decoded::<Order>(), expected);
    app.settled().await;
    app.handler::<app::Orders>().assert_done(20);
}

#[tokio::test(start_paused = true)]
async fn a_record_that_is_to_come_is_waited_for() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &and(1, Then::Fail(3))).await;
    let receipt = app
        .expect_published::<app::Receipts>("ada", &Receipt { order: 1 })
        .await;
    assert_eq!(receipt.partition_key.as_deref(), Some("ada"));
    app.handler::<app::Orders>().assert_retried(3);
}

#[tokio::test(start_paused = true)]
#[should_panic(
    expected = "`Receipts` holds no record `ada`: `{\"order\":2}` after 60s\n  `ada`: `{\"order\":1}`\n"
)]
async fn a_record_that_does_not_come_is_a_failure_that_shows_what_is_there() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &order(1)).await;
    app.expect_published::<app::Receipts>("ada", &Receipt { order: 2 })
        .await;
}

#[tokio::test(start_paused = true)]
#[should_panic(
    expected = "`Orders`: 0 done and not 1 (done 0, retried 0, dead-lettered 0, skipped 0, held 0, halted 1); last error: the card was closed"
)]
async fn a_count_that_is_another_is_shown_with_all_others() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &and(1, Then::Halt)).await;
    app.at_rest().await;
    app.handler::<app::Orders>().assert_done(1);
}

#[tokio::test(start_paused = true)]
#[should_panic(
    expected = "`Receipts` holds records of the keys [`ada`] and not [`bob`, `eve`]\n  `ada`: `{\"order\":1}`\n"
)]
async fn keys_that_are_others_are_shown() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
    app.published::<app::Receipts>().assert_keys(["bob", "eve"]);
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "`billing` does not declare the stream `Elsewhere`")]
async fn a_stream_that_the_application_does_not_declare_is_named() {
    let app = TestApp::start(app::App).await;
    app.put::<Elsewhere>("ada", &order(1)).await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "`Unread` has no handler in `billing`")]
async fn a_stream_without_a_handler_has_no_counts() {
    let app = TestApp::start(app::App).await;
    let _ = app.handler::<app::Unread>();
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "`Orders` does not take the record: ")]
async fn a_record_that_the_service_refuses_is_a_failure() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>(&"k".repeat(257), &order(1)).await;
}
