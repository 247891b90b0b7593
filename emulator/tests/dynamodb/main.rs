//! DynamoDB under the unmodified SDK: what leases need, and what goes wrong.
#![cfg(feature = "dynamodb")]

mod accounts;
mod common;
mod determinism;
#[path = "../common/directory.rs"]
mod directory;
mod faults;
mod kept;
mod late;
mod leases;
mod stale;
mod tables;
