//! Who reads which shard.

pub(crate) mod liveness;
pub(crate) mod memory;
pub(crate) mod row;
pub(crate) mod store;
pub(crate) mod tenure;
#[cfg(test)]
mod unreliable;
pub(crate) mod writer;
