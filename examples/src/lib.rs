//! Runnable applications on `kinesis-app`. The first is the main job, [`orders`]: `cargo run` at the root of the
//! repository. [`replay`] repositions its stream while it reads it; [`billing`] has most of the language in one module; `instances`
//! has many processes share one stream (feature `instances`).

pub mod billing;
#[cfg(feature = "instances")]
pub mod instances;
pub mod orders;
pub mod replay;

use std::process::ExitCode;

/// Of a program whose verdict this is.
#[must_use]
pub fn exit_code(holds: bool) -> ExitCode {
    if holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The code of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
