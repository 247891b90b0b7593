use kinesis_app::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Order;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders")]
    pub struct Orders;

    #[on_batch(Orders)]
    async fn count(_order: Order) -> BatchOutcome {
        BatchOutcome::done()
    }
}

fn main() {}
