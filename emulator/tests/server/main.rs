//! Both services over real sockets of this machine, on ports that the system chooses.
#![cfg(feature = "server")]

mod client;
mod http;
#[cfg(unix)]
mod program;
mod sdk;
