//! Modules of `../pass` in an application of the edition of 2021; the library beside it has that of 2024.

#![deny(warnings)]
#![allow(
    clippy::mixed_attributes_style,
    clippy::unused_async,
    clippy::wildcard_imports,
    reason = "modules as people write them; `strict_lints` allows nothing"
)]

/// The smallest application.
#[path = "../pass/smallest.rs"]
pub mod smallest;

/// Every hook, and state that is private.
#[path = "../pass/hooks.rs"]
pub mod hooks;

/// Handlers that take whole batches.
#[path = "../pass/batches.rs"]
pub mod batches;

/// Handlers that reply.
#[path = "../pass/replies.rs"]
pub mod replies;

/// Values that the compiler checks.
#[path = "../pass/constants.rs"]
pub mod constants;

/// What a handler's signature may look like.
#[path = "../pass/signatures.rs"]
pub mod signatures;

/// Keywords as names, and one that is a keyword from 2024 on.
#[path = "../pass/raw_identifiers.rs"]
pub mod raw_identifiers;

/// No prelude at all.
#[path = "../pass/no_prelude.rs"]
pub mod no_prelude;

/// A module whose parts come through `macro_rules!`.
#[path = "../pass/macro_rules.rs"]
pub mod macro_rules;

/// No lint of the user's fires in generated code.
#[path = "../pass/strict_lints.rs"]
pub mod strict_lints;

/// A word that the edition of 2024 keeps to itself.
#[kinesis_app::kinesis_app(name = "gen")]
pub mod gen {
    use kinesis_app::prelude::*;

    #[stream(name = "gen", codec(Raw))]
    struct Gen;

    #[on_record(Gen)]
    async fn gen(gen: Bytes) -> Outcome {
        drop(gen);
        Outcome::Done
    }
}
