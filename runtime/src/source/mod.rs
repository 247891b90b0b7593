//! How records leave a shard.

pub(crate) mod budget;
pub(crate) mod feed;
pub(crate) mod kinesis;
mod pace;
pub(crate) mod polling;
