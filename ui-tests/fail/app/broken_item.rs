use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    pub struct Order {
        id u64,
    }

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

fn main() {
    drop(kinesis_app::run(billing::App));
}
