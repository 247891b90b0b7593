//! `leases(dynamodb = ..)`: the table that the application names, made or missing, at the application's address or its own.

use kinesis_app::{Error, Setup, prelude::*};
use kinesis_app_emulator::{Operation, dynamodb};
use tokio::time::sleep;

use crate::{
    tricks::Tricks,
    world::{Entry, FIRST, Ledger, World, secs},
};

/// Everything about the table from the environment.
#[kinesis_app(
    name = "billing",
    leases(
        dynamodb(env = "TABLE", default = "billing-leases"),
        endpoint(env = "TABLE_ENDPOINT", optional),
        create_if_missing
    )
)]
mod created {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders, concurrency = 8)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

/// A short lease in a table that is there, or is not.
#[kinesis_app(name = "billing", leases(dynamodb = "billing-leases", duration = "3s"))]
mod expected {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }

    #[configure]
    fn settings(
        config: &mut AppConfig,
        setup: &Setup,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        match setup.env("LEASES").as_deref() {
            Ok("memory") => config.set_leases(kinesis_app::MemoryLeases::new()),
            Ok(table) => config.set_lease_table(table)?,
            Err(_) => {}
        }
        if let Ok(endpoint) = setup.env("ENDPOINT") {
            config.set_lease_endpoint(&endpoint)?;
        }
        if let Some(micros) = setup.env_opt("LEASE_MICROS")? {
            config.set_lease_duration(std::time::Duration::from_micros(micros))?;
        }
        if setup.env("CREATE").is_ok() {
            config.set_create_lease_table()?;
        }
        Ok(())
    }
}

/// A launch that takes its leases from the module.
fn launch<A: kinesis_app::Application>(
    world: &World,
    app: A,
    setup: Setup,
) -> kinesis_app::Launch<A> {
    let launch = kinesis_app::launch(app).setup(setup);
    launch
        .aws(world.kinesis.sdk_config())
        .state(world.ledger.clone())
        .seed(world.seed)
}

#[tokio::test(start_paused = true)]
async fn the_named_table_is_created_on_request_and_its_checkpoints_outlive_the_process() {
    let world = World::new(2);
    for run in 0..2 {
        world.put("a", &run.to_string());
        let running = launch(&world, created::App, Setup::empty()).start();
        let running = running.await.expect("a start");
        sleep(secs(10)).await;
        running.shutdown().await.expect("a clean stop");
    }
    assert_eq!(world.ledger.begun(), ["0", "1"], "each once");
    let tables = world.kinesis.dynamodb();
    assert_eq!(tables.rows("billing-leases").len(), 3);
    assert_eq!(tables.calls(dynamodb::Operation::CreateTable), 1);
}

