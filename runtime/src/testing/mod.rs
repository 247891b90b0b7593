//! An application in its tests: unchanged, on a Kinesis in process, in virtual time (cargo feature `testing`).
//!
//! ```
//! use kinesis_app::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! pub struct Order {
//!     pub id: u64,
//! }
//!
//! #[derive(Serialize, Deserialize, Debug, PartialEq)]
//! pub struct Receipt {
//!     pub order: u64,
//! }
//!
//! #[kinesis_app(name = "billing", region = "eu-west-1", leases(memory))]
//! pub mod billing {
//!     use super::*;
//!
//!     #[stream(name(env = "ORDERS_STREAM", default = "orders"))]
//!     pub struct Orders;
//!
//!     #[stream(name = "receipts")]
//!     pub struct Receipts;
//!
//!     #[on_record(Orders)]
//!     async fn book(order: Order, customer: PartitionKey, receipts: Publisher<Receipts>) -> Result<(), PublishError> {
//!         receipts.publish(Receipt { order: order.id }.keyed(&*customer)).await?;
//!         Ok(())
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
//! // In a test: `#[tokio::test(start_paused = true)]`.
//! let app = TestApp::start(billing::App).await;
//! app.put::<billing::Orders>("ada", &Order { id: 1 }).await;
//! app.settled().await;
//! app.handler::<billing::Orders>().assert_done(1);
//! let receipts = app.published::<billing::Receipts>();
//! receipts.assert_keys(["ada"]);
//! assert_eq!(receipts.decoded::<Receipt>(), [Receipt { order: 1 }]);
//! # }
//! ```
//!
//! Nothing of the application is replaced but its state, if the test says so. What it runs on is the emulator `kinesis-app-emulator`, with
//! the service's limits, through the whole AWS SDK, and leases in memory: [`restart`](TestApp::restart), [`crash`](TestApp::crash),
//! [`second_instance`](TestApp::second_instance), [`split`](TestApp::split) and [`merge`](TestApp::merge) do what they do outside, with
//! checkpoints, replays and lineage. Time is virtual: back-offs, lease durations and polls take none.

mod app;
mod builder;
mod clock;
mod due;
mod handler;
mod instances;
mod published;
mod survey;
mod text;
mod wait;
mod witness;

pub use kinesis_app_emulator as emulator;
pub use kinesis_app_emulator::{FaultKind, Operation, ShardView, Stored};

pub(crate) use self::witness::Witness;
pub use self::{
    app::TestApp, builder::TestAppBuilder, handler::Handler, instances::SecondInstance,
    published::Records,
};
