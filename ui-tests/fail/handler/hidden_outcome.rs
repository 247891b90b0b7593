use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> impl kinesis_app::IntoOutcome {
        Outcome::Done
    }
}

fn main() {}
