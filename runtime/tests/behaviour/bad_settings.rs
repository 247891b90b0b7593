//! Settings that cannot be used are reported all at once, by name and value, before any call.

use kinesis_app::{Error, Setup, prelude::*};

use crate::world::{STREAM, World};

/// Two streams, each with a setting that can only be checked at start.
#[kinesis_app(name = "billing", leases(memory))]
pub(crate) mod shop {
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

pub(crate) async fn error(world: &World, setup: Setup) -> Error {
    let launch = kinesis_app::launch(shop::App)
        .setup(setup)
        .aws(world.kinesis.sdk_config())
        .leases(world.leases.clone());
    launch.start().await.expect_err("bad input")
}

/// Both streams take their names from the environment.
#[kinesis_app(name(env = "NAME", default = "billing"), leases(memory))]
pub(crate) mod unset {
    use super::*;

    #[stream(name(env = "ONE"), start(latest), codec(Raw))]
    struct One;

    #[stream(
        name(env = "TWO"),
        start(trim_horizon),
        codec(Raw),
        create_if_missing(shards = 1)
    )]
    struct Two;

    #[on_record(One)]
    async fn one(_bytes: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_record(Two)]
    async fn two(_bytes: Bytes) -> Outcome {
        Outcome::Done
    }

    #[configure]
    fn settings(
        config: &mut AppConfig,
        setup: &Setup,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if let Ok(arn) = setup.env("ARN") {
            config.stream::<Two>().set_arn(&arn)?;
        }
        if let Some(size) = setup.env_opt("BATCH")? {
            config.stream::<One>().set_batch_size(size)?;
        }
        Ok(())
    }
}

pub(crate) fn named(one: &str, two: &str) -> Setup {
    Setup::empty().with_env("ONE", one).with_env("TWO", two)
}

pub(crate) async fn unset(world: &World, setup: Setup) -> String {
    let launch = kinesis_app::launch(unset::App)
        .setup(setup)
        .aws(world.kinesis.sdk_config())
        .leases(world.leases.clone());
    launch.start().await.expect_err("bad input").to_string()
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
async fn variables_that_are_not_set_are_named_and_nothing_is_made_up_beside_them() {
    assert_eq!(
        unset(&World::new(1), Setup::empty()).await,
        "billing: 2 settings are out of range\n  \
         stream `One`: name from `ONE`: the variable is not set\n  \
         stream `Two`: name from `TWO`: the variable is not set"
    );
}

#[tokio::test(start_paused = true)]
async fn an_application_without_a_name_is_still_spoken_of() {
    let error = unset(&World::new(1), named("orders", "two").with_env("NAME", "")).await;
    assert_eq!(
        error.lines().next(),
        Some("the application: 1 setting is out of range"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_configure_hook_that_fails_hides_no_other_problem() {
    assert_eq!(
        unset(&World::new(1), named("a b", "t").with_env("BATCH", "many")).await,
        "billing: 2 settings are out of range\n  \
         `#[configure]`: the environment variable `BATCH` is `many`: invalid digit found in string\n  \
         stream `One`: name from `ONE`: stream name `a b` has a space at byte 1; names use letters, digits, `_`, `.` and `-`"
    );
}

#[tokio::test(start_paused = true)]
async fn one_stream_by_name_and_by_arn_is_refused() {
    let world = World::new(1);
    let error = unset(
        &world,
        named("orders", "x").with_env("ARN", &world.kinesis.stream_arn(STREAM)),
    )
    .await;
    assert!(
        error.contains("stream `Two`: name: `orders` is already read as `One`"),
        "{error}"
    );
    assert!(
        error.contains("create_if_missing: a stream that is named by its ARN exists"),
        "{error}"
    );
}
