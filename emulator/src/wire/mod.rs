//! The service's JSON protocol (`application/x-amz-json-1.1`): bodies to requests, answers to bodies.

pub(crate) mod check;
mod decode;
mod encode;
mod input;
mod page;

pub(crate) use decode::decode;
pub(crate) use encode::{encode, encode_error};

pub(crate) const CONTENT_TYPE: &str = "application/x-amz-json-1.1";