#[tokio::test(start_paused = true)]
async fn the_name_of_the_table_may_come_from_the_environment() {
    let world = World::new(1);
    let setup = Setup::empty().with_env("TABLE", "of.the_environment");
    let running = launch(&world, created::App, setup).start();
    let running = running.await.expect("a start");
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.kinesis.dynamodb().rows("of.the_environment").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_table_with_an_endpoint_of_its_own_is_reached_there_and_the_streams_are_not() {
    let world = World::new(1);
    let (config, tricks) = Tricks::new(&world.kinesis);
    let config = config.into_builder().endpoint_url("http://streams").build();
    let at = |endpoint: Option<&str>| {
        let setup = match endpoint {
            Some(endpoint) => Setup::empty().with_env("TABLE_ENDPOINT", endpoint),
            None => Setup::empty(),
        };
        launch(&world, created::App, setup).aws(config.clone())
    };
    let running = at(None).start().await.expect("a start");
    running.shutdown().await.expect("a clean stop");
    assert_eq!(tricks.reached("Scan"), ["http://streams"]);
    let running = at(Some("http://tables:8000"))
        .start()
        .await
        .expect("a start");
    running.shutdown().await.expect("a clean stop");
    assert_eq!(
        tricks.reached("Scan"),
        ["http://streams", "http://tables:8000"]
    );
    assert_eq!(tricks.reached("ListShards"), ["http://streams"]);
}

#[tokio::test(start_paused = true)]
async fn a_store_given_to_the_launch_wins() {
    let world = World::new(1);
    let launch = launch(&world, created::App, Setup::empty()).leases(world.leases.clone());
    let running = launch.start().await.expect("a start");
    assert_eq!(world.leases.rows().len(), 1);
    assert!(world.kinesis.dynamodb().call_log().is_empty());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_missing_table_fails_the_start_unless_it_is_to_be_created() {
    let world = World::new(1);
    let error = launch(&world, expected::App, Setup::empty()).start();
    let error = error.await.expect_err("no table");
    assert!(matches!(error, Error::Leases { .. }), "{error}");
    assert!(
        error.to_string().ends_with("or say `create_if_missing`"),
        "{error}"
    );
    let setup = Setup::empty().with_env("CREATE", "1");
    let running = launch(&world, expected::App, setup).start();
    let running = running.await.expect("a start");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn settings_of_the_table_that_cannot_be_used_are_reported_together() {
    let world = World::new(1);
    let setup = Setup::empty()
        .with_env("TABLE", "a b")
        .with_env("TABLE_ENDPOINT", "localhost:8000");
    let error = launch(&world, created::App, setup).start();
    assert_eq!(
        error.await.expect_err("bad input").to_string(),
        "billing: 2 settings are out of range\n  \
         lease table from `TABLE`: lease table name `a b` has a space at byte 1; names use letters, digits, `_`, `.` and `-`\n  \
         endpoint of the lease table from `TABLE_ENDPOINT`: endpoint `localhost:8000` has no scheme"
    );
    for (setup, problem) in [
        (
            Setup::empty().with_env("LEASES", "x"),
            "lease table from `#[configure]`: lease table name `x` has 1 character; DynamoDB names have 3 to 255",
        ),
        (
            Setup::empty().with_env("ENDPOINT", "tables"),
            "endpoint of the lease table from `#[configure]`: endpoint `tables` has no scheme",
        ),
        (
            Setup::empty()
                .with_env("LEASES", "memory")
                .with_env("ENDPOINT", "http://tables"),
            "endpoint of the lease table from `#[configure]`: the leases are not in a table; `set_lease_table` comes first",
        ),
        (
            Setup::empty()
                .with_env("LEASES", "memory")
                .with_env("CREATE", "1"),
            "creation of the lease table from `#[configure]`: the leases are not in a table; `set_lease_table` comes first",
        ),
    ] {
        let error = launch(&world, expected::App, setup).start();
        assert_eq!(
            error.await.expect_err("bad input").to_string(),
            format!("billing: 1 setting is out of range\n  {problem}")
        );
    }
    assert!(world.kinesis.call_log().is_empty());
}

/// A heartbeat of a lease of three seconds that gets no answer is tried a second time before the owner's deadline.
#[tokio::test(start_paused = true)]
async fn a_short_lease_outlives_a_beat_that_gets_no_answer() {
    let world = World::new(1);
    let launch = launch(
        &world,
        expected::App,
        Setup::empty().with_env("CREATE", "1"),
    );
    let running = launch.start().await.expect("a start");
    sleep(secs(5)).await;
    for _ in 0..5 {
        world.kinesis.dynamodb().fault(dynamodb::Fault::new(
            dynamodb::Operation::UpdateItem,
            dynamodb::FaultKind::Hang,
        ));
        sleep(secs(5)).await;
    }
    // A lease that was lost and taken again is read with another iterator.
    assert_eq!(world.kinesis.calls(Operation::GetShardIterator), 1);
    running.shutdown().await.expect("a clean stop");
}

/// Rows hold milliseconds: what was sent has to be what stands there, or a write whose answer is lost looks like another's.
#[tokio::test(start_paused = true)]
async fn a_lease_duration_with_a_part_of_a_millisecond_is_recognised_in_its_row() {
    let world = World::new(1);
    let setup = Setup::empty()
        .with_env("CREATE", "1")
        .with_env("LEASE_MICROS", "9999500");
    let launch = launch(&world, expected::App, setup);
    let running = launch.start().await.expect("a start");
    let lost = dynamodb::Fault::new(
        dynamodb::Operation::UpdateItem,
        dynamodb::FaultKind::AnswerLost,
    );
    let row = format!("billing:orders:{FIRST}");
    world.kinesis.dynamodb().fault(lost.key(row));
    sleep(secs(60)).await;
    assert_eq!(
        world.kinesis.calls(Operation::GetShardIterator),
        1,
        "it was never lost"
    );
    running.shutdown().await.expect("a clean stop");
}
