use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    /// Only written.
    #[stream(name = "receipts", codec(Raw))]
    pub struct Receipts;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_shard_end(Receipts)]
    async fn close() {}
}

fn main() {}
