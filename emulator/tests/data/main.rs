//! Emulators that are kept in a directory, and what is refused there.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/directory.rs"]
mod directory;
mod files;
mod history;
mod lock;
mod sample;
mod states;
