use std::{
    any::TypeId,
    fmt,
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::future::BoxFuture;

use super::{
    error::PublishError,
    message::{Message, Parts},
};
use crate::{
    app::{
        directory::{Directory, Entry},
        hooks::{FromApp, HookContext},
        shard_hooks::{FromShard, ShardContext},
    },
    cause::HandlerError,
    dispatch::{
        batches::extract::{BatchContext, FromBatch},
        codec::Encode,
        extract::{FromRecord, RecordContext},
        handler::Stream,
        outcome::Undecodable,
    },
};

/// Publishes to the stream `S`, which the application's module declares, consumed or not: handlers and hooks take one as a parameter, and
/// [`Running::publisher`](crate::Running::publisher) gives one to the program around the application.
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
///     /// Only written.
///     #[stream(name = "receipts")]
///     pub struct Receipts;
///
///     #[on_record(Orders)]
///     async fn book(order: Order, receipts: Publisher<Receipts>) -> Result<(), PublishError> {
///         let receipt = Receipt { order: order.id };
///         receipts.publish(receipt.keyed(order.customer).header("trace-id", "4bf92f")).await?;
///         Ok(())
///     }
/// }
/// # fn main() {}
/// ```
///
/// All publishers of a stream share one queue in a process. Records are gathered into PutRecords requests (500 records, 10 MiB, 5 ms); what the service throttles or
/// fails is sent again, alone, for a minute. Records of one partition key are stored in the order in which they were published: the next
/// one is sent when the one before it is stored. So one key takes one round trip a record, and many keys go side by side.
///
/// A record counts with its key and its headers; one that is larger than the stream takes (1 MiB unless it is set to more) fails at once.
pub struct Publisher<S> {
    directory: Arc<Directory>,
    stream: PhantomData<fn() -> S>,
}

/// Where a record was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Published {
    /// The shard.
    pub shard_id: String,
    /// The sequence number, opaque.
    pub sequence_number: String,
}

/// A record on its way, which [`Publisher::publish`] gives: a future of where it is stored. Nothing is sent before it is polled.
// With an `async fn`, a bound that does not hold would be an error at the argument, at the call and at the `.await`.
#[must_use = "nothing is sent before it is awaited"]
pub struct Publishing<'a>(BoxFuture<'a, Result<Published, PublishError>>);

impl Future for Publishing<'_> {
    type Output = Result<Published, PublishError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(cx)
    }
}

impl fmt::Debug for Publishing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Publishing")
    }
}

impl<S: Stream> Publisher<S> {
    pub(crate) fn new(directory: &Arc<Directory>) -> Self {
        Self {
            directory: Arc::clone(directory),
            stream: PhantomData,
        }
    }

    /// Publishes one record and waits until it is stored.
    ///
    /// It is encoded once, when this is called, and nothing is sent before the future is polled. Its key is that of the message; else its header `partition-key`; else one that
    /// nobody has. A request that got no answer is sent again, so a record may be stored twice. Dropping
    /// the future takes back nothing that is queued.
    ///
    /// # Errors
    ///
    /// [`PublishError`]; [`is_retryable`](PublishError::is_retryable) says whether the same record may be taken later.
    pub fn publish<M>(&self, message: M) -> Publishing<'_>
    where
        M: Message,
        M::Payload: Encode<S::Codec>,
    {
        let Parts {
            payload,
            key,
            headers,
        } = message.into_parts();
        let payload = payload.encode();
        Publishing(Box::pin(async move {
            let stream = S::SPEC.label;
            let producer = match self.directory.written(TypeId::of::<S>()) {
                Entry::Open(producer) => producer,
                Entry::Unknown => return Err(PublishError::NotDeclared { stream }),
                Entry::Closed => return Err(PublishError::NotRunning { stream }),
            };
            let parts = Parts {
                payload: payload?,
                key,
                headers,
            };
            producer.publish(&parts).await
        }))
    }
}

impl<S> Clone for Publisher<S> {
    fn clone(&self) -> Self {
        Self {
            directory: Arc::clone(&self.directory),
            stream: PhantomData,
        }
    }
}

impl<S> fmt::Debug for Publisher<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Publisher")
    }
}

impl<S, T: Stream> FromRecord<S> for Publisher<T> {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(Self::new(cx.directory))
    }
}

impl<S, T: Stream> FromBatch<S> for Publisher<T> {
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
        Ok(Self::new(cx.directory))
    }
}

impl<S, T: Stream> FromApp<S> for Publisher<T> {
    fn from_app(cx: &HookContext<'_, S>) -> Self {
        Self::new(cx.directory)
    }
}

impl<S, T: Stream> FromShard<S> for Publisher<T> {
    fn from_shard(cx: &ShardContext<'_, S>) -> Self {
        Self::new(&cx.shard.directory)
    }
}
