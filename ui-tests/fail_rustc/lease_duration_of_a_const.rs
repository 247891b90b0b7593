use kinesis_app::prelude::*;

mod limits {
    pub const LEASE: &str = "2s";
}

#[kinesis_app(name = "billing", leases(memory, duration = limits::LEASE))]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

fn main() {}
