use kinesis_app::prelude::*;

const TABLE: &str = "billing-leases";
const ENDPOINT: &str = "http://localhost:8000";
const LEASE: &str = "5s";

/// Everything as a literal or from the environment.
#[kinesis_app(
    name = "billing",
    leases(
        dynamodb(env = "LEASES", default = "billing-leases"),
        endpoint(env = "DYNAMODB_ENDPOINT", optional),
        duration = "30s",
        create_if_missing
    )
)]
pub mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub(super) struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

/// Everything that the compiler checks, beside the endpoint of the streams.
#[kinesis_app(
    name = "audit",
    endpoint = ENDPOINT,
    leases(dynamodb = TABLE, endpoint = ENDPOINT, duration = LEASE)
)]
pub mod audit {
    use super::*;

    #[on_record(super::billing::Orders)]
    async fn note(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[configure]
    fn settings(config: &mut AppConfig, _setup: &Setup) -> Result<(), ConfigError> {
        config.set_lease_table("audit-leases")?;
        config.set_lease_endpoint(ENDPOINT)?;
        config.set_create_lease_table()
    }
}
