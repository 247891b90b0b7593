use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[derive(Clone)]
    struct Ledger;

    struct Refused;

    #[on_start]
    async fn connect() -> Result<Ledger, Refused> {
        Err(Refused)
    }

    #[on_record(Orders)]
    async fn book(_order: Bytes, State(_ledger): State<Ledger>) -> Outcome {
        Outcome::Done
    }
}

fn main() {}
