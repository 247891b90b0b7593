//! Batches, whose records are given up on; shards have hooks.

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

    #[on_batch(
        crate::app::Orders,
        max_records = 8,
        max_wait = "300ms",
        retry(attempts = ATTEMPTS),
        exhausted(dead_letter(crate::app::Rejected)),
        undecodable(dead_letter(crate::app::Rejected))
    )]
    async fn book(
        orders: Batch<Order>,
        left_out: LeftOut,
        lease: Lease,
        State(desk): State<Desk>,
    ) -> Result<BatchOutcome, HandlerError> {
        desk.handle_batch(&orders, left_out, lease).await
    }
}
