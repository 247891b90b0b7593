//! Bad input gets an error that names the thing, the value and the service's words, and nothing is begun.

use kinesis_app::{Class, Error, Setup, prelude::*};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::{Instant, sleep};

use crate::world::{STREAM, World, secs};

/// Two streams, each with a setting that can only be checked at start.
#[kinesis_app(name = "billing", leases(memory))]
mod shop {
    use super::*;

    #[stream(
        name(env = "REFUNDS_STREAM", default = "refunds"),
        start(trim_horizon),
        codec(Raw)
    )]
    struct Refunds;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_record(Refunds)]
    async fn refund(_bytes: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_record(Orders)]
    async fn book(_bytes: Bytes) -> Outcome {
        Outcome::Done
    }

    #[configure]
    fn settings(
        config: &mut AppConfig,
        setup: &Setup,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if let Some(size) = setup.env_opt("ORDERS_BATCH")? {
            config.stream::<Orders>().set_batch_size(size)?;
        }
        Ok(())
    }
}

async fn error(world: &World, setup: Setup) -> Error {
    let launch = kinesis_app::launch(shop::App)
        .setup(setup)
        .aws(world.kinesis.sdk_config())
        .leases(world.leases.clone());
    launch.start().await.expect_err("bad input")
}

#[tokio::test(start_paused = true)]
async fn all_settings_that_are_out_of_range_are_reported_at_once_before_any_call() {
    let world = World::new(1);
    let setup = Setup::empty()
        .with_env("REFUNDS_STREAM", "a b")
        .with_env("ORDERS_BATCH", "0");
    let error = error(&world, setup).await;
    assert_eq!(
        error.to_string(),
        "billing: 2 settings are out of range\n  \
         stream `Refunds`: name from `REFUNDS_STREAM`: stream name `a b` has a space at byte 1; names use letters, digits, `_`, `.` and `-`\n  \
         stream `Orders`: batch size from `#[configure]`: batch size is 0; a read asks for 1 to 10000 records"
    );
    assert!(world.kinesis.call_log().is_empty());
}

#[tokio::test(start_paused = true)]
async fn one_stream_under_two_names_is_refused() {
    let world = World::new(1);
    let error = error(&world, Setup::empty().with_env("REFUNDS_STREAM", "orders")).await;
    assert_eq!(
        error.to_string(),
        "billing: 1 setting is out of range\n  stream `Orders`: name: `orders` is already read as `Refunds`"
    );
}

#[tokio::test(start_paused = true)]
async fn a_variable_that_does_not_parse_fails_the_configure_hook_with_its_name() {
    let world = World::new(1);
    let error = error(&world, Setup::empty().with_env("ORDERS_BATCH", "many")).await;
    assert_eq!(
        error.to_string(),
        "billing: the `#[configure]` hook failed: the environment variable `ORDERS_BATCH` is `many`: invalid digit found in string"
    );
}

