//! The application: one annotated module, as it would run on many machines.

/// The variables that a process is told its surroundings by.
pub(crate) mod variables {
    pub(crate) const NAME: &str = "INSTANCE_NAME";
    pub(crate) const ENDPOINT: &str = "INSTANCE_ENDPOINT";
}

pub(crate) const STREAM: &str = "parcels";
pub(crate) const TABLE: &str = "depot-leases";

/// A depot that sorts parcels, in order per customer. Its leases are short, so that there is less to wait for.
#[kinesis_app::kinesis_app(
    name = "depot",
    owner_id(env = "INSTANCE_NAME"),
    endpoint(env = "INSTANCE_ENDPOINT"),
    credentials(test),
    leases(
        dynamodb = "depot-leases",
        endpoint(env = "INSTANCE_ENDPOINT"),
        create_if_missing,
        duration = "5s"
    ),
    shutdown_timeout = "5s"
)]
pub mod depot {
    use std::time::Duration;

    use kinesis_app::prelude::*;
    use serde::Deserialize;
    use tokio::time::sleep;

    use crate::instances::journal::{Moment, Said};

    /// A parcel, one of a customer's.
    #[derive(Debug, Deserialize)]
    pub struct Parcel {
        /// Numbered per customer, from zero.
        id: u64,
    }

    /// Parcels, as they arrive.
    #[stream(name = "parcels", start(trim_horizon), poll_interval = "250ms")]
    #[derive(Debug)]
    pub struct Parcels;

    /// Sorts a parcel, which takes a moment.
    #[on_record(Parcels, concurrency = 4)]
    async fn sort(parcel: Parcel, customer: PartitionKey) -> Outcome {
        let said = |moment| Said::now(moment, &customer, parcel.id).say();
        said(Moment::Begin);
        sleep(Duration::from_millis(20)).await;
        said(Moment::End);
        Outcome::Done
    }
}
