use std::sync::Arc;

use kinesis_app::{MemoryLeases, prelude::*};

/// Types that nobody names, made of the state and of the setup.
#[kinesis_app(name = "hidden")]
pub mod hidden {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[derive(Clone)]
    struct Meter;

    impl Observer for Meter {}

    #[on_start]
    async fn connect() -> Result<Meter, String> {
        std::future::ready(Ok(Meter)).await
    }

    #[leases]
    async fn store(_setup: Setup) -> impl LeaseStore {
        MemoryLeases::new()
    }

    #[observe]
    fn metrics(State(meter): State<Meter>, setup: &Setup) -> impl Observer {
        let _ = setup.args();
        meter
    }

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

/// What may fail, behind pointers, under a condition.
#[kinesis_app(name = "results")]
pub mod results {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    struct Silent;

    impl Observer for Silent {}

    #[leases]
    async fn store() -> Result<MemoryLeases, std::io::Error> {
        Ok(MemoryLeases::new())
    }

    #[cfg(unix)]
    #[observe]
    fn metrics(setup: &Setup) -> Result<Arc<dyn Observer>, kinesis_app::SetupError> {
        setup.env("STATSD")?;
        Ok(Arc::new(Silent))
    }

    #[cfg(not(unix))]
    #[observe]
    fn metrics_elsewhere() -> Silent {
        Silent
    }

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}