#[tokio::test(start_paused = true)]
async fn unknown_streams_are_reported_together_with_the_endpoint_and_the_services_words() {
    let world = World::new(1);
    world
        .kinesis
        .delete_stream(STREAM)
        .expect("the stream is there");
    sleep(secs(60)).await;
    let error = error(&world, Setup::empty()).await;
    let text = error.to_string();
    let Error::Streams(streams) = &error else {
        panic!("{text}")
    };
    assert_eq!(streams.iter().count(), 2);
    assert!(
        text.starts_with("billing: 2 streams cannot be read\n  stream `Refunds` (`refunds` at `"),
        "{text}"
    );
    assert!(
        text.contains("\n  stream `Orders` (`orders` at `"),
        "{text}"
    );
    assert!(text.contains("DescribeStreamSummary was refused: ResourceNotFoundException: Stream orders under account"), "{text}");
    assert!(world.leases.rows().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_refused_credential_fails_the_start_at_once() {
    let world = World::new(1);
    world
        .kinesis
        .create_stream("refunds", 1)
        .expect("a new stream");
    world.kinesis.fault(
        Fault::new(
            Operation::DescribeStreamSummary,
            FaultKind::Refuse(ErrorCode::AccessDenied),
        )
        .always(),
    );
    let asked = Instant::now();
    let error = error(&world, Setup::empty()).await;
    assert!(
        error.to_string().contains("AccessDeniedException"),
        "{error}"
    );
    assert!(asked.elapsed() < secs(1));
}

#[tokio::test(start_paused = true)]
async fn credentials_that_cannot_be_had_fail_the_start_at_once_and_say_so() {
    use aws_credential_types::provider::{
        SharedCredentialsProvider, error::CredentialsError, future,
    };

    #[derive(Debug)]
    struct Nowhere;
    impl aws_credential_types::provider::ProvideCredentials for Nowhere {
        fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
        where
            Self: 'a,
        {
            future::ProvideCredentials::ready(Err(CredentialsError::not_loaded(
                "no profile is logged in",
            )))
        }
    }

    let world = World::new(1);
    let config = world.kinesis.sdk_config().into_builder();
    let config = config
        .credentials_provider(SharedCredentialsProvider::new(Nowhere))
        .build();
    let launch = kinesis_app::launch(crate::world::ledger::App)
        .setup(Setup::empty())
        .aws(config);
    let error = launch.start().await.expect_err("no credentials");
    let Error::Streams(streams) = &error else {
        panic!("{error}")
    };
    let problem = streams.iter().next().expect("one").problem();
    assert!(
        matches!(problem, kinesis_app::StreamProblem::Service(service) if service.class() == Class::AccessDenied),
        "{error}"
    );
    assert!(
        error.to_string().contains("no profile is logged in"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_does_not_answer_fails_the_start_in_bounded_time() {
    let world = World::new(1);
    world
        .kinesis
        .fault(Fault::new(Operation::DescribeStreamSummary, FaultKind::Hang).always());
    let asked = Instant::now();
    let error = error(&world, Setup::empty()).await;
    let Error::Streams(streams) = &error else {
        panic!("{error}")
    };
    let first = streams.iter().next().expect("both").problem();
    assert!(
        matches!(first, kinesis_app::StreamProblem::Service(service) if service.class() == Class::Transient),
        "{error}"
    );
    assert!(asked.elapsed() < secs(60), "{:?}", asked.elapsed());
}

#[tokio::test(start_paused = true)]
async fn access_that_is_withdrawn_ends_the_run_with_the_streams_name() {
    let world = World::new(1);
    world.put("a", "1");
    let mut running = world.start().await;
    sleep(secs(5)).await;
    world.kinesis.fault(
        Fault::new(
            Operation::GetRecords,
            FaultKind::Refuse(ErrorCode::AccessDenied),
        )
        .always(),
    );
    running.ended().await;
    let error = running.shutdown().await.expect_err("not readable");
    let text = error.to_string();
    assert!(text.starts_with("billing: stream `Orders` is not read any more: GetRecords was refused: AccessDeniedException"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_deleted_ends_the_run_and_says_so() {
    let world = World::new(2);
    let mut running = world.start().await;
    sleep(secs(5)).await;
    world
        .kinesis
        .delete_stream(STREAM)
        .expect("the stream is there");
    running.ended().await;
    let error = running.shutdown().await.expect_err("gone");
    assert!(
        error.to_string().contains("ResourceNotFoundException"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_state_of_another_type_is_refused() {
    let world = World::new(1);
    let error = kinesis_app::launch(crate::world::ledger::App)
        .setup(Setup::empty())
        .aws(world.kinesis.sdk_config())
        .state("not a ledger")
        .start()
        .await
        .expect_err("another type");
    assert!(
        error
            .to_string()
            .starts_with("billing: the application's state is a `"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_missing_stream_is_created_where_the_application_asks_for_it() {
    #[kinesis_app(name = "maker", leases(memory))]
    mod maker {
        use kinesis_app::prelude::*;

        #[stream(
            name = "made",
            start(trim_horizon),
            codec(Raw),
            create_if_missing(shards = 3)
        )]
        struct Made;

        #[on_record(Made)]
        async fn book(_bytes: Bytes) -> Outcome {
            Outcome::Done
        }
    }
    let kinesis = kinesis_app_emulator::Kinesis::builder()
        .create_duration(secs(10))
        .build();
    let running = kinesis_app::launch(maker::App)
        .setup(Setup::empty())
        .aws(kinesis.sdk_config())
        .start()
        .await
        .expect("a start");
    assert_eq!(kinesis.shards("made").expect("created").len(), 3);
    running.shutdown().await.expect("a clean stop");
}
