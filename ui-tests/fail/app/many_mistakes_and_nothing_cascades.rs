use kinesis_app::prelude::*;

#[kinesis_app(name = "billing service", regoin = "eu-west-1")]
mod billing {
    use super::*;

    #[stream(name = "orders/eu", batch_size = 0, poll_interval = 500)]
    pub struct Orders;

    #[stream(name = "views", start = latest, codec(Raw))]
    pub struct Views;

    #[derive(AppState)]
    pub struct Clients {
        name: String,
    }

    #[on_start]
    async fn connect() -> Clients {
        Clients { name: String::new() }
    }

    #[on_record(Orders)]
    fn book(order: Order) {
        drop(order)
    }

    #[on_record(Views, workers = 8)]
    async fn count(_view: Bytes, State(_name): State<String>) -> Outcome {
        Outcome::Done
    }

    #[configure]
    fn settings(config: &mut AppConfig, _setup: &Setup) -> Result<(), ConfigError> {
        config.stream::<Orders>().set_batch_size(5)?;
        config.stream::<Views>().set_batch_size(5)?;
        Ok(())
    }

    pub struct Order;
}

async fn uses_what_the_module_declares() -> Result<(), kinesis_app::Error> {
    const _: kinesis_app::spec::StreamSpec = <billing::Orders as Stream>::SPEC;
    kinesis_app::run(billing::App).await
}

fn main() {
    drop(uses_what_the_module_declares());
}
