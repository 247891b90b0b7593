//! The two protocols against each other, and against bytes made by hand.

pub(crate) mod cbor_value;
mod equality;
mod handmade;
mod refusals;
