//! Each record is tried until it is handled, and nothing is published.

use super::*;

#[kinesis_app(name = "sim", leases(memory), shutdown_timeout = "10s")]
pub(crate) mod orders {
    use super::*;

    #[on_start]
    async fn open() -> Result<Desk, String> {
        Err("the simulation brings its own".into())
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), ConfigError> {
        super::settings(config, setup)
    }

    #[on_record(crate::app::Orders, concurrency = 4)]
    async fn book(
        order: Order,
        shard: ShardId,
        attempt: Attempt,
        lease: Lease,
        arrival: ArrivalTime,
        seeker: Seeker<Orders>,
        State(desk): State<Desk>,
    ) -> Result<Outcome, HandlerError> {
        let handling = desk.handling(&order, &shard, attempt, lease);
        desk.seek_perhaps(order.number, arrival.0, &seeker).await;
        desk.handle(handling).await.map(Said::outcome)
    }
}
