//! Generations: a seek makes every checkpoint of an older generation void, `SHARD_END` included, at once and for everybody.

mod world;

mod adoption;
mod deleted_row;
mod ignored_checkpoints;
