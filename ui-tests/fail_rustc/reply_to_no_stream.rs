use kinesis_app::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
pub struct Order;

#[derive(Serialize)]
pub struct Receipt;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders")]
    pub struct Orders;

    #[stream(name = "receipts")]
    pub struct Receipts;

    #[on_record(Orders, publish(Receipt))]
    async fn book(_order: Order) -> Keyed<Receipt> {
        Receipt.keyed("ada")
    }
}

fn main() {}
