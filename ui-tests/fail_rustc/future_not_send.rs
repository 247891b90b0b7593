use kinesis_app::prelude::*;

pub struct Order;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    pub struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        let shared = std::rc::Rc::new(1);
        std::future::ready(()).await;
        drop(shared);
        Outcome::Done
    }
}

fn main() {}
