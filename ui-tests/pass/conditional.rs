use kinesis_app::prelude::*;

/// The application: what is left out takes its glue with it.
#[kinesis_app(name = "conditional")]
pub mod conditional {
    use super::*;

    #[cfg(any())]
    #[stream(name = "never")]
    struct Never;

    #[cfg(any())]
    #[on_record(Never)]
    async fn never(order: Missing) -> AlsoMissing {
        gone(order)
    }

    #[stream(name = "always", codec(Raw))]
    struct Always;

    // One of the two, whatever the target.
    #[cfg(unix)]
    #[on_record(Always)]
    async fn here(
        _order: Bytes,
        #[cfg(unix)] _at: Position,
        #[cfg(not(unix))] _gone: Missing,
        #[cfg(any())]
        #[cfg(unix)]
        _gone_as_well: Missing,
    ) -> Outcome {
        Outcome::Done
    }

    #[cfg(not(unix))]
    #[on_record(Always)]
    async fn there(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[cfg(any())]
    #[on_start]
    async fn connect() -> Missing {
        gone()
    }

    #[cfg(any(unix, not(unix)))]
    #[cfg(not(any()))]
    #[on_ready]
    async fn ready(_setup: Setup, #[cfg(any())] _gone: Missing) {}

    #[cfg(any())]
    #[on_ready]
    async fn ready() {}

    #[cfg_attr(all(), derive(Debug))]
    #[stream(name = "alone", codec(Raw))]
    struct Alone;

    #[cfg_attr(all(), cfg(any()))]
    #[on_record(Gone)]
    async fn gone(_order: Missing) -> Outcome {
        Outcome::Done
    }

    #[cfg(any())]
    struct App;
}
