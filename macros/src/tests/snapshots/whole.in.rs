#[kinesis_app(
    name = "billing",
    region(env = "AWS_REGION", default = "eu-west-1"),
    endpoint(env = "KINESIS_ENDPOINT", optional),
    credentials(test),
    owner_id(env = "HOSTNAME", optional),
    leases(
        dynamodb(env = "LEASES", default = "billing-leases"),
        endpoint(env = "DYNAMODB_ENDPOINT", optional),
        create_if_missing,
        duration = "5s"
    ),
    shutdown_timeout = "10s"
)]
/// Books every order once.
pub mod billing {
    //! It has one ledger.
    use super::*;

    /// Orders placed in the shop.
    #[stream(
        name = "orders",
        start(trim_horizon),
        batch_size = 500,
        poll_interval = "200ms",
        create_if_missing(shards = 4),
        on_fatal(mark),
        on_recreated(restart)
    )]
    #[derive(Debug)]
    pub struct Orders;

    #[stream(name(env = "REFUNDS_STREAM", default = "refunds"), codec(Prost<2, 3>))]
    pub struct Refunds;

    #[stream(
        arn = "arn:aws:kinesis:eu-west-1:123456789012:stream/views",
        start(timestamp = "2026-01-01T00:00:00Z", ignore_checkpoint)
    )]
    pub struct Views;

    #[on_start]
    async fn connect(setup: Setup) -> Result<Clients, BillingError> {
        Clients::connect(setup).await
    }

    #[on_shard_start(Orders)]
    async fn resume(shard: ShardId, orders: Seeker<Orders>) -> Result<(), SeekError> {
        orders.seek(Position::sequence(&shard, "7")).await
    }

    #[on_shard_end(Orders)]
    async fn close() {}

    #[on_ready]
    async fn ready() {}

    /// Books one order.
    ///
    /// And files it.
    #[on_record(Orders, concurrency = 8)]
    pub(crate) async fn book(
        Order { id, .. }: Order,
        #[allow(unused)] mut at: Position,
        State(ledger): State<Ledger>,
    ) -> Result<(), BillingError> {
        ledger.book(id, &at).await
    }

    #[on_record(Refunds, ordered(shard), concurrency = 1)]
    async fn refund<'a>(refund: Refund<'a>, note: Note<'static, 'a>) -> Outcome {
        Outcome::Done
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), ConfigError> {
        Ok(())
    }

    #[observe]
    fn metrics(State(meter): State<Meter>) -> impl Observer {
        meter
    }

    #[on_shutdown]
    async fn flush(State(ledger): State<Ledger>) -> Result<(), BillingError> {
        ledger.flush().await
    }

    pub struct Unrelated<T>(T);

    impl<T> Unrelated<T> {
        const fn new(value: T) -> Self {
            Self(value)
        }
    }
}
