//! The stream's shape.

pub(crate) mod lineage;

pub(crate) use lineage::ListedShard;
