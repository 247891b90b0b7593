use std::future::Future;

use super::{extract::BatchContext, outcome::BatchSettled};
use crate::{app::wire::Wire, spec};

/// The glue of an `#[on_batch]` function: decode, extract, call, settle.
pub trait BatchHandler<W: Wire>: Send + Sync + 'static {
    /// The stream it handles. Not bound by [`Stream`](crate::Stream): the glue asks that once, where one error is enough.
    type Stream;
    /// What `#[on_batch(..)]` says.
    const SPEC: spec::HandlerSpec;

    /// One attempt at one batch.
    fn call<'r>(cx: &'r BatchContext<'r, W::State>) -> impl Future<Output = BatchSettled> + Send;
}
