#[kinesis_app(name = "billing")]
mod billing {
    #[cfg(feature = "orders")]
    #[stream(name = "orders")]
    struct Orders;

    #[stream(name = "views")]
    struct Views;

    #[cfg(feature = "orders")]
    #[on_start]
    async fn connect() -> Result<Ledger, Error> {
        Ledger::connect().await
    }

    #[cfg(feature = "orders")]
    #[on_record(Orders)]
    async fn book(order: Order, #[cfg(unix)] at: Position) -> Outcome {
        Outcome::Done
    }

    #[cfg(unix)]
    #[cfg(test)]
    #[on_record(Views)]
    async fn count(view: View) -> Outcome {
        Outcome::Done
    }

    #[cfg(windows)]
    #[on_record(Views)]
    async fn count_on_windows(view: View) -> Outcome {
        Outcome::Done
    }
}
