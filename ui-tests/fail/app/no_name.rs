use kinesis_app::prelude::*;

#[kinesis_app]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

fn main() {}
