//! SubscribeToShard as the unmodified SDK sees it, in virtual time.

#[path = "../common/mod.rs"]
mod common;
mod subscriber;

mod faults;
mod limits;
mod lives;
mod pushing;
