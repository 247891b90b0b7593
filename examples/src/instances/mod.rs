//! Many instances: processes of one application share a stream, while they join, leave and die.
//!
//! One process serves an emulated Kinesis and DynamoDB on a port, puts records, and starts and ends the others. Each of
//! these is this program again, with the application ([`app`]), and says on its standard output what it handles. At
//! the end a plain SDK reader goes through the stream, and the [`verdict`](Verdict) compares it with what they said.

pub mod app;
mod fleet;
mod journal;
mod show;
mod stage;
mod verdict;

pub use show::{Report, ShowError, run};
pub use verdict::Verdict;
