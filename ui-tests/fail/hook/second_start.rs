use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_start]
    async fn connect() -> Result<u8, String> {
        Ok(1)
    }

    #[on_start]
    async fn connect_again() -> Result<u8, String> {
        Ok(2)
    }
}

fn main() {}
