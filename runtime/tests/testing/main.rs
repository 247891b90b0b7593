//! What `TestApp` promises to those who test their applications with it.

mod billing;

mod clock;
mod dead_letters;
mod errors;
mod instances;
mod records;
mod reshard;
mod seek;
mod settings;
mod settled;
mod shard_hooks;
mod speed;
