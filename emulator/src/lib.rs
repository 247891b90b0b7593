//! Amazon Kinesis Data Streams in process, under the unmodified AWS SDK.
//!
//! [`Kinesis`] is an HTTP client for `aws-sdk-kinesis`: no socket, no port, nothing to install. Its
//! time is tokio's, so a test with a paused clock runs hours in milliseconds, and its chance is one
//! seeded generator, so it runs the same every time.
//!
//! It behaves as the service is documented to: MD5 hash ranges, lineage and `ChildShards`, closed
//! shards that keep their records, 56-digit sequence numbers, iterators that expire, read and write
//! limits, error names and codes. [`Fault`]s make it fail the way the service and the network do.
//!
//! ```
//! use kinesis_app_emulator::Kinesis;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let kinesis = Kinesis::new();
//! kinesis.create_stream("orders", 2)?;
//! let [low, high] = kinesis.split("orders", "shardId-000000000000")?;
//!
//! let listing = kinesis.client().list_shards().stream_name("orders").send().await?;
//! let ids: Vec<&str> = listing.shards().iter().map(|shard| shard.shard_id()).collect();
//! assert_eq!(ids, ["shardId-000000000000", "shardId-000000000001", &low, &high]);
//! # Ok(())
//! # }
//! ```

mod arrivals;
mod bells;
mod builder;
mod calls;
mod client;
mod clock;
mod connector;
mod data;
#[cfg(feature = "dynamodb")]
pub mod dynamodb;
mod error;
mod faults;
mod hub;
mod kinesis;
mod limits;
mod operation;
#[cfg(feature = "server")]
pub mod server;
mod service;
mod views;
mod wire;

pub use arrivals::Arrival;
pub use builder::KinesisBuilder;
pub use calls::{Call, Outcome};
pub use client::Link;
pub use clock::{EmulatorClock, Skew};
pub use data::{DataDirectory, DataError};
#[cfg(feature = "dynamodb")]
pub use dynamodb::DynamoDb;
pub use error::{ErrorCode, ServiceError};
pub use faults::{EventAt, EventFault, Fault, FaultKind};
pub use kinesis::Kinesis;
pub use operation::Operation;
pub use service::{HashRange, Limits, hash_key};
pub use views::{Put, ShardView, Stored, StoredRecord, Trim};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
