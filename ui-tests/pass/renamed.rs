/// A re-export.
pub mod vendor {
    pub use ::renamed as kinesis;
}

/// A stream that stands alone.
#[renamed::stream(name = "views", codec(renamed::codec::Raw), crate = renamed)]
#[derive(Debug)]
pub struct Views;

/// By the name of the manifest.
#[renamed::kinesis_app(name = "renamed", crate = ::renamed)]
pub mod renamed_in_the_manifest {
    use renamed::prelude::*;

    #[stream(name = "orders", codec(Raw))]
    struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Bytes) -> Outcome {
        Outcome::Done
    }

    #[renamed::on_record(super::Views)]
    async fn count(_view: Bytes) -> Outcome {
        Outcome::Done
    }
}

/// By a re-export.
#[vendor::kinesis::kinesis_app(name = "exported", crate = crate::another_name::vendor::kinesis)]
pub mod behind_a_re_export {
    use super::vendor::kinesis::prelude::*;

    /// State.
    #[derive(AppState, Debug)]
    #[app_state(crate = crate::another_name::vendor::kinesis)]
    pub struct Clients {
        name: String,
    }

    #[crate::another_name::vendor::kinesis::on_start]
    async fn connect() -> Result<Clients, std::io::Error> {
        Ok(Clients {
            name: String::new(),
        })
    }

    #[crate::another_name::vendor::kinesis::stream(name = "orders", codec(Raw))]
    struct Orders;

    #[crate::another_name::vendor::kinesis::prelude::on_record(Orders)]
    async fn book(_order: Bytes, State(_name): State<String>) -> Outcome {
        Outcome::Done
    }
}
