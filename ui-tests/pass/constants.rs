use kinesis_app::prelude::*;

/// Where a service keeps its limits.
pub mod limits {
    pub(super) const NAME: &str = "orders";
    pub(super) const BATCH: u32 = 50;
    pub(super) const POLL: &str = "500ms";
    pub(super) const SINCE: &str = "2026-01-01T00:00:00Z";
    pub(super) const LEASE: &str = "5s";
    pub(super) const AT_ONCE: u32 = if BATCH > 10 { 8 } else { 1 };
}

/// The application.
#[kinesis_app(
    name = env!("CARGO_PKG_NAME"),
    region = concat!("eu-west-", 1),
    endpoint = "http://localhost:4566",
    owner_id = env!("CARGO_PKG_NAME"),
    leases(memory, duration = limits::LEASE),
    shutdown_timeout = limits::POLL
)]
pub mod constants {
    use super::*;

    #[stream(
        name = limits::NAME,
        batch_size = limits::BATCH * 2,
        poll_interval = limits::POLL,
        start(timestamp = limits::SINCE),
        create_if_missing(shards = const { 3 - 1 }),
        codec(Raw)
    )]
    struct Orders;

    #[on_record(Orders, concurrency(shard = limits::AT_ONCE, total = 8), label = limits::NAME)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}
