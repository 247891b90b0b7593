#[kinesis_app(name = "loop")]
mod r#loop {
    #[stream(name = "moves")]
    struct r#Move;

    #[stream(name = "types", codec(r#Raw))]
    struct r#type;

    #[on_record(r#Move)]
    async fn r#move(r#type: r#dyn::Order) -> r#Outcome {
        r#Outcome::Done
    }

    #[on_record(r#type)]
    async fn r#match(r#in: Order) -> Outcome {
        Outcome::Done
    }

    #[on_ready]
    async fn r#async() {}
}
