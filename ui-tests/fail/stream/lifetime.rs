use kinesis_app::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Order;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders")]
    pub struct Orders<'a>;

    #[on_record(Orders)]
    async fn book(_order: Order) -> Outcome {
        Outcome::Done
    }
}

fn main() {}
