use kinesis_app::prelude::*;

#[kinesis_app(name = "billing", leases(memory, duraton = "1s", endpoint = "tables"))]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

fn main() {
    let _ = kinesis_app::run(billing::App);
}
