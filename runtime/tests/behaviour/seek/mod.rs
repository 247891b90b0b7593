//! Seeks.

mod world;

mod one_shard;
mod refusals;
mod stops;
mod stream_wide;
