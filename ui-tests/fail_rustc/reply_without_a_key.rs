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

    #[on_record(Orders, publish(Receipts))]
    async fn book(_order: Order) -> Result<Receipt, String> {
        Ok(Receipt)
    }
}

fn main() {}
