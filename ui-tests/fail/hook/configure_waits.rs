use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[configure]
    async fn settings(_config: &mut AppConfig, _setup: &Setup) {}
}

fn main() {}
