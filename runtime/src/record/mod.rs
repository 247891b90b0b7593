//! What a record is, from the service's answer to what a handler borrows.

pub(crate) mod aggregation;
pub(crate) mod envelope;
mod headers;
pub(crate) mod page;
mod position;
pub(crate) mod text;
mod view;

pub use headers::{Headers, PARTITION_KEY_HEADER, SEQUENCE_NUMBER_HEADER, SHARD_ID_HEADER};
pub use position::Position;
pub(crate) use position::Scope;
pub use view::{RawRecord, RecordRef};
