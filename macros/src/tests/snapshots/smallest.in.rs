#[kinesis_app(name = "billing")]
mod billing {
    #[stream(name = "orders")]
    struct Orders;

    #[on_record(Orders)]
    async fn book(order: Order) -> Outcome {
        Outcome::Done
    }
}
