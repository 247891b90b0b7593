use kinesis_app::prelude::*;

pub struct Order;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: String) -> Outcome {
        Outcome::Done
    }
}

fn main() {}
