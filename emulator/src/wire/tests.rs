//! The two protocols against each other, and against bytes made by hand or sent by another SDK.

pub(crate) mod cbor_value;
mod equality;
mod handmade;
mod recorded;
mod refusals;
