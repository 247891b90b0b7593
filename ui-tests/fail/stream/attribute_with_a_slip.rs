use kinesis_app::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Order;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[steam(name = "orders")]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Order) -> Outcome {
        Outcome::Done
    }
}

fn main() {}
