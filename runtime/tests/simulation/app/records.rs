//! Records are given up on, handlers reply, shards have hooks.

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

    #[on_shard_start(crate::app::Orders)]
    async fn begin(shard: ShardId, lease: Lease, State(desk): State<Desk>) -> Result<(), String> {
        desk.hook(Hook::Start, &shard, lease).await
    }

    #[on_shard_end(crate::app::Orders)]
    async fn end(shard: ShardId, lease: Lease, State(desk): State<Desk>) -> Result<(), String> {
        desk.hook(Hook::End, &shard, lease).await
    }

    #[on_record(
        crate::app::Orders,
        concurrency = 4,
        retry(attempts = ATTEMPTS),
        exhausted(dead_letter(crate::app::Rejected)),
        undecodable(dead_letter(crate::app::Rejected)),
        publish(crate::app::Receipts)
    )]
    async fn book(
        order: Order,
        shard: ShardId,
        attempt: Attempt,
        lease: Lease,
        arrival: ArrivalTime,
        seeker: Seeker<Orders>,
        State(desk): State<Desk>,
    ) -> Result<Said, HandlerError> {
        let handling = desk.handling(&order, &shard, attempt, lease);
        desk.seek_perhaps(order.number, arrival.0, &seeker).await;
        desk.handle(handling).await
    }
}
