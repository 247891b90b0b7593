use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[on_record(Orders)]
    async fn book(order: Bytes) {
        drop(order);
    }
}

fn main() {}
