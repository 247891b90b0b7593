//! Handlers in another file.
