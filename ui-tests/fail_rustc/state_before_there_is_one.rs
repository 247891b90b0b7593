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
    async fn connect(State(name): State<String>) -> Result<String, String> {
        Ok(name)
    }
}

fn main() {}
