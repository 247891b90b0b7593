//! Who reads which shard.

pub(crate) mod balance;
pub(crate) mod bell;
pub(crate) mod bounded;
pub(crate) mod clock;
pub(crate) mod conformance;
pub(crate) mod doubts;
#[cfg(feature = "dynamodb")]
pub(crate) mod dynamodb;
pub(crate) mod file;
pub(crate) mod foreign;
pub(crate) mod generation;
pub(crate) mod given_up;
pub(crate) mod lift;
pub(crate) mod liveness;
pub(crate) mod memory;
pub(crate) mod petition;
pub(crate) mod readings;
pub(crate) mod row;
mod rows;
pub(crate) mod shares;
pub(crate) mod store;
pub(crate) mod stream_row;
pub(crate) mod tenure;
pub(crate) mod tenures;
#[cfg(test)]
mod unreliable;
pub(crate) mod write;
pub(crate) mod writer;
