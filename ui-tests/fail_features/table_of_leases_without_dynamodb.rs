use kinesis_app::prelude::*;

#[kinesis_app(name = "billing", leases(dynamodb = "billing-leases"))]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), kinesis_app::Error> {
    kinesis_app::run(billing::App).await
}
