use kinesis_app::prelude::*;

/// Reads all of its streams but one.
#[kinesis_app(name = "billing")]
pub mod billing {
    use super::*;

    use self::Orders as Renamed;

    type Alias = Views;

    /// Handled by an import under another name.
    #[stream(name = "orders", codec(Raw))]
    #[derive(Debug)]
    pub struct Orders;

    /// Handled by a type alias.
    #[stream(name = "views", codec(Raw))]
    #[derive(Debug)]
    pub struct Views;

    /// Handled by a path from the parent.
    #[stream(name = "clicks", codec(Raw))]
    #[derive(Debug)]
    pub struct Clicks;

    /// Handled by a path from the crate.
    #[stream(name = "refunds", codec(Raw))]
    #[derive(Debug)]
    pub struct Refunds;

    /// Not handled.
    #[stream(name = "receipts", codec(Raw))]
    #[derive(Debug)]
    pub struct Receipts;

    #[on_record(Renamed)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_record(Alias)]
    async fn view(_view: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_record(super::billing::Clicks)]
    async fn click(_click: Bytes) -> Outcome {
        Outcome::Done
    }

    #[on_record(crate::other_paths::billing::Refunds)]
    async fn refund(_refund: Bytes) -> Outcome {
        Outcome::Done
    }

    /// Runs once all settings are found good, and before anything is connected.
    #[aws]
    async fn config() -> Result<SdkConfig, &'static str> {
        Err("the settings are good")
    }
}
