//! How far a shard's stored position may move.

pub(crate) mod watermark;
