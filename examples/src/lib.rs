//! Runnable applications on `kinesis-app`. The first is the main job, [`orders`]: `cargo run` at the root of the
//! repository.

pub mod orders;

/// The code of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
