use kinesis_app::prelude::*;

const MANY: u32 = 8;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders, ordered(shard), concurrency = MANY)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

fn main() {}
