use kinesis_app::prelude::*;
use serde::Deserialize;

/// An order.
#[derive(Debug, Deserialize)]
pub struct Order {
    /// Its number.
    pub id: u64,
}

/// The application.
#[kinesis_app(name = "billing")]
pub mod billing {
    use super::*;

    /// Orders.
    #[stream(name = "orders")]
    #[derive(Debug)]
    pub struct Orders;

    /// Books an order.
    #[on_record(Orders)]
    pub async fn book(order: Order) -> Outcome {
        if order.id == 0 {
            Outcome::Retry
        } else {
            Outcome::Done
        }
    }
}

/// It runs.
///
/// # Errors
///
/// The application's own.
pub async fn main() -> Result<(), kinesis_app::Error> {
    kinesis_app::run(billing::App).await
}
