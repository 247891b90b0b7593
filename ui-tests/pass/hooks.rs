use kinesis_app::prelude::*;

/// The application.
#[kinesis_app(name = "hooks")]
pub mod hooks {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    // Private, though `App` is public.
    #[derive(AppState)]
    struct Clients(Ledger, u8);

    #[derive(Clone)]
    struct Ledger;

    #[on_start]
    async fn connect(setup: Setup) -> Result<Clients, kinesis_app::SetupError> {
        setup.env("LEDGER")?;
        Ok(Clients(Ledger, 3))
    }

    #[on_ready]
    async fn ready(State(_ledger): State<Ledger>, setup: Setup) -> Result<(), String> {
        if setup.args().is_empty() {
            Err("no argument".to_owned())
        } else {
            Ok(())
        }
    }

    #[on_record(Orders)]
    async fn book(_order: Bytes, State(ledger): State<Ledger>, State(limit): State<u8>) -> Outcome {
        let _ = (ledger, limit);
        Outcome::Done
    }

    #[on_shard_start(Orders)]
    async fn begin(
        shard: ShardId,
        lease: Lease,
        shutdown: Shutdown,
        seeker: Seeker<Orders>,
        publisher: Publisher<Orders>,
        State(_ledger): State<Ledger>,
    ) -> Result<(), SeekError> {
        let _ = (lease.token(), publisher);
        if shutdown.requested() {
            return Ok(());
        }
        seeker.seek(Position::sequence(&shard, "1")).await
    }

    #[cfg(unix)]
    #[on_shard_end(Orders)]
    async fn end() {}

    #[cfg(not(unix))]
    #[on_shard_end(Orders)]
    async fn end_elsewhere() {}

    #[on_shutdown]
    async fn flush(State(_limit): State<u8>) {}

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), kinesis_app::HandlerError> {
        if let Some(size) = setup.env_opt("ORDERS_BATCH")? {
            config.stream::<Orders>().set_batch_size(size)?;
        }
        Ok(())
    }

    #[aws]
    async fn aws() -> Result<SdkConfig, std::io::Error> {
        Ok(SdkConfig::builder().build())
    }
}

/// What a start comes to, for a state of this name.
pub type Connected<S> = std::result::Result<S, String>;

/// The whole state under its own type, in a result of another name.
#[kinesis_app(name = "whole")]
pub mod whole {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[derive(Clone)]
    struct Ledger;

    #[on_start]
    async fn connect() -> Connected<Ledger> {
        std::future::ready(Ok(Ledger)).await
    }

    #[configure]
    fn settings(config: &mut AppConfig) {
        config.stream::<Orders>();
    }

    #[on_record(Orders)]
    async fn book(_order: Bytes, State(_ledger): State<Ledger>) -> Outcome {
        Outcome::Done
    }
}
