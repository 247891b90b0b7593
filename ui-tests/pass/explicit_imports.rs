use kinesis_app::prelude::{Bytes, Outcome, Raw};
use kinesis_app::{HookError, kinesis_app, on_record, on_start, stream};

/// Imported by the file, and brought in by a glob.
#[kinesis_app(name = "outside")]
pub mod outside {
    use super::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[on_start]
    async fn connect() -> Result<u8, HookError> {
        Ok(1)
    }

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }
}

/// Imported by the module.
#[kinesis_app(name = "inside")]
pub mod inside {
    use kinesis_app::codec::Raw;
    use kinesis_app::{Outcome, RawRecord, on_ready, on_record, on_shutdown, stream};

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[on_record(Orders)]
    async fn book(_order: RawRecord) -> Outcome {
        Outcome::Done
    }

    #[on_ready]
    async fn ready() {}

    #[on_shutdown]
    async fn flush() {}
}

/// Imported under a condition.
#[kinesis_app(name = "conditional")]
pub mod conditional {
    #[cfg(test)]
    use kinesis_app::on_ready;
    use kinesis_app::prelude::{Bytes, Outcome, Raw};
    use kinesis_app::{on_record, stream};

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[cfg(test)]
    #[on_ready]
    async fn ready() {}
}

/// Another macro of the name of one of ours, which `#[kinesis_app]` reads all the same.
#[kinesis_app(name = "another")]
pub mod another {
    use kinesis_app::prelude::{Bytes, Outcome, Raw, on_record};
    use std::vec as stream;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        let _: Vec<u8> = stream![];
        Outcome::Done
    }
}
