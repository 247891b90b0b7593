#[kinesis_app(
    name = env!("CARGO_PKG_NAME"),
    region = REGION,
    endpoint = ENDPOINT,
    owner_id = OWNER,
    leases(dynamodb = TABLE, endpoint = TABLES, duration = limits::LEASE),
    shutdown_timeout = limits::STOP
)]
mod billing {
    #[stream(
        name = limits::ORDERS,
        batch_size = limits::BATCH * 2,
        poll_interval = limits::POLL,
        start(timestamp = limits::SINCE),
        create_if_missing(shards = limits::SHARDS)
    )]
    struct Orders;

    #[on_record(Orders, concurrency = limits::CONCURRENCY)]
    async fn book(order: Order) -> Outcome {
        Outcome::Done
    }
}
