//! What a handler with `publish(S)` returns.

use super::{
    error::PublishError,
    message::{Keyed, Message, Parts},
    outbox::Outbox,
};
use crate::{
    cause::HandlerError,
    dispatch::{
        codec::Encode,
        outcome::{Outcome, Settled, Verdict},
    },
    permanent,
    spec::StreamRef,
};

/// A reply, or what becomes of the record without one.
///
/// ```
/// use kinesis_app::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize)]
/// pub struct Order {
///     id: u64,
///     customer: String,
/// }
///
/// #[derive(Serialize)]
/// pub struct Receipt {
///     order: u64,
/// }
///
/// #[kinesis_app(name = "billing", leases(memory))]
/// pub mod billing {
///     use super::*;
///
///     #[stream(name = "orders")]
///     pub struct Orders;
///
///     #[stream(name = "receipts")]
///     pub struct Receipts;
///
///     #[on_record(Orders, publish(Receipts))]
///     async fn book(order: Order) -> Reply<Receipt> {
///         if order.id == 0 {
///             return Reply::Outcome(Outcome::Skip);
///         }
///         Reply::Send(Receipt { order: order.id }.keyed(order.customer))
///     }
/// }
/// # fn main() {}
/// ```
#[derive(Debug)]
pub enum Reply<T> {
    /// It is stored, and then the record is done.
    Send(Keyed<T>),
    /// Nothing is published.
    Outcome(Outcome),
}

impl<T> From<Keyed<T>> for Reply<T> {
    fn from(message: Keyed<T>) -> Self {
        Self::Send(message)
    }
}

impl<T> From<Outcome> for Reply<T> {
    fn from(outcome: Outcome) -> Self {
        Self::Outcome(outcome)
    }
}

/// What a record handler with `publish(S)` may return: [`Keyed<T>`], `Option<Keyed<T>>`, `Vec<Keyed<T>>`, [`Reply<T>`] or a `Result` of
/// one of them.
///
/// A reply bears the headers that the handler gives it, and none of its record's. The record is done when everything that was returned
/// is stored; `None` and an empty `Vec` publish nothing. What the service does not take for now is sent again, without calling the
/// handler again; of a `Vec`, what is missing. What can never be stored, because it does not encode, is larger than the stream takes or has
/// a key that is none, is a [`permanent`] error of the handler's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no partition key to be published with",
    label = "not a reply",
    note = "return `Keyed<{Self}>`: `value.keyed(key)`",
    note = "with `publish(..)` a handler returns `Keyed<T>`, `Option<Keyed<T>>`, `Vec<Keyed<T>>`, `Reply<T>` or a `Result` of one of them"
)]
pub trait IntoReply<C> {
    /// Encodes what is to be published in a stream with codec `C`.
    fn into_reply(self, to: StreamRef) -> Settled;
}

impl<C, T: Encode<C>> IntoReply<C> for Keyed<T> {
    fn into_reply(self, to: StreamRef) -> Settled {
        replies::<C, T>([self], to)
    }
}

impl<C, T: Encode<C>> IntoReply<C> for Option<Keyed<T>> {
    fn into_reply(self, to: StreamRef) -> Settled {
        replies::<C, T>(self, to)
    }
}

impl<C, T: Encode<C>> IntoReply<C> for Vec<Keyed<T>> {
    fn into_reply(self, to: StreamRef) -> Settled {
        replies::<C, T>(self, to)
    }
}

impl<C, T: Encode<C>> IntoReply<C> for Reply<T> {
    fn into_reply(self, to: StreamRef) -> Settled {
        match self {
            Self::Send(message) => replies::<C, T>([message], to),
            Self::Outcome(outcome) => outcome.into(),
        }
    }
}

impl<C, R: IntoReply<C>, E: Into<HandlerError>> IntoReply<C> for Result<R, E> {
    fn into_reply(self, to: StreamRef) -> Settled {
        match self {
            Ok(reply) => reply.into_reply(to),
            Err(error) => Settled(Verdict::failed(error)),
        }
    }
}

fn replies<C, T: Encode<C>>(
    messages: impl IntoIterator<Item = Keyed<T>>,
    to: StreamRef,
) -> Settled {
    let encoded: Result<Vec<_>, _> = messages.into_iter().map(encode::<C, T>).collect();
    match encoded {
        Ok(messages) if messages.is_empty() => Outcome::Done.into(),
        Ok(messages) => {
            let outbox = Outbox::new(to, messages);
            Settled(Verdict::Replied(outbox))
        }
        Err(error) => Settled(Verdict::failed(permanent(error))),
    }
}

fn encode<C, T: Encode<C>>(message: Keyed<T>) -> Result<Parts<bytes::Bytes>, PublishError> {
    let Parts {
        payload,
        key,
        headers,
    } = message.into_parts();
    Ok(Parts {
        payload: payload.encode()?,
        key,
        headers,
    })
}
