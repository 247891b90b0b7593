use std::net::TcpListener;

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
    async fn connect() -> TcpListener {
        TcpListener::bind("127.0.0.1:0").expect("a port")
    }
}

fn main() {}
