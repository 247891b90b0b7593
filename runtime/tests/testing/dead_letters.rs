//! What is given up on, in a test's words.

use kinesis_app::{
    prelude::*,
    testing::{FaultKind, Operation, emulator},
};

#[kinesis_app(name = "billing", leases(memory))]
mod app {
    use super::*;

    #[stream(name = "orders")]
    pub(crate) struct Orders;

    #[stream(name = "rejected", codec(Raw))]
    pub(crate) struct Rejected;

    #[on_record(
        Orders,
        retry(attempts = 3),
        exhausted(dead_letter(Rejected)),
        undecodable(dead_letter(Rejected))
    )]
    async fn book(order: u64) -> Result<(), &'static str> {
        match order {
            0 => Err("order 0 costs nothing"),
            _ => Ok(()),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_given_up_on_is_counted_and_lies_in_its_stream_as_it_came() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &1).await;
    app.put::<app::Orders>("bob", &0).await;
    app.inject::<app::Orders>("no number".keyed("eve")).await;
    app.settled().await;
    let orders = app.handler::<app::Orders>();
    orders
        .assert_done(1)
        .assert_retried(2)
        .assert_dead_lettered(2);
    let mut keys = app.published::<app::Rejected>().keys();
    keys.sort();
    assert_eq!(keys, [Some("bob".to_owned()), Some("eve".to_owned())]);
}

#[tokio::test(start_paused = true)]
#[should_panic(
    expected = "`Orders`: 0 dead_lettered and not 1 (done 1, retried 0, dead-lettered 0, skipped 0, held 0, halted 0)"
)]
async fn a_dead_letter_that_is_not_there_is_a_failure_with_all_counts() {
    let app = TestApp::start(app::App).await;
    app.put::<app::Orders>("ada", &1).await;
    app.settled().await;
    app.handler::<app::Orders>().assert_dead_lettered(1);
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "waits to store a dead letter (")]
async fn a_dead_letter_that_its_stream_does_not_take_is_pending_with_the_service_s_reason() {
    let app = TestApp::start(app::App).await;
    let fault = emulator::Fault::new(Operation::PutRecords, FaultKind::InternalFailure);
    app.kinesis().fault(fault.stream("rejected").always());
    app.put::<app::Orders>("bob", &0).await;
    app.settled().await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "): order 0 costs nothing\n    at 49")]
async fn its_cause_is_named_beside_that() {
    let app = TestApp::start(app::App).await;
    let fault = emulator::Fault::new(Operation::PutRecords, FaultKind::InternalFailure);
    app.kinesis().fault(fault.stream("rejected").always());
    app.put::<app::Orders>("bob", &0).await;
    app.settled().await;
}

#[tokio::test(start_paused = true)]
async fn once_its_stream_takes_it_the_record_has_settled() {
    let app = TestApp::start(app::App).await;
    app.fail_next::<app::Rejected>(Operation::PutRecords, FaultKind::InternalFailure);
    app.put::<app::Orders>("bob", &0).await;
    app.settled().await;
    app.handler::<app::Orders>().assert_dead_lettered(1);
    app.published::<app::Rejected>().assert_keys(["bob"]);
}
