//! What the service, the network or the credentials refuse fails the start or the run in bounded time, with the stream, the endpoint
//! and the service's words, and nothing is begun.

use kinesis_app::{Class, Error, Setup, prelude::*};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::{Instant, sleep};

use crate::{
    bad_settings::{error, named, unset},
    tricks::Tricks,
    world::{STREAM, World, secs},
};

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

#[tokio::test(start_paused = true)]
async fn a_start_that_fails_creates_and_stores_nothing() {
    use kinesis_app::LeaseStore;

    let world = World::new(1);
    let error = unset(&world, named("missing", "to-be-created")).await;
    assert!(error.contains("stream `One` (`missing` at "), "{error}");
    assert_eq!(world.kinesis.calls(Operation::CreateStream), 0);
    assert_eq!(
        world
            .leases
            .stream("billing:to-be-created")
            .await
            .expect("a memory"),
        None
    );
}

#[tokio::test(start_paused = true)]
async fn streams_that_may_not_be_listed_are_reported_together_with_their_endpoint() {
    let world = World::new(1);
    world.kinesis.fault(
        Fault::new(
            Operation::ListShards,
            FaultKind::Refuse(ErrorCode::AccessDenied),
        )
        .always(),
    );
    let error = unset(&world, named("orders", "two")).await;
    assert!(
        error.starts_with("billing: 2 streams cannot be read\n  stream `One` (`orders` at `"),
        "{error}"
    );
    assert!(error.contains("\n  stream `Two` (`two` at `"), "{error}");
    assert_eq!(
        error
            .matches("ListShards was refused: AccessDeniedException")
            .count(),
        2,
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_may_not_be_read_fails_the_start() {
    let world = World::new(1);
    world.kinesis.fault(
        Fault::new(
            Operation::GetShardIterator,
            FaultKind::Refuse(ErrorCode::AccessDenied),
        )
        .always(),
    );
    let error = world
        .try_start(crate::world::ledger::App)
        .await
        .expect_err("not readable")
        .to_string();
    assert!(
        error.contains("GetShardIterator was refused: AccessDeniedException"),
        "{error}"
    );
    assert!(
        world.leases.rows().iter().all(|row| row.holder.is_none()),
        "and its lease is given back"
    );
}

#[tokio::test(start_paused = true)]
async fn shards_that_cannot_be_opened_fail_the_start_in_bounded_time_with_the_services_words() {
    let world = World::new(2);
    world
        .kinesis
        .fault(Fault::new(Operation::GetShardIterator, FaultKind::Throttle).always());
    let asked = Instant::now();
    let error = world
        .try_start(crate::world::ledger::App)
        .await
        .expect_err("throttled")
        .to_string();
    assert!(asked.elapsed() <= secs(61), "{:?}", asked.elapsed());
    assert!(error.contains("2 of its shards could not be opened in time; shardId-000000000000: GetShardIterator was refused: "), "{error}");
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_is_no_kinesis_is_told_by_what_it_answers() {
    let cases = [
        (
            404,
            "<html>not found</html>",
            "DescribeStreamSummary was refused: HTTP 404",
        ),
        (403, "", "DescribeStreamSummary was refused: HTTP 403"),
        (503, "<html>", "DescribeStreamSummary was refused: HTTP 503"),
    ];
    for (status, body, words) in cases {
        let world = World::new(1);
        let (aws, tricks) = Tricks::new(&world.kinesis);
        tricks.answer("DescribeStreamSummary", status, body, 10);
        let asked = Instant::now();
        let error = world
            .launch(crate::world::ledger::App)
            .aws(aws)
            .start()
            .await
            .expect_err("no Kinesis")
            .to_string();
        assert!(error.contains(words), "{error}");
        assert!(
            asked.elapsed() < secs(5),
            "after a few tries: {:?}",
            asked.elapsed()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_configuration_made_by_hand_is_completed() {
    let world = World::new(1);
    let full = world.kinesis.sdk_config();
    let plain = kinesis_app::SdkConfig::builder()
        .region(full.region().cloned())
        .credentials_provider(full.credentials_provider().expect("one"))
        .http_client(full.http_client().expect("one"))
        .build();
    let running = world
        .launch(crate::world::ledger::App)
        .aws(plain)
        .start()
        .await
        .expect("a start");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn latest_without_a_date_is_no_silent_replay() {
    let world = World::new(1);
    let (aws, tricks) = Tricks::new(&world.kinesis);
    let summary = r#"{"StreamDescriptionSummary":{"StreamName":"orders","StreamARN":"arn:aws:kinesis:us-east-1:123456789012:stream/orders","StreamStatus":"ACTIVE","RetentionPeriodHours":24,"StreamCreationTimestamp":1.0,"EnhancedMonitoring":[],"OpenShardCount":1}}"#;
    tricks.answer("DescribeStreamSummary", 200, summary, 1);
    let launch = kinesis_app::launch(unset::App)
        .setup(named("orders", "two"))
        .aws(aws)
        .leases(world.leases.clone());
    let error = launch.start().await.expect_err("no clock").to_string();
    assert!(error.contains("the answer has no `Date` header"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_credential_provider_that_stumbles_ends_no_run() {
    use std::sync::atomic::{AtomicU32, Ordering};

    use aws_credential_types::{
        Credentials,
        provider::{
            ProvideCredentials, SharedCredentialsProvider, error::CredentialsError, future,
        },
    };

    /// Gives keys that expire in a moment, and fails the second time.
    #[derive(Debug)]
    struct Blinks(kinesis_app_emulator::Kinesis, AtomicU32);
    impl ProvideCredentials for Blinks {
        fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
        where
            Self: 'a,
        {
            future::ProvideCredentials::ready(if self.1.fetch_add(1, Ordering::SeqCst) == 1 {
                Err(CredentialsError::provider_error(
                    "the metadata service answered 503",
                ))
            } else {
                Ok(Credentials::new(
                    "a",
                    "b",
                    None,
                    Some(self.0.now() + secs(600)),
                    "blinks",
                ))
            })
        }
    }

    let world = World::new(1);
    let provider = SharedCredentialsProvider::new(Blinks(world.kinesis.clone(), AtomicU32::new(0)));
    let config = world
        .kinesis
        .sdk_config()
        .into_builder()
        .credentials_provider(provider)
        .build();
    let mut running = world
        .launch(crate::world::ledger::App)
        .aws(config)
        .start()
        .await
        .expect("a start");
    let ended = tokio::time::timeout(secs(3600), running.ended()).await;
    assert!(ended.is_err(), "{:?}", running.shutdown().await);
}

#[tokio::test(start_paused = true)]
async fn a_fatal_read_ends_the_run_although_a_handler_hangs() {
    let world = World::new(1);
    world.ledger.plan("1", [crate::world::Deed::Hang]);
    world.put("ada", "1");
    let mut running = world.start().await;
    sleep(secs(2)).await;
    world.kinesis.fault(
        Fault::new(
            Operation::GetRecords,
            FaultKind::Refuse(ErrorCode::AccessDenied),
        )
        .always(),
    );
    tokio::time::timeout(secs(60), running.ended())
        .await
        .expect("within the time of a hand-over");
    let error = running
        .shutdown()
        .await
        .expect_err("not readable")
        .to_string();
    assert!(error.contains("AccessDeniedException"), "{error}");
}
