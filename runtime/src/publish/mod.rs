//! How records get into a stream: keyed, in an envelope, in batches, each with its own answer.

mod error;
mod message;
mod outbox;
mod producer;
mod publisher;
mod queue;
mod reply;

pub use error::PublishError;
pub use message::{Keyed, Message, Outgoing, Parts, Unkeyed};
pub(crate) use outbox::Outbox;
pub(crate) use producer::Producer;
pub use publisher::{Published, Publisher, Publishing};
pub use reply::{IntoReply, Reply};
