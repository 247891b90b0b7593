#[kinesis_app(name = "billing")]
mod billing {
    #[stream(name = "orders")]
    pub struct Orders;

    #[on_start]
    async fn connect() -> Result<Ledger, Error> {
        go()
    }

    pub struct Order {
        id: u64 u64,
    }

    #[stream(name = "views")]
    pub struct Views;

    /// Books one.
    #[on_record(Orders)]
    async fn book(order: Order) -> Outcome {
        Outcome::Done
    }
}
