//! From page to handler: lanes keep the order, slots run the handlers, outcomes settle the records.

mod attempt;
pub(crate) mod batches;
pub(crate) mod codec;
pub(crate) mod dead_letter;
mod desk;
pub(crate) mod extract;
mod floor;
mod gate;
pub(crate) mod handler;
pub(crate) mod lanes;
pub(crate) mod outcome;
pub(crate) mod permanent;
pub(crate) mod policy;
mod post;
pub(crate) mod retry;
pub(crate) mod rules;
mod share;
pub(crate) mod shutdown;
pub(crate) mod slots;
mod store;
pub(crate) mod worker;
