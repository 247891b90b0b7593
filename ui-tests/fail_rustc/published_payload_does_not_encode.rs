use kinesis_app::prelude::*;

pub struct Receipt {
    order: u64,
}

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[stream(name = "receipts")]
    pub struct Receipts;

    #[on_record(Orders)]
    async fn book(_order: Bytes, receipts: Publisher<Receipts>) -> Result<(), PublishError> {
        receipts.publish(Receipt { order: 1 }.keyed("ada")).await?;
        Ok(())
    }
}

fn main() {}
