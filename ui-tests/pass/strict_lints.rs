#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub,
    unused,
    unused_qualifications,
    unused_lifetimes,
    single_use_lifetimes,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    let_underscore_drop,
    trivial_casts,
    nonstandard_style,
    rust_2018_idioms,
    unit_bindings,
    unnameable_types,
    refining_impl_trait,
    clippy::all,
    clippy::pedantic,
    clippy::nursery
)]
#![forbid(unsafe_code)]

use kinesis_app::prelude::*;

/// The application.
#[kinesis_app(name = "strict")]
pub mod strict {
    use super::{AppConfig, AppState, Bytes, ConfigError, Outcome, Raw, Setup, State};

    /// Orders.
    #[stream(name = "orders", codec(Raw), batch_size = 5, poll_interval = "500ms")]
    #[derive(Debug, Clone, Copy)]
    pub struct Orders;

    /// Views.
    #[stream(name = "views", codec(Raw))]
    #[derive(Debug, Clone, Copy)]
    pub struct Views;

    #[derive(Clone, Debug)]
    struct Ledger(Vec<u8>);

    /// Private fields of private types, in a state that is public.
    #[derive(AppState, Debug)]
    pub struct Clients {
        ledger: Ledger,
        /// Public.
        pub name: String,
    }

    #[on_start]
    async fn connect(setup: Setup) -> Result<Clients, std::io::Error> {
        std::future::ready(()).await;
        Ok(Clients {
            ledger: Ledger(vec![0; setup.args().len()]),
            name: String::new(),
        })
    }

    #[on_record(Orders, concurrency = 8)]
    async fn book(order: Bytes, State(ledger): State<Ledger>) -> Outcome {
        std::future::ready(()).await;
        if order.len() > ledger.0.len() {
            return Outcome::Skip;
        }
        Outcome::Done
    }

    #[on_shutdown]
    async fn flush(State(name): State<String>) {
        std::future::ready(name).await;
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), ConfigError> {
        let size = u32::try_from(setup.args().len()).unwrap_or(1);
        config.stream::<Orders>().set_batch_size(size)?;
        Ok(())
    }
}
