//! What a test sets, and how streams are named.

use kinesis_app::{Setup, prelude::*, testing::TestApp};

use crate::billing::{app, order};

/// Streams by ARN, and one that the application creates itself.
#[kinesis_app(name = "views", leases(memory))]
mod views {
    use super::*;

    #[stream(
        arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/views",
        start(trim_horizon),
        codec(Raw)
    )]
    pub(crate) struct Views;

    #[stream(name = "copies", codec(Raw), create_if_missing(shards = 3))]
    pub(crate) struct Copies;

    #[on_record(Views)]
    async fn copy(view: Bytes, copies: Publisher<Copies>) -> Result<(), PublishError> {
        copies.publish(view.keyed("copy")).await?;
        Ok(())
    }
}

/// Streams of two regions, which the emulator is not.
#[kinesis_app(name = "abroad", leases(memory))]
mod abroad {
    use super::*;

    #[stream(arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/one", codec(Raw))]
    struct One;

    #[stream(arn = "arn:aws:kinesis:us-east-1:123456789012:stream/two", codec(Raw))]
    struct Two;

    #[on_record(One)]
    async fn one(_bytes: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_record(Two)]
    async fn two(_bytes: Bytes) -> Outcome {
        Outcome::Done
    }
}

#[tokio::test(start_paused = true)]
async fn streams_are_named_as_the_application_names_them() {
    let setup = Setup::empty().with_env("ORDERS_STREAM", "orders-eu");
    let app = TestApp::builder(app::App).setup(setup).start().await;
    assert_eq!(
        app.kinesis().shards("orders-eu").map(|shards| shards.len()),
        Ok(1)
    );
    assert!(app.kinesis().shards("orders").is_err());
    app.put::<app::Orders>("ada", &order(1)).await;
    app.settled().await;
    app.handler::<app::Orders>().assert_done(1);
}

#[tokio::test(start_paused = true)]
async fn streams_by_arn_are_there_and_those_that_the_application_creates_are_left_to_it() {
    let app = TestApp::start(views::App).await;
    app.put::<views::Views>("ada", "a view").await;
    app.settled().await;
    assert_eq!(
        app.published::<views::Copies>().decoded::<Bytes>(),
        ["a view"]
    );
    assert_eq!(app.shards::<views::Copies>().len(), 3);
    app.restart().await;
    app.put::<views::Views>("ada", "another").await;
    app.settled().await;
    app.published::<views::Copies>().assert_len(2);
}

#[tokio::test(start_paused = true)]
async fn a_stream_has_as_many_shards_as_the_test_asks_for() {
    let builder = TestApp::builder(views::App).shards::<views::Views>(4);
    let app = builder.shards::<views::Copies>(2).start().await;
    assert_eq!(app.shards::<views::Views>().len(), 4);
    assert_eq!(app.shards::<views::Copies>().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn one_seed_is_one_run() {
    async fn run(seed: u64) -> Vec<Option<String>> {
        let app = TestApp::builder(views::App).seed(seed).start().await;
        app.inject::<views::Views>("a view".unkeyed()).await;
        app.settled().await;
        app.published::<views::Views>()
            .raw()
            .iter()
            .map(|record| Some(record.sequence_number.clone()))
            .collect()
    }
    assert_eq!(run(1).await, run(1).await);
    assert_ne!(run(1).await, run(2).await);
}

#[tokio::test(start_paused = true)]
async fn a_start_that_fails_is_given_to_the_test_that_asks_for_it() {
    let setup = Setup::empty().with_env("ORDERS_STREAM", "no name");
    let failed = TestApp::builder(app::App).setup(setup).try_start().await;
    let error = failed.expect_err("the name is none").to_string();
    assert!(error.contains("`no name`"), "{error}");
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "the application did not start: billing: the application's state is a `")]
async fn a_state_of_another_type_is_refused() {
    TestApp::with_state(app::App, 5_u8).await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "`shards::<Views>`: `billing` does not declare this stream")]
async fn shards_of_a_stream_that_is_not_declared_are_refused() {
    TestApp::builder(app::App)
        .shards::<views::Views>(2)
        .start()
        .await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "the emulator is one account in one region\nhelp: ")]
async fn streams_of_two_regions_are_refused() {
    TestApp::start(abroad::App).await;
}
