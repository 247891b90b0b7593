use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders")]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(order: str) -> Outcome {
        drop(order);
        Outcome::Done
    }
}

fn main() {}
