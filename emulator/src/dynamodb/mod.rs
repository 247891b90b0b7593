//! DynamoDB in process, under the unmodified SDK (feature `dynamodb`).
//!
//! The database is the crate `dynoxide-rs`. What is ours: it answers behind the same connector, in
//! the emulator's time and under its seed; reads that lag behind the writes, tables that are
//! `CREATING` for a while; [`Fault`]s, counts of calls and of consumed capacity, a call log.
//!
//! ```
//! use kinesis_app_emulator::Kinesis;
//! use kinesis_app_emulator::dynamodb::{Fault, FaultKind, Operation};
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let kinesis = Kinesis::new();
//! let tables = kinesis.dynamodb();
//! tables.fault(Fault::new(Operation::ListTables, FaultKind::Throttle));
//!
//! let config = kinesis.sdk_config(); // serves clients of both services
//! let names = aws_sdk_dynamodb::Client::new(&config).list_tables().send().await?;
//! assert!(names.table_names().is_empty());
//! assert_eq!(tables.calls(Operation::ListTables), 2);
//! # Ok(())
//! # }
//! ```

mod attribute;
mod calls;
mod capacity;
mod change;
mod clock;
mod engine;
mod error;
mod faults;
mod handle;
mod history;
mod kept;
mod operation;
mod request;
mod service;
mod tables;

use crate::EmulatorClock;

pub use calls::{Call, Capacity, Outcome};
pub(crate) use calls::{CallId, Scope};
pub use change::Change;
pub use error::ErrorCode;
pub(crate) use error::Refusal;
pub use faults::{Fault, FaultKind};
pub use handle::DynamoDb;
pub(crate) use handle::{Settings, Side};
pub use operation::Operation;
pub(crate) use operation::TARGET_PREFIX;
pub(crate) use request::Asked;
pub(crate) use service::Reply;
pub use service::StaleReads;
