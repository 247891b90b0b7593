use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders, label = concat!("book", " ", "orders"))]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

fn main() {}
