//! The service's two protocols: bodies to requests, answers to bodies.

mod cbor;
pub(crate) mod check;
mod consumers;
mod decode;
mod encode;
mod event;
mod input;
mod page;
mod protocol;
mod settings;
mod tags;
#[cfg(test)]
pub(crate) mod tests;
mod writer;

pub(crate) use decode::decode;
pub(crate) use encode::{encode, encode_error};
pub(crate) use event::{EVENT_STREAM, event, exception, initial_response};
pub(crate) use protocol::Protocol;
