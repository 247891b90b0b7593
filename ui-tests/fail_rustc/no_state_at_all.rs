use kinesis_app::prelude::*;

pub struct Order;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[derive(Clone)]
    struct Db;

    #[on_record(Orders)]
    async fn book(_order: Bytes, State(_db): State<Db>) -> Outcome {
        Outcome::Done
    }
}

fn main() {}
