use kinesis_app::prelude::*;

pub struct Order;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Prost))]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Order) -> Outcome {
        Outcome::Done
    }
}

fn main() {}
