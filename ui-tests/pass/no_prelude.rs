/// Not even `Drop` is in scope.
#[::kinesis_app::kinesis_app(name = "bare")]
pub mod bare {
    #![no_implicit_prelude]

    use ::kinesis_app::AppState;

    #[::kinesis_app::stream(name = "orders", codec(::kinesis_app::codec::Raw))]
    struct Orders;

    #[derive(AppState)]
    struct Clients {
        ledger: ::std::string::String,
    }

    #[::kinesis_app::on_start]
    async fn connect() -> ::core::result::Result<Clients, ::std::string::String> {
        ::core::result::Result::Ok(Clients {
            ledger: ::std::string::String::new(),
        })
    }

    #[::kinesis_app::on_record(Orders, concurrency = 2)]
    async fn book(
        _order: ::kinesis_app::prelude::Bytes,
        _ledger: ::kinesis_app::State<::std::string::String>,
    ) -> ::kinesis_app::Outcome {
        ::kinesis_app::Outcome::Done
    }

    #[::kinesis_app::on_ready]
    async fn ready() {}

    #[::kinesis_app::on_shutdown]
    async fn flush() -> ::core::result::Result<(), ::std::io::Error> {
        ::core::result::Result::Ok(())
    }

    #[::kinesis_app::aws]
    async fn aws(_setup: ::kinesis_app::Setup) -> ::kinesis_app::SdkConfig {
        ::kinesis_app::SdkConfig::builder().build()
    }
}
