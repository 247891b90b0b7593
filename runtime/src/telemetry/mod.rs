//! What a person or a machine sees of a running application.

pub(crate) mod board;
pub(crate) mod health;
pub(crate) mod observer;
pub(crate) mod refusals;
pub(crate) mod watch;
