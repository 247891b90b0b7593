#[kinesis_app(name = "billing")]
mod billing {
    #[stream(name = "orders")]
    struct Orders;

    #[stream(name = "receipts")]
    struct Receipts;

    #[stream(name = "rejected", codec(Raw))]
    struct Rejected;

    /// Books one order.
    #[on_record(
        Orders,
        retry(attempts = 5),
        exhausted(dead_letter(Rejected)),
        timeout = "30s",
        publish(Receipts)
    )]
    async fn book(order: Order) -> Result<Keyed<Receipt>, Error> {
        book(order).await
    }

    #[on_shard_end(Orders)]
    async fn close(shard: ShardId) -> Result<(), Error> {
        close(shard).await
    }
}
