use kinesis_app::prelude::*;

/// Orders of all shops.
#[stream(name(env = "ORDERS", default = "orders"), codec(Raw))]
#[derive(Debug)]
pub struct Orders;

/// Books.
#[kinesis_app(name = "billing")]
pub mod billing {
    use super::*;

    #[on_record(super::Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

/// Audits the same orders, with leases of its own.
#[kinesis_app(name = "audit")]
pub mod audit {
    use super::*;

    #[on_record(crate::shared_stream::Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}
