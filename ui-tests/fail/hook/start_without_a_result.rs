use kinesis_app::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Order;

#[derive(Clone)]
pub struct Db;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders")]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Order, State(_db): State<Db>) -> Outcome {
        Outcome::Done
    }

    #[on_start]
    async fn connect() -> Db {
        Db
    }
}

fn main() {}
