//! The service's JSON protocol (`application/x-amz-json-1.1`): bodies to requests, answers to bodies.

mod check;
mod decode;
mod encode;
mod input;
mod page;

use crate::error::ServiceError;
use crate::limits;

pub(crate) use decode::decode;
pub(crate) use encode::{encode, encode_error};

pub(crate) const CONTENT_TYPE: &str = "application/x-amz-json-1.1";

/// The rule of a stream name, for callers past the wire.
pub(crate) fn check_name(name: &str, at: &str) -> Result<String, ServiceError> {
    check::name(name.to_owned(), at)
}

/// The rule of a partition key, for callers past the wire.
pub(crate) fn check_partition_key(key: &str) -> Result<(), ServiceError> {
    check::length(key, 1, limits::PARTITION_KEY_CHARS, "partitionKey")
}
