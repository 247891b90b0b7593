//! What compiles, what does not, and in which words; see the README beside this crate.

#![deny(warnings)]
#![allow(
    clippy::mixed_attributes_style,
    clippy::unused_async,
    clippy::wildcard_imports,
    reason = "modules as people write them; `strict_lints` allows nothing"
)]

/// The runtime under another name, as a user's manifest may have it.
pub extern crate kinesis_app as renamed;

/// The smallest application.
#[path = "../pass/smallest.rs"]
pub mod smallest;

/// Every legal combination that looks like a mistake.
#[path = "../pass/looks_like_a_mistake.rs"]
pub mod looks_like_a_mistake;

/// No lint of the user's fires in generated code.
#[path = "../pass/strict_lints.rs"]
pub mod strict_lints;

/// The runtime under another name, in the manifest and behind a re-export.
#[path = "../pass/renamed.rs"]
pub mod another_name;

/// Names of the prelude, taken by the user.
#[path = "../pass/shadowed_names.rs"]
pub mod shadowed_names;

/// No prelude at all.
#[path = "../pass/no_prelude.rs"]
pub mod no_prelude;

/// Keywords as names.
#[path = "../pass/raw_identifiers.rs"]
pub mod raw_identifiers;

/// What a handler's signature may look like.
#[path = "../pass/signatures.rs"]
pub mod signatures;

/// Items under `#[cfg]`.
#[path = "../pass/conditional.rs"]
pub mod conditional;

/// Payloads that borrow from the record.
#[path = "../pass/borrowed_payloads.rs"]
pub mod borrowed_payloads;

/// Errors of every kind that a handler may return.
#[path = "../pass/errors.rs"]
pub mod errors;

/// Every hook, and state that is private.
#[path = "../pass/hooks.rs"]
pub mod hooks;

/// One stream, two applications.
#[path = "../pass/shared_stream.rs"]
pub mod shared_stream;

/// Every attribute imported by its name.
#[path = "../pass/explicit_imports.rs"]
pub mod explicit_imports;

/// Streams that handlers name by other paths than their declarations.
#[path = "../pass/other_paths.rs"]
pub mod other_paths;

/// A module whose parts come through `macro_rules!`.
#[path = "../pass/macro_rules.rs"]
pub mod macro_rules;

/// Handlers that take whole batches.
#[path = "../pass/batches.rs"]
pub mod batches;

/// Handlers that reply.
#[path = "../pass/replies.rs"]
pub mod replies;

/// Leases in a table of DynamoDB.
#[cfg(feature = "dynamodb")]
#[path = "../pass/lease_table.rs"]
pub mod lease_table;

/// Values that the compiler checks.
#[path = "../pass/constants.rs"]
pub mod constants;

/// Observers and lease stores of one's own.
#[path = "../pass/observers.rs"]
pub mod observers;

/// The examples of the attributes.
#[doc = include_str!("../../macros/docs/kinesis_app.md")]
#[doc = include_str!("../../macros/docs/stream.md")]
#[doc = include_str!("../../macros/docs/on_record.md")]
#[doc = include_str!("../../macros/docs/on_batch.md")]
#[doc = include_str!("../../macros/docs/on_start.md")]
#[doc = include_str!("../../macros/docs/on_ready.md")]
#[doc = include_str!("../../macros/docs/on_shard_start.md")]
#[doc = include_str!("../../macros/docs/on_shard_end.md")]
#[doc = include_str!("../../macros/docs/on_shutdown.md")]
#[doc = include_str!("../../macros/docs/configure.md")]
#[doc = include_str!("../../macros/docs/aws.md")]
#[doc = include_str!("../../macros/docs/leases.md")]
#[doc = include_str!("../../macros/docs/observe.md")]
#[doc = include_str!("../../macros/docs/app_state.md")]
pub mod documentation {}
