//! `describe`: what an application is, without a start.

use kinesis_app::{Setup, prelude::*};

use crate::world::Ledger;

#[kinesis_app(
    name = "billing",
    endpoint(env = "ENDPOINT", optional),
    region = "eu-west-1",
    leases(memory)
)]
mod whole {
    use super::*;

    #[stream(
        name(env = "ORDERS", default = "orders"),
        start(trim_horizon),
        codec(Raw)
    )]
    pub(super) struct Orders;

    #[stream(
        arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/views",
        start(timestamp = "2026-01-01T00:00:00Z", ignore_checkpoint)
    )]
    pub(super) struct Views;

    #[stream(name = "receipts")]
    pub(super) struct Receipts;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Err("nothing is started".into())
    }

    /// Books one order.
    ///
    /// And this is more than a line.
    #[on_record(Orders, concurrency = 8, publish(Receipts))]
    async fn book(_order: Bytes) -> Option<Keyed<u8>> {
        None
    }

    #[on_record(Views, ordered(shard))]
    async fn count(_view: RawRecord) -> Outcome {
        Outcome::Done
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), ConfigError> {
        if setup.env("RECEIPTS").is_ok() {
            config.stream::<Receipts>().set_name("configured")?;
        }
        Ok(())
    }
}

#[test]
fn a_whole_application_is_described_as_a_start_without_an_environment_would_have_it() {
    let launch = kinesis_app::launch(whole::App).setup(Setup::empty());
    let description = launch.describe().expect("all is in range");
    assert_eq!(
        description.to_string(),
        "billing: kinesis at kinesis.eu-west-1.amazonaws.com
  Orders: orders (from `ORDERS`), Raw, starts at trim_horizon
    book: Books one order.
      8 at a time, ordered by partition_key; retry: until it passes, 200ms to 30s apart; exhausted: halt; undecodable: halt; publish: Receipts
  Views: arn:aws:kinesis:eu-west-1:123456789012:stream/views, Json, starts at 2026-01-01T00:00:00Z whenever the application starts
    count
      1 at a time, ordered by shard; retry: until it passes, 200ms to 30s apart; exhausted: halt; undecodable: halt
  Receipts: receipts, Json, only written"
    );
    let value = serde_json::to_value(&description).expect("JSON");
    assert_eq!(value["server"]["protocol"], "kinesis");
    assert_eq!(value["streams"][0]["named_by"]["variable"], "ORDERS");
    assert_eq!(value["streams"][1]["name"], "views");
    assert_eq!(value["streams"][2].get("handler"), None);
}

#[test]
fn the_environment_and_configure_have_their_word() {
    let setup = Setup::empty()
        .with_env("ENDPOINT", "http://localhost:4566")
        .with_env("ORDERS", "orders-eu")
        .with_env("RECEIPTS", "1");
    let launch = kinesis_app::launch(whole::App).setup(setup);
    let text = launch.describe().expect("all is in range").to_string();
    assert!(
        text.starts_with("billing: kinesis at http://localhost:4566\n"),
        "{text}"
    );
    assert!(text.contains("Orders: orders-eu (from `ORDERS`)"), "{text}");
    assert!(
        text.contains("Receipts: configured (from `#[configure]`)"),
        "{text}"
    );
}

#[test]
fn what_a_start_would_refuse_is_not_described() {
    for (variable, value) in [
        ("ORDERS", "a b"),
        // No description could show the password.
        ("ENDPOINT", "http://user:secret@localhost:4566"),
    ] {
        let setup = Setup::empty().with_env(variable, value);
        let error = kinesis_app::launch(whole::App).setup(setup).describe();
        let error = error.expect_err("it is out of range").to_string();
        assert!(error.contains(variable), "{error}");
    }
}

#[test]
fn an_application_describes_itself() {
    let description = whole::App::describe().expect("all is in range");
    assert_eq!(description.app, "billing");
    let the_same = kinesis_app::describe(whole::App).expect("all is in range");
    assert_eq!(description, the_same);
}
