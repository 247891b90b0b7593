use kinesis_app::prelude::*;

const NONE: u32 = 0;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_batch(Orders, max_records = NONE)]
    async fn count(orders: Batch<Bytes>) -> BatchOutcome {
        orders.done()
    }
}

fn main() {}
