//! The main job: a shop's orders and payments, consumed while their streams are split and merged.
//!
//! A producer puts records, a timeline splits and merges shards and stops and starts the application, and the
//! application ([`app`]) handles the records and writes each handling into a journal. When all is done, a plain SDK
//! reader reads the streams again, and the [`verdict`](Verdict) compares them with the journal: the application's own
//! counters have no say in it.

pub mod app;
mod desk;
mod display;
mod job;
mod journal;
mod lineage;
mod meter;
mod options;
mod outbox;
mod plant;
mod producer;
mod progress;
mod reader;
mod shop;
mod streams;
mod summary;
mod target;
mod timeline;
mod verdict;

pub use display::{Display, Mode};
pub use job::{JobError, Plan, run};
pub use options::{Command, HELP, OptionError, parse};
pub use plant::Plant;
pub use summary::{Report, Reshards};
pub use target::{Target, TargetError};
pub use verdict::Verdict;
#[cfg(feature = "instances")]
pub(crate) use {
    reader::read_all,
    shop::{Record, Topic},
    streams::{Stream, StreamError},
};
