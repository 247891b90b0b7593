use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(order: Bytes) -> Result<(), Box<dyn std::error::Error>> {
        std::str::from_utf8(&order)?;
        Ok(())
    }
}

fn main() {}
