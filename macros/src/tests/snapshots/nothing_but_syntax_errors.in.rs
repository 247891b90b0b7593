#[kinesis_app(= , name "billing", name = , region = "eu-west-1" "eu-west-2", "loose", 7)]
mod billing {
    #[on_record]
    async fn book(order: Order) -> Outcome {
        Outcome::Done
    }
}
