//! The billing service in its tests: unchanged, in virtual time. The last one is the whole day that `--bin billing` runs.

use std::time::Duration;

use kinesis_app::prelude::*;
use kinesis_app_examples::billing::{
    self as example,
    app::{Order, PageView, Receipt, Refund, billing},
    services::{Cards, Entry},
};

fn order(id: u64) -> Order {
    Order {
        id,
        customer: "ada".into(),
        amount_cents: 4_200,
    }
}

fn refund(id: u64, card: &str) -> Refund {
    Refund {
        id,
        card: card.into(),
        amount_cents: 4_200,
    }
}

fn view(path: &str) -> PageView {
    PageView { path: path.into() }
}

#[tokio::test(start_paused = true)]
async fn an_order_is_booked_and_its_receipt_filed() {
    let app = TestApp::with_state(billing::App, billing::Clients::fake()).await;
    app.put::<billing::Orders>("ada", &order(1)).await;
    app.settled().await;
    app.handler::<billing::Orders>().assert_done(1);
    app.published::<billing::Receipts>().assert_keys(["ada"]);
}

#[tokio::test(start_paused = true)]
async fn an_order_that_is_delivered_twice_is_booked_once() {
    let clients = billing::Clients::fake();
    let app = TestApp::with_state(billing::App, clients.clone()).await;
    app.put::<billing::Orders>("ada", &order(1)).await;
    app.settled().await;
    app.crash().await;
    app.settled().await;
    app.handler::<billing::Orders>().assert_done(2);
    assert_eq!(clients.ledger.entries().len(), 1);
    let receipts = app.published::<billing::Receipts>().decoded::<Receipt>();
    assert_eq!(receipts, [Receipt { order: 1 }, Receipt { order: 1 }]);
}

#[tokio::test(start_paused = true)]
async fn an_order_that_costs_nothing_is_tried_five_times_and_then_reviewed() {
    let clients = billing::Clients::fake();
    let app = TestApp::with_state(billing::App, clients.clone()).await;
    let free = Order {
        amount_cents: 0,
        ..order(1)
    };
    app.put::<billing::Orders>("ada", &free).await;
    app.settled().await;
    app.handler::<billing::Orders>()
        .assert_retried(4)
        .assert_dead_lettered(1);
    app.handler::<billing::Rejected>().assert_done(1);
    let cause = "order 1 costs nothing".into();
    let key = "ada".into();
    assert_eq!(clients.ledger.entries(), [Entry::SetAside { key, cause }]);
}

#[tokio::test(start_paused = true)]
async fn what_is_no_order_is_set_aside_as_it_came() {
    let app = TestApp::with_state(billing::App, billing::Clients::fake()).await;
    app.inject::<billing::Orders>("{\"id\":".keyed("ada")).await;
    app.settled().await;
    app.handler::<billing::Orders>()
        .assert_retried(0)
        .assert_dead_lettered(1);
    let rejected = app.published::<billing::Rejected>();
    assert_eq!(rejected.decoded::<Bytes>(), ["{\"id\":"]);
}

#[tokio::test(start_paused = true)]
async fn a_refund_is_paid_back_under_the_id_in_its_header() {
    let clients = billing::Clients::fake();
    let app = TestApp::with_state(billing::App, clients.clone()).await;
    let refunds = app.publisher::<billing::Refunds>();
    let record = refund(1, "4242 4242").keyed("ada");
    let published = refunds.publish(record.header("trace-id", "4bf92f")).await;
    published.expect("it is stored");
    app.settled().await;
    app.handler::<billing::Refunds>().assert_done(1);
    let paid = Entry::Paid {
        refund: 1,
        amount_cents: 4_200,
        trace_id: Some("4bf92f".into()),
    };
    assert_eq!(clients.ledger.entries(), [paid]);
}

#[tokio::test(start_paused = true)]
async fn a_busy_card_is_asked_three_times_and_a_closed_one_once() {
    let app = TestApp::with_state(billing::App, billing::Clients::fake()).await;
    app.put::<billing::Refunds>("ada", &refund(1, Cards::BUSY_TWICE))
        .await;
    app.put::<billing::Refunds>("bob", &refund(2, Cards::CLOSED))
        .await;
    app.settled().await;
    let refunds = app.handler::<billing::Refunds>();
    refunds.assert_retried(2).assert_done(1).assert_skipped(1);

    app.put::<billing::Refunds>("eve", &refund(3, Cards::BUSY))
        .await;
    app.at_rest().await;
    let refunds = app.handler::<billing::Refunds>();
    refunds.assert_retried(4).assert_halted(1);
    assert_eq!(refunds.last_error(), Some("the card is busy"));
}

#[tokio::test(start_paused = true)]
async fn views_are_counted_and_what_is_no_view_is_passed_over() {
    let clients = billing::Clients::fake();
    let app = TestApp::with_state(billing::App, clients.clone()).await;
    app.put::<billing::Views>("ada", view("/")).await;
    app.inject::<billing::Views>("no view".keyed("bob")).await;
    app.put::<billing::Views>("ada", view("/cart")).await;
    app.put::<billing::Views>("eve", view("/")).await;
    app.settled().await;
    app.handler::<billing::Views>()
        .assert_done(3)
        .assert_skipped(1);
    let viewed = |path: &str, times| Entry::Viewed {
        path: path.into(),
        times,
    };
    let expected = [viewed("/", 2), viewed("/cart", 1)];
    assert_eq!(clients.ledger.entries(), expected, "one batch");
}

#[tokio::test(start_paused = true)]
async fn views_of_more_than_an_hour_ago_are_left_out_but_for_the_first_batch() {
    let clients = billing::Clients::fake();
    let app = TestApp::with_state(billing::App, clients.clone()).await;
    app.stop().await;
    // More than one read gives: what the first one leaves unread is two hours old.
    for visitor in 0..10_500 {
        app.put::<billing::Views>(&visitor.to_string(), view("/"))
            .await;
    }
    app.advance(Duration::from_hours(2)).await;
    let _successor = app.second_instance().await;
    app.settled().await;
    app.put::<billing::Views>("ada", view("/cart")).await;
    app.settled().await;
    app.handler::<billing::Views>().assert_done(1_001);
}

#[tokio::test(start_paused = true)]
async fn a_setting_that_is_out_of_range_and_a_missing_one_fail_the_start() {
    let setup = Setup::empty().with_env("ORDERS_BATCH", "0");
    let failed = TestApp::builder(billing::App)
        .setup(setup)
        .try_start()
        .await;
    let error = failed.expect_err("no read asks for nothing").to_string();
    assert!(error.contains("stream `Orders`: batch size"), "{error}");

    let failed = TestApp::builder(billing::App).try_start().await;
    let error = failed.expect_err("no books").to_string();
    assert!(error.contains("`LEDGER_URL` is not set"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_day_in_the_shop_ends_as_it_should() {
    let verdict = example::run(&example::kinesis().build())
        .await
        .expect("a verdict");
    assert!(verdict.holds(), "{verdict}");
    assert_eq!((verdict.booked, verdict.rejected), (588, 13));
    assert_eq!(
        (verdict.paid, verdict.retried, verdict.left_alone),
        (57, 2, 3)
    );
    assert_eq!(verdict.views, 5_000);
}
