use std::future::Future;

use super::{
    extract::BatchContext,
    outcome::{BatchSettled, NotGiven},
};
use crate::{app::wire::Wire, spec};

/// One attempt at a batch: how it ended, or why its handler was not called.
pub trait BatchFuture: Future<Output = Result<BatchSettled, NotGiven>> + Send {}

impl<F: Future<Output = Result<BatchSettled, NotGiven>> + Send> BatchFuture for F {}

/// The glue of an `#[on_batch]` function: decode, extract, call, settle.
pub trait BatchHandler<W: Wire>: Send + Sync + 'static {
    /// What `#[on_batch(..)]` says.
    const SPEC: spec::HandlerSpec;

    /// One attempt at one batch.
    fn call(cx: &BatchContext<'_, W::State>) -> impl BatchFuture;
}
