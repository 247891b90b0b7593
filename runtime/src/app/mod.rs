//! An application: const specs as defaults, one [`AppConfig`](config::AppConfig) as the truth; started, drained, stopped.

mod assemble;
pub(crate) mod client;
pub(crate) mod config;
pub(crate) mod describe;
pub(crate) mod directory;
pub(crate) mod error;
pub(crate) mod handler_config;
pub(crate) mod hooks;
pub(crate) mod launch;
mod lease_config;
pub(crate) mod meet;
pub(crate) mod problem;
mod resolve;
pub(crate) mod run;
pub(crate) mod running;
pub(crate) mod setup;
pub(crate) mod shard_hooks;
pub(crate) mod shared;
mod signals;
pub mod spec;
pub(crate) mod state_of;
pub(crate) mod stream_config;
mod variables;
pub(crate) mod wire;
