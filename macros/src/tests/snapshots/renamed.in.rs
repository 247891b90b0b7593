#[kinesis_app(name = "billing", crate = crate::vendor::kinesis)]
mod billing {
    #[crate::vendor::kinesis::stream(name = "orders")]
    struct Orders;

    #[crate::vendor::kinesis::prelude::on_record(Orders)]
    async fn book(order: Order) -> Outcome {
        Outcome::Done
    }

    #[somebody::elses::on_record(Orders)]
    fn untouched() {}
}
