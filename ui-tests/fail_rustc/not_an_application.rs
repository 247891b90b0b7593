use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

async fn consume() -> Result<(), kinesis_app::Error> {
    kinesis_app::run((billing::App, billing::Orders)).await
}

fn main() {}
