//! How records get into a stream: keyed, in an envelope, in batches, each with its own answer.

mod error;
mod message;
mod producer;
mod publisher;
mod queue;

pub use error::PublishError;
pub use message::{Keyed, Message, Outgoing, Parts, Unkeyed};
pub(crate) use producer::Producer;
pub use publisher::{Published, Publisher};
