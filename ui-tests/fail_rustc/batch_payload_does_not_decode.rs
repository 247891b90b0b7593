use kinesis_app::prelude::*;

pub struct Order;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders")]
    pub struct Orders;

    #[on_batch(Orders)]
    async fn count(orders: Batch<Order>) -> BatchOutcome {
        orders.done()
    }
}

fn main() {}
