//! Both services over real sockets of this machine, on ports that the system chooses.
#![cfg(feature = "server")]

mod client;
#[cfg(unix)]
mod data;
#[path = "../common/directory.rs"]
mod directory;
mod fanout;
mod http;
#[cfg(unix)]
mod program;
mod sdk;
