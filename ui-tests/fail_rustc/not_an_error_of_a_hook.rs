use kinesis_app::prelude::*;

pub struct Ledger;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_ready]
    async fn announce() -> Result<(), Ledger> {
        Ok(())
    }
}

fn main() {}
