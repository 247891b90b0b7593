//! From page to handler: lanes keep the order, slots run the handlers, outcomes settle the records.

pub(crate) mod codec;
mod desk;
pub(crate) mod extract;
pub(crate) mod handler;
pub(crate) mod lanes;
pub(crate) mod outcome;
pub(crate) mod permanent;
pub(crate) mod policy;
pub(crate) mod retry;
pub(crate) mod shutdown;
pub(crate) mod slots;
mod store;
pub(crate) mod worker;
