use std::cell::RefCell;

use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_start]
    async fn connect() -> Result<RefCell<u64>, String> {
        Ok(RefCell::new(0))
    }
}

fn main() {}
