use kinesis_app::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Order;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders")]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(&self, order: Order) -> Outcome {
        self.ledger.book(order).await
    }
}

fn main() {}
